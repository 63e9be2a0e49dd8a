"""Pages of a workspace by their names."""

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import InputError
from webecho.read.names import CALLED, is_called, number_of
from webecho.workspace.workspace import Workspace

# Pages that a message names.
SHOWN = 3


def two_pages(workspace: Workspace, one: str, other: str) -> tuple[int, int, tuple[str, ...]]:
    """The numbers of the pages with these names, and notes on names that several pages have.

    Of those the first is taken, and of one name given twice the first two.
    """
    found: dict[str, list[int]] = {one: [], other: []}
    for batch in workspace.batches(["page", *CALLED]):
        for name, pages in found.items():
            pages.extend(batch["page"].filter(is_called(batch, name)).to_pylist())
    for name, pages in found.items():
        number = number_of(name)
        if not pages and number is not None and number < workspace.pages:
            pages.append(number)
        if not pages:
            raise InputError(unknown(workspace, name))
    first = found[one][0]
    second = found[one][:2][-1] if one == other else found[other][0]
    notes = (
        several(name, pages, (first, second)) for name, pages in found.items() if len(pages) > 1
    )
    return first, second, tuple(notes)


def first_page(workspace: Workspace, name: str) -> tuple[int, tuple[str, ...]]:
    """The number of the page with this name, and a note if several have it, of which it is the
    first."""
    page = one_page(workspace, name)
    pages = [
        number
        for batch in workspace.batches(["page", *CALLED])
        for number in batch["page"].filter(is_called(batch, name)).to_pylist()
    ]
    return page, (several(name, pages, (page,)),) if len(pages) > 1 else ()


def one_page(workspace: Workspace, name: str) -> int:
    """The number of the page with this name; of several the first."""
    return two_pages(workspace, name, name)[0]


def is_page_here(workspace: Workspace, name: str) -> bool:
    """Whether a page has this name."""
    number = number_of(name)
    return (number is not None and number < workspace.pages) or any(
        is_called(batch, name).true_count for batch in workspace.batches(["page", *CALLED])
    )


def several(name: str, pages: Sequence[int], compared: Iterable[int]) -> str:
    """Tells which pages have the name, and which of them are compared."""
    some = numbers(pages[: 2 * SHOWN]) + (", …" if len(pages) > 2 * SHOWN else "")
    taken = numbers(page for page in compared if page in pages)
    return (
        f"{len(pages):,} pages are called {name}: {some}; this is about {taken}, "
        "give a number for another"
    )


def numbers(pages: Iterable[int]) -> str:
    return ", ".join(f"#{page}" for page in pages)


def unknown(workspace: Workspace, name: str) -> str:
    """What to do about a name that no page has: others that it is a part of, or where all are."""
    near: dict[str, int] = {}
    for batch in workspace.batches(["page", *CALLED]):
        for column in CALLED:
            text = batch[column].cast(pa.string())
            rows = batch.filter(pc.match_substring(text, name)).slice(0, SHOWN)
            near |= {str(row[column]): row["page"] for row in rows.to_pylist()}
        if len(near) >= SHOWN:
            break
    # A temporary workspace is gone when this is read.
    inputs = ", ".join(given["name"] for given in workspace.manifest.inputs)
    start = f"{inputs if workspace.temporary else workspace.path}: no page is called {name!r}"
    if near and name:
        some = list(near.items())[:SHOWN]
        return f"{start}; perhaps " + ", or ".join(f"{called!r} (#{page})" for called, page in some)
    start += f"; give a url or id as the input has it, or a number below #{workspace.pages}"
    if workspace.temporary:
        return start
    files = workspace.files.every_part("sketches")
    return f"{start}. All of them: duckdb -c \"SELECT page, url, id FROM '{files}'\""
