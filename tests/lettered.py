"""Documents whose paragraphs are letters, as the figures of Pereira 2006 have them: `abcd` has the
four paragraphs “a. a. a.”, “b. b. b.”, “c. c. c.”, “d. d. d.”."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.collections_made import Page, as_parquet, page
from tests.command import done

# A sentence is so long that four paragraphs have more than 450 characters.
LETTERS = 45


def text(letters: str) -> str:
    return " ".join(f"{letter * LETTERS}." for letter in letters for _ in range(3))


def lettered(documents: Sequence[str], hosts: Sequence[str] = ()) -> list[Page]:
    return [
        page(number, text(letters), hosts[number] if hosts else "www.example.org")
        for number, letters in enumerate(documents)
    ]


def sketched(folder: Path, documents: Sequence[str], hosts: Sequence[str] = ()) -> Path:
    """A workspace of these documents, with their paragraphs."""
    source = as_parquet(folder / "letters.parquet", lettered(documents, hosts))
    out = folder / "letters.echo"
    done("sketch", source, "-o", out, "--columns", "none", "--paragraphs", "--part-pages", 7)
    return out


def clusters(documents: Sequence[str], alike: Callable[[str, str], bool]) -> list[int]:
    """For every document the lowest of its cluster, by comparing all pairs."""
    names = list(range(len(documents)))
    for one, left in enumerate(documents):
        for other, right in enumerate(documents[:one]):
            if names[one] != names[other] and alike(left, right):
                low, high = sorted((names[one], names[other]))
                names = [low if name == high else name for name in names]
    return names


def same_multiset(left: str, right: str) -> bool:
    return Counter(left) == Counter(right) and left != ""


def papers_match(left: str, right: str) -> bool:
    contained = set(left) <= set(right) or set(right) <= set(left)
    return len(left) == len(right) > 0 and contained


def near(share: float) -> Callable[[str, str], bool]:
    def alike(left: str, right: str) -> bool:
        common = (Counter(left) & Counter(right)).total()
        return max(len(left), len(right)) > 0 and common / max(len(left), len(right)) >= share

    return alike


def duplicates(names: Iterable[int]) -> tuple[int, int]:
    """The number of clusters and of duplicates."""
    sizes = [size for size in Counter(names).values() if size > 1]
    return len(sizes), sum(sizes) - len(sizes)
