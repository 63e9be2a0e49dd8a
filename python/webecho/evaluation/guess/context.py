"""*Context* of words that differ: the text close to them, as far as it tells what they are."""

import re
from dataclasses import dataclass

from webecho.evaluation.label.page_text import PageText

# Characters that are looked at on either side: all that matters, and what is near.
FAR, NEAR = 120, 40
# Longer runs without a space are no address.
RUN = 400

# A host with a known kind of beginning or end, a path after a host, or a mail address.
ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S|\bwww\.|(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|biz|[a-z]{2})\b"
    r"|[\w.-]+@[\w-]+\.\w|/[\w.%~-]+/|\?[\w]+=",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Context:
    """Words of a page, and the text around them: their line, what is near, what is before them in
    the line, and all that stands together with them without a space."""

    url: str | None
    words: tuple[str, ...]
    line: str
    near: str
    before: str
    run: str
    # Where in the line they stand.
    start: int
    end: int

    @property
    def is_address(self) -> bool:
        """Whether they are part of an address in the text."""
        return ADDRESS.search(self.run) is not None


def around(reading: PageText, first: int, last: int) -> Context:
    """What is around words `first` to `last` − 1, or around the place between two."""
    text = reading.text
    if first < last:
        start, end = reading.starts[first], reading.ends[last - 1]
    else:
        start = end = reading.ends[first - 1] if first else 0
    low = max(text.rfind("\n", max(0, start - FAR), start) + 1, start - FAR, 0)
    stop = text.find("\n", end, end + FAR)
    high = stop if stop >= 0 else min(len(text), end + FAR)
    left = re.search(r"\S*\Z", text[max(0, start - RUN) : start])
    right = re.match(r"\S*", text[end : end + RUN])
    run = (left[0] if left else "") + text[start:end] + (right[0] if right else "")
    return Context(
        reading.url,
        tuple(reading.words[first:last]),
        text[low:high],
        text[max(low, start - NEAR) : min(high, end + NEAR)],
        text[max(low, start - NEAR) : start],
        run,
        start - low,
        end - low,
    )
