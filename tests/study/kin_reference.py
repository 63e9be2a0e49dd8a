"""Parents, children and equivalents once more, slow and obvious: every pair of documents compared.

A document is an address and a text in which each letter is a sentence.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import webecho

# So long that ten sentences have more than 450 characters.
CHARS = 46
Shots = Sequence[Sequence[tuple[str | None, str]]]


@dataclass(frozen=True)
class Doc:
    page: int
    url: str | None
    letters: str

    @property
    def paragraphs(self) -> list[str]:
        return [self.letters[at : at + 3] for at in range(len(self.letters) - 2)]

    @property
    def duplicates(self) -> tuple[tuple[str, int], ...]:
        """What duplicates have in common."""
        parted = Counter(self.letters[at : at + 3] for at in range(0, len(self.letters), 3))
        return tuple(sorted(parted.items()))


def text(letters: str) -> str:
    return " ".join(letter * (CHARS - 1) + "." for letter in letters)


def written(folder: Path, shots: Shots) -> list[Path]:
    """A workspace for each snapshot."""
    found = []
    for number, pages in enumerate(shots):
        urls = pa.array([url for url, _ in pages], pa.string())
        texts = pa.array([text(letters) for _, letters in pages], pa.string())
        file = folder / f"shot{number}.parquet"
        pq.write_table(pa.table({"url": urls, "text": texts}), file)
        found.append(folder / f"shot{number}.echo")
        webecho.sketch(file, found[-1], columns="none", paragraphs=True, sentences=True)
    return found


def considered(pages: Sequence[tuple[str | None, str]]) -> list[Doc]:
    found, seen = [], set()
    for page, (url, letters) in enumerate(pages):
        if len(text(letters)) > 450 and len(letters) >= 5 and (url is None or url not in seen):
            found.append(Doc(page, url, letters))
            seen.add(url)
    return found


def shared(one: Doc, other: Doc) -> int:
    return len({*one.paragraphs} & {*other.paragraphs})


def equivalent(one: Doc, other: Doc) -> bool:
    return one.url is not None and one.url == other.url


def kin(old: Sequence[Doc], new: Sequence[Doc], least: int) -> Iterator[tuple[Doc, Doc]]:
    """Children and their parents, by Definition 9."""
    for child in new:
        for parent in old:
            if shared(child, parent) >= least and not equivalent(child, parent):
                yield child, parent


def counted_all(shots: Shots, old: int, new: int, least: int) -> dict[str, int]:
    olds, news = considered(shots[old]), considered(shots[new])
    pairs = [*kin(olds, news, least)]
    equal = [(n, o) for n in news for o in olds if equivalent(n, o)]
    known = {url for url, _ in shots[old]}
    children = {child for child, _ in pairs}
    return {
        "parents": len({parent for _, parent in pairs}),
        "children": len(children),
        "equivalents": len(equal),
        "sharing": sum(shared(n, o) >= least for n, o in equal),
        "fresh": sum(child.url is not None and child.url not in known for child in children),
    }


def counted_paper(shots: Shots, old: int, new: int, least: int) -> dict[str, int]:
    """Figure 6, line by line, nested as its text says."""
    olds, news = considered(shots[old]), considered(shots[new])
    addresses = {url for url, _ in shots[new] if url is not None}
    met: set[Doc] = set()
    parents: set[Doc] = set()
    children: set[object] = set()
    equivalents = 0
    for n in news:
        for o in olds:
            if shared(n, o) > least:
                first = o not in met
                met.add(o)
                if first and o.url in addresses:
                    equivalents += 1
                elif n.duplicates not in children and (n.url is None or n.url != o.url):
                    children.add(n.duplicates)
                    parents.add(o)
    return {"parents": len(parents), "children": len(children), "equivalents": equivalents}


def generations(shots: Shots, least: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Ancestors and descendants of chains of parents, by the oldest and the newest snapshot."""
    docs = [considered(pages) for pages in shots]
    found = {}
    for start in range(len(shots)):
        chains = {(doc, doc) for doc in docs[start]}
        for end in range(start + 1, len(shots)):
            step = [*kin(docs[end - 1], docs[end], least)]
            chains = {
                (first, child) for first, last in chains for child, parent in step if last == parent
            }
            if end > start + 1:
                ancestors = len({first for first, _ in chains})
                found[start, end] = (ancestors, len({last for _, last in chains}))
    return found


def origins(shots: Shots, old: int, new: int, least: int) -> dict[str, int]:
    """The characters that are kept, re-used and new, sentence by sentence."""
    olds, news = considered(shots[old]), considered(shots[new])
    found = Counter({"kept": 0, "re-used": 0, "new": 0})
    for n in news:
        own = [o for o in olds if equivalent(n, o)]
        parents = [o for o in olds if shared(n, o) >= least and o not in own]
        for at in range(len(n.letters)):
            around = {n.letters[s : s + 3] for s in range(max(at - 2, 0), at + 1)}
            around = {each for each in around if len(each) == 3}
            if any(around & {*o.paragraphs} for o in own):
                found["kept"] += CHARS
            elif any(around & {*o.paragraphs} for o in parents):
                found["re-used"] += CHARS
            else:
                found["new"] += CHARS
    return dict(found)


def drawn(seed: int, snapshots: int = 3, pages: int = 25) -> list[list[tuple[str | None, str]]]:
    """Snapshots put together from a few texts: copies, duplicates, pages that stay and that go."""
    chance = random.Random(seed)
    letters = "abcdefghijklmnop"
    sources = ["".join(chance.choices(letters, k=30)) for _ in range(4)]
    shots: list[list[tuple[str | None, str]]] = []
    for _ in range(snapshots):
        found: list[tuple[str | None, str]] = []
        for _ in range(pages):
            before = [each for shot in shots[-1:] for each in shot]
            kind = chance.random()
            url = f"http://{chance.choice('abc')}.example/{chance.randrange(40)}"
            if before and kind < 0.4:
                kept_url, words = chance.choice(before)
                found.append((kept_url if chance.random() < 0.7 else url, words))
            elif found and kind < 0.5:
                found.append((url, chance.choice(found)[1]))
            elif kind < 0.55:
                found.append((None, chance.choice(sources)))
            else:
                source = chance.choice(sources)
                start = chance.randrange(20)
                own = "".join(chance.choices(letters, k=chance.randrange(12)))
                found.append((url, own + source[start : start + chance.randrange(3, 12)]))
        shots.append(found)
    return shots
