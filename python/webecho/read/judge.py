"""Which responses and other records of an archive are pages: what a person can choose.

The judging itself is done in Rust, where both readers of archive files have it in common.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from webecho import _core
from webecho.read.limits import USUAL, Limits

HTML_TYPES = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")


@dataclass(frozen=True)
class WarcOptions:
    """Which responses are pages: by HTTP status and by media type (`text/*` takes all texts).

    `convert` has the command that turns documents of a further type into text or HTML.
    """

    statuses: tuple[int, ...] = (200,)
    types: tuple[str, ...] = (*HTML_TYPES, "text/plain")
    convert: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = USUAL

    def judge(self) -> _core.Judge:
        longest, reason = self.limits.page, self.limits.reason
        return _core.Judge(self.statuses, self.types, list(self.convert), longest, reason)
