"""*Reading*: how inputs are read, as a user says it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict

from webecho.api.values import several
from webecho.group.rules.rule import Rule
from webecho.read.collection import ANY_TYPE, ReadOptions
from webecho.read.columns import ColumnNames


@dataclass(frozen=True)
class Reading:
    """How inputs are read; what is None is found, or is as usual.

    `text`, `html`, `url`, `id` and `date` are columns of a table, `statuses` and `types` are those
    of WARC responses, `convert` has commands by type, and `format` is that of all inputs.
    """

    text: str | None = None
    html: str | None = None
    url: str | None = None
    id: str | None = None
    date: str | None = None
    statuses: tuple[int, ...] | None = None
    types: tuple[str, ...] | None = None
    convert: Mapping[str, str] | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        self.options()

    def options(
        self,
        by: tuple[str, ...] = (),
        values: tuple[str, ...] = (),
        ranked: tuple[str, ...] = (),
    ) -> ReadOptions:
        """The same for who reads; a dedup has more columns."""
        one = (self.text, self.html, self.url, self.id, self.date)
        columns = ColumnNames(*one, by, values, ranked)
        named: dict[str, Any] = {
            "statuses": self.statuses,
            "types": None if self.types is None else tuple(map(media_type, self.types)),
            "convert": self.convert,
            "format": self.format,
        }
        return ReadOptions(
            columns, **{name: each for name, each in named.items() if each is not None}
        )

    def for_rule(self, rule: Rule) -> "Reading":
        """The same, of all types for a rule in which all take part, unless types were named."""
        return replace(self, types=(ANY_TYPE,)) if rule.any_type and not self.types else self

    @property
    def named(self) -> list[str]:
        """What was said."""
        return [each.name for each in fields(self) if getattr(self, each.name) is not None]


def media_type(given: str) -> str:
    """A type as it is compared; `*` is all of them."""
    return ANY_TYPE if given == "*" else given.lower()


class ReadingOptions(TypedDict, total=False):
    """The keywords of functions that say how inputs are read."""

    text: str | None
    html: str | None
    url: str | None
    id: str | None
    date: str | None
    statuses: int | Sequence[int] | None
    types: str | Sequence[str] | None
    convert: Mapping[str, str] | None
    format: str | None


def as_reading(
    text: str | None,
    html: str | None,
    url: str | None,
    id: str | None,
    date: str | None,
    statuses: int | Sequence[int] | None,
    types: str | Sequence[str] | None,
    convert: Mapping[str, str] | None,
    format: str | None,
) -> Reading:
    """What the arguments of a Python call say; one value needs no list around it."""
    wanted = None if statuses is None else several(statuses)
    kinds = None if types is None else several(types)
    return Reading(text, html, url, id, date, wanted, kinds, convert, format)
