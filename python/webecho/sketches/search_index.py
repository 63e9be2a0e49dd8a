"""*Search index*: what a search engine needs to answer queries over a collection: tantivy's, with
the tokens of each page as terms, in lower case, and how often each stands there. Ranking is BM25
(k₁ = 1.2, b = 0.75).

It lies in the workspace, with a note of what it was made of: it is made anew when the collection,
the recipe or the form of the index is another. Its pages are read again from the sources. Pages
without a content of their own are not in it.

One thread writes it, and pages are in their order in one *segment*, so that what is found in it,
and which of several pages of one score come first, is the same whenever it is made. Its files are
not, for tantivy calls them by chance. It merges segments of about one size when there are eight of
them: so a large collection is written as 8 of them, or 64, or 512.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError, WebechoError, WorkspaceError, setting
from webecho.memory import SKETCHING
from webecho.run import Progress, Run
from webecho.sketches.boilerplate import sketcher_of
from webecho.sketches.page_tables import part_contents
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.checksums import is_sealed_json, sealed_json
from webecho.workspace.locks import locked
from webecho.workspace.mirror import fetch
from webecho.workspace.prefetch import plain_memory, quick_switches
from webecho.workspace.reread import PageReader, open_input
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from tantivy import Index

PAGE, TEXT, ANALYZER = "page", "text", "tokens"
ABOUT, FILES = "index.json", "tantivy"
# Counted up when the same pages would make another index.
FORM = 2
# What tantivy collects before it writes a part of the index.
HEAP = 192 << 20
# The least memory in which it can be made.
INDEXING = SKETCHING + 2 * HEAP
# Segments that are merged into one, characters of one before that, and how often tantivy is asked
# whether there is anything left to merge.
MERGED, SEGMENT, ASKED = 8, 96 << 20, 4
# Longer tokens are no words that anybody asks for.
LONGEST = 255


class LacksEngineError(WebechoError):
    """The search engine is not installed."""


def engine() -> Any:
    """tantivy, which is not needed for anything else."""
    try:
        import tantivy
    except ImportError as error:
        raise LacksEngineError(
            "answering queries needs tantivy, which is not installed: pip install "
            "'webecho[querylog]'; or give a ranking made elsewhere with ",
            setting("ranking"),
        ) from error
    return tantivy


def require_index(path: Path, run: Run) -> None:
    """Makes the index of a workspace unless it has one of the same collection."""
    engine()
    workspace = Workspace.open(path)
    if is_current(workspace):
        return
    with locked(path):
        workspace = Workspace.open(path)
        run.check_memory(INDEXING, f"making a search index of {path}")
        with atomic_folder(workspace.files.search) as folder:
            made = folder / FILES
            made.mkdir()
            pages = write_index(workspace, made, run)
            about = {"made of": made_of(workspace), "pages": pages}
            (folder / ABOUT).write_bytes(sealed_json(about, ABOUT))


def open_index(workspace: Workspace) -> "Index":
    """The index of a workspace, which must be there."""
    tantivy = engine()
    fetch(*workspace.files.search.rglob("*"))
    try:
        found: Index = tantivy.Index.open(str(workspace.files.search / FILES))
    except (ValueError, OSError) as error:
        raise WorkspaceError(
            f"{workspace.files.search} cannot be read ({error}); remove it, and it is made again"
        ) from error
    found.register_tokenizer(ANALYZER, analyzer())
    return found


def is_current(workspace: Workspace) -> bool:
    """Whether there is an index of what the workspace has now."""
    file = workspace.files.search / ABOUT
    try:
        content = file.read_bytes()
        return is_sealed_json(content, ABOUT) and json.loads(content)["made of"] == made_of(
            workspace
        )
    except (OSError, ValueError, KeyError):
        return False


def made_of(workspace: Workspace) -> str:
    """The digest of all that an index follows from."""
    parts = [
        None if (checksum := part.files.get("sketches")) is None else checksum.sha256
        for part in workspace.manifest.parts
    ]
    told = [FORM, engine().__version__, workspace.recipe.as_dict(), parts]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def analyzer() -> Any:
    """What makes terms of the tokens of a page, which stand with spaces between them."""
    tantivy = engine()
    tokens = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return (
        tokens.filter(tantivy.Filter.remove_long(LONGEST + 1))
        .filter(tantivy.Filter.lowercase())
        .build()
    )


def write_index(workspace: Workspace, folder: Path, run: Run) -> int:
    """Writes the index of all pages with a content into a folder, and gives their number."""
    tantivy = engine()
    schema = tantivy.SchemaBuilder()
    schema.add_integer_field(PAGE, fast=True)
    # No positions: queries are bags of words.
    schema.add_text_field(TEXT, tokenizer_name=ANALYZER, index_option="freq")
    index = tantivy.Index(schema.build(), str(folder), sort_by_field=PAGE)
    index.register_tokenizer(ANALYZER, analyzer())
    writer = index.writer(HEAP, 1)
    done, ends = 0, iter(segment_ends(workspace))
    end = next(ends)
    for numbers, texts in token_texts(workspace, run):
        for page, text in zip(numbers.to_pylist(), texts.to_pylist(), strict=True):
            while page >= end:
                writer.commit()
                end = next(ends)
            if text:
                writer.add_document(tantivy.Document(**{PAGE: page, TEXT: text}))
        done += len(numbers)
        run.report(Progress("indexing", done / max(workspace.pages, 1), pages=done))
    for _ in range(ASKED):
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        if index.searcher().num_segments <= 1:
            break
        # What is left to merge is looked for when something is committed.
        writer = index.writer(HEAP, 1)
    return done


def segment_ends(workspace: Workspace) -> list[int]:
    """Before which pages segments end: of about as many pages each, so that all are merged."""
    chars = sum(pc.sum(batch["chars"]).as_py() or 0 for batch in workspace.batches(["chars"]))
    count = 1
    while chars > count * SEGMENT:
        count *= MERGED
    return [workspace.pages * number // count for number in range(1, count)] + [workspace.pages]


def token_texts(workspace: Workspace, run: Run) -> Iterator[tuple[pa.Array, pa.Array]]:
    """The numbers of all pages with a content, some at a time, and the tokens of each with spaces
    between them."""
    sketcher = sketcher_of(workspace, run)
    reader = PageReader({})
    with quick_switches(), plain_memory():
        try:
            for number, part in enumerate(workspace.manifest.parts):
                if not part.pages:
                    continue
                if part.source not in reader.sources:
                    reader.close()
                    reader = PageReader(open_sources(workspace, part.input, run))
                for numbers, pages in part_contents(workspace, number, reader):
                    yield numbers, joined_tokens(sketcher, pages)
                reader.check_unchanged()
        finally:
            reader.close()


def joined_tokens(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.Array:
    """The tokens of each page as the text spells them, with spaces between them."""
    return pc.binary_join(sketcher.words(pages)["words"], pa.scalar(" ", pa.large_string()))


def open_sources(workspace: Workspace, number: int, run: Run) -> Any:
    try:
        return open_input(workspace, number, run)
    except InputError as error:
        raise InputError(
            error,
            ", and a search index is made of the pages; give a ranking made elsewhere with ",
            setting("ranking"),
        ) from error
