"""*Chunking*: into which *chunks* pages are cut to be compared part by part (Shivakumar 1998,
section 2).

| chunking | a chunk is |
| --- | --- |
| `page` | the whole page |
| `lines:N` | N lines with text; the next begins after them, and the last may have fewer |
| `sentence` | a sentence, as those of shingle paragraphs are |
| `paragraph` | the lines between two empty ones, or between two elements that part lines |
| `words:N` | N tokens, as lines |
| `lines:N:sliding`, `words:N:sliding` | the same, with a chunk from every line or token on |

The kernel (`rust/src/sketches/chunks.rs`) says how each is cut and hashed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self, get_args

from webecho.errors import SettingsError

Unit = Literal["page", "lines", "sentence", "paragraph", "words"]
UNITS: dict[str, Unit] = {unit: unit for unit in get_args(Unit)}
# Of which a chunk has any number.
COUNTED = ("lines", "words")
SLIDING = "sliding"
# No page that is worth a chunking has more of them.
MOST = 1_000_000
FORMS = "page, lines:N, sentence, paragraph, words:N, lines:N:sliding or words:N:sliding"

# How the names of the page tables begin.
TABLE = "chunks-"


@dataclass(frozen=True)
class Chunking:
    """Chunks of `size` units each; sliding ones begin at every unit."""

    unit: Unit
    size: int = 1
    sliding: bool = False

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError(f"{self.unit!r} is no chunking; give {FORMS}")
        if self.unit not in COUNTED and (self.size != 1 or self.sliding):
            raise SettingsError(f"a chunk of the chunking {self.unit} is one, and does not slide")
        if type(self.size) is not int or not 1 <= self.size <= MOST:
            raise wrong_size(self.unit, self.size)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The chunking that is written so."""
        unit, *rest = (part.strip() for part in text.split(":"))
        if unit not in UNITS:
            raise SettingsError(f"{text!r} is no chunking; give {FORMS}")
        if unit not in COUNTED:
            if rest:
                raise SettingsError(f"{text!r} is no chunking: {unit} takes nothing after it")
            return cls(UNITS[unit])
        size, *more = rest or [""]
        if not (size.isascii() and size.isdigit()) or more not in ([], [SLIDING]):
            raise SettingsError(
                f"{text!r} is no chunking: say how many {unit}, as in {unit}:4 or "
                f"{unit}:4:{SLIDING}"
            )
        # Python refuses to read numbers of thousands of digits.
        if len(size) > len(str(MOST)):
            raise wrong_size(unit, size)
        return cls(unit, int(size), bool(more))  # type: ignore[arg-type]

    def __str__(self) -> str:
        return ":".join(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        if self.unit not in COUNTED:
            return (self.unit,)
        return (self.unit, str(self.size), *([SLIDING] if self.sliding else []))

    @property
    def label(self) -> str:
        """The same for the names of files."""
        return "-".join(self.parts)

    @property
    def table(self) -> str:
        """The name of the page table that has its chunks."""
        return TABLE + self.label


def wrong_size(unit: str, size: object) -> SettingsError:
    return SettingsError(f"{unit}:{size}: a chunk has 1 to {MOST:,} {unit}, as in {unit}:4")


def parse_chunkings(text: str) -> tuple[Chunking, ...]:
    """The chunkings that are listed, with commas between them; each once, in this order."""
    return distinct([Chunking.parse(each) for each in text.split(",") if each.strip()])


def distinct(chunkings: Sequence[Chunking]) -> tuple[Chunking, ...]:
    """Each once."""
    return tuple(dict.fromkeys(chunkings))


def chunking_of(table: str) -> Chunking | None:
    """The chunking whose chunks the table of this name has; None for all other names."""
    if not table.startswith(TABLE):
        return None
    try:
        found = Chunking.parse(table.removeprefix(TABLE).replace("-", ":"))
    except SettingsError:
        return None
    return found if found.table == table else None
