"""*Kinship*: which texts of an old snapshot share paragraphs with those of a new one (Baeza-Yates
2007, sections 4.1 and 5.1). Overlapping paragraphs of old documents are put into a table, in which
those of each new document are looked up; each counts once a document.

A paragraph that more than so many old texts have is *left out*: no pair is found through it, so
that time and memory do not grow with the square of the pages that have it. What is found through
another is counted with all it shares; missed are pairs that share nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.paragraphs import Documents
from webecho.group.snapshots import Snapshot
from webecho.memory import looking_up
from webecho.run import Progress, Run

# New documents that are looked up at a time.
AT_ONCE = 4096
# As the kernel has it: no old document of the same address.
NONE = pa.scalar(2**32 - 1, pa.int64())

LINKS = pa.schema([(name, pa.int64()) for name in ("unit", "text", "shared", "chars")])
FOUND = pa.schema(
    [(name, pa.int64()) for name in ("unit", "own_shared", "left_out", "chars", "kept", "reused")]
)


@dataclass(frozen=True)
class OldTexts:
    """The texts of old documents, by the pages they are named by (ascending), in a table of their
    paragraphs."""

    texts: pa.Array
    documents: Documents
    index: _core.ParagraphIndex

    def left_out(self) -> pa.Table:
        """How many paragraphs of each text are left out."""
        return pa.table({"text": self.texts, "left_out": self.index.left_out_of().cast(pa.int64())})


def old_texts(old: Snapshot, places: pa.Array, most: int, run: Run) -> OldTexts:
    """The texts of the documents at these places."""
    firsts = pc.unique(old.texts.take(places)).sort()
    chosen = old.paragraphs.at(firsts)
    paragraphs = pc.sum(chosen.lengths).as_py() or 0
    run.check_memory(
        looking_up(len(firsts), paragraphs), f"looking up the paragraphs of {old.workspace.path}"
    )
    return OldTexts(old.pages.take(firsts), chosen, _core.ParagraphIndex(chosen.kernel(run), most))


def look_up(
    old: OldTexts, new: Snapshot, units: pa.Table, least: int, run: Run
) -> Iterator[tuple[pa.RecordBatch, pa.RecordBatch]]:
    """What is found of new documents, some at a time: rows of `LINKS`, sorted by unit and text, and
    of `FOUND`. A row of `units` (their numbers are 0, 1, …) has the `text` of new documents, their
    `own_text`, that of the old ones of their addresses, if there are such, and whether `others`
    have that."""
    paragraphs, lengths = new.paragraphs.kernel(run), new.lengths.kernel(run)
    places = pc.index_in(units["text"], value_set=new.pages).combine_chunks().cast(pa.int64())
    own = pc.index_in(units["own_text"], value_set=old.texts).combine_chunks().cast(pa.int64())
    own = pc.fill_null(own, NONE)
    others = units["others"].combine_chunks().cast(pa.int64())
    for start in range(0, len(units), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        wanted = (places[rows], own[rows], others[rows])
        links, found = old.index.look_up(paragraphs, lengths, wanted, least)
        unit = pc.add(links["new"], start)
        texts = old.texts.take(links["old"])
        numbers = pa.array(range(start, start + len(found)), pa.int64())
        yield (
            pa.RecordBatch.from_arrays(
                [unit, texts, links["shared"], links["chars"]], schema=LINKS
            ),
            pa.RecordBatch.from_arrays([numbers, *found.columns], schema=FOUND),
        )
        run.report(Progress("looking up", min(1.0, (start + AT_ONCE) / len(units))))
