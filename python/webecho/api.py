"""What a Python program calls: `sketch`, `clusters`, `pairs`, `restore`.

`data` is a path, several paths, any Arrow-compatible table (pyarrow, polars, pandas, duckdb, a
`datasets.Dataset`), or for all but `sketch` also a workspace that `sketch` wrote.
"""

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho import _core, settings
from webecho.errors import SettingsError, in_python
from webecho.group.clusters import cluster, write_clusters
from webecho.group.comparison import Comparison, compare
from webecho.group.memberships import memberships
from webecho.group.pairs import write_pairs
from webecho.group.rules import rule as named_rule
from webecho.group.sides import side_of, stored_side
from webecho.made_up.making import write_web
from webecho.made_up.web import Form, Web
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.pages import Source
from webecho.read.single import only_page, pages_named
from webecho.sizes import in_bytes
from webecho.sketches.beginning import SketchSettings
from webecho.sketches.names import two_pages
from webecho.sketches.sketching import Progress, sketch_collection
from webecho.sketches.workspace import MANIFEST, Workspace
from webecho.sketches.workspace import reading as open_workspace
from webecho.write.restore import Restored, restore_archives


@in_python()
def sketch(
    data: Any,
    out: str | os.PathLike[str] | None = None,
    *,
    recipe: str | settings.Recipe = "webecho",
    columns: str | Sequence[str] = settings.SKETCH_COLUMNS,
    keep_shingles: bool = False,
    append: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    report: Callable[[Progress], None] = lambda _: None,
    **reading: Any,
) -> pa.Table:
    """The sketches of all pages, one row each, in page order.

    With `out` they are also written there as a workspace, which later calls can use. What else is
    named says how to read: `text`, `html`, `url`, `id`, `date` (columns of a table), `statuses`,
    `types` (of WARC responses), `convert`, `format`. `memory` is a number of bytes or a text such
    as "2GB".
    """
    chosen = settings.sketch_columns(several(columns))
    wanted = SketchSettings(as_recipe(recipe), chosen, keep_shingles)
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        path = Path(out) if out is not None else Path(folder) / "sketches.echo"
        options = read_options(**reading)
        workspace = sketch_collection(
            open_collection(as_inputs(data), options),
            options,
            path,
            wanted,
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            append=append,
            report=report,
        )
        return workspace.table()


@in_python()
def clusters(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every page with its cluster (named by the cluster's lowest page), its size, url and id."""
    chosen = named_rule(rule, resemblance)
    with sketched(data, recipe, threads, reading) as (workspace, sources):
        found = cluster(
            workspace,
            chosen,
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            sources=sources,
        )
        warn_of_estimates(found.estimated)
        return pq.read_table(write_clusters(workspace, chosen, found), memory_map=False)


@in_python()
def pairs(
    data: Any,
    rule: str = "similar",
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    **reading: Any,
) -> pa.Table:
    """Every pair of pages that the rule holds together, with what was measured of it."""
    chosen = named_rule(rule, resemblance)
    with sketched(data, recipe, threads, reading) as (workspace, sources):
        found = write_pairs(
            workspace,
            chosen,
            threads=threads or default_threads(),
            memory=as_bytes(memory),
            sources=sources,
        )
        warn_of_estimates(found.estimated)
        return pq.read_table(found.file, memory_map=False)


@in_python()
def restore(data: Any, out: str | os.PathLike[str], *, force: bool = False) -> Restored:
    """What was brought back: WARC files, written into the folder `out`, in which each revisit that
    `dedup` made is again the record it stands for."""
    return restore_archives([os.fspath(each) for each in as_inputs(data)], Path(out), force=force)


@in_python()
def synth(
    out: str | os.PathLike[str],
    *,
    pages: int = Web.pages,
    seed: int = Web.seed,
    form: Form = Web.form,
    words: int = Web.words,
    power: float = Web.power,
    duplicates: float = Web.duplicates,
    force: bool = False,
    threads: int = 1,
) -> pa.Table:
    """The truth about a made-up web, a row a page; its crawl is written to `out/pages` and the
    truth to `out/truth.parquet`.

    More than one of the `threads`, which are processes here, need the calling program to guard its
    own start by `if __name__ == "__main__"`, as always with multiprocessing.
    """
    web = Web(pages, seed, words, power, duplicates, form)
    return write_web(web, Path(out), force=force, processes=threads)


@in_python()
def why(
    data: Any,
    one: str | int,
    other: str | int,
    resemblance: float | None = None,
    *,
    recipe: str | settings.Recipe | None = None,
    threads: int | None = None,
    **reading: Any,
) -> Comparison:
    """Two pages of a collection, by url, id or number (`"#12"`), compared by every measure.

    Of a name that several pages have the first is taken, and of one name given twice the first two;
    `notes` of the comparison tell. `clusters` has what the workspace knows of the two.
    """
    with sketched(data, recipe, threads, reading) as (workspace, sources):
        left, right, notes = two_pages(workspace, str(one), str(other))
        sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads or default_threads())
        sides = [stored_side(workspace, page, sketcher, sources) for page in (left, right)]
        found = compare(sides[0], sides[1], workspace.recipe, resemblance)
        return replace(found, clusters=memberships(workspace, left, right), notes=notes)


@in_python()
def diff(
    left: str | os.PathLike[str] | bytes,
    right: str | os.PathLike[str] | bytes,
    resemblance: float | None = None,
    *,
    inside: Any = None,
    recipe: str | settings.Recipe = "webecho",
    threads: int | None = None,
    **reading: Any,
) -> Comparison:
    """Two pages, each a file, its bytes or `-` for standard input, compared by every measure.

    With `inside`, a path, several or a table, they are pages of that, by url, id or number.
    """
    chosen, options = as_recipe(recipe), read_options(**reading)
    sketcher = _core.Sketcher(chosen.as_dict(), threads or default_threads())
    if inside is None:
        if left == right == "-":
            raise SettingsError("standard input is one page; give a file for the other")
        pages: list[tuple[int | None, pa.RecordBatch]]
        pages = [(None, only_page(each, options)) for each in (left, right)]
    else:
        refuse_workspaces(as_inputs(inside))
        collection = open_collection(as_inputs(inside), options)
        pages = [*pages_named(collection, str(left), str(right))]
    sides = [side_of(page, sketcher, number) for number, page in pages]
    return compare(sides[0], sides[1], chosen, resemblance)


def refuse_workspaces(inputs: Sequence[Any]) -> None:
    for given in inputs:
        if is_workspace(given):
            raise SettingsError(f"{given} is a workspace; ask: webecho why {given} URL URL")


def is_workspace(given: Any) -> bool:
    return isinstance(given, str | os.PathLike) and (Path(given) / MANIFEST).is_file()


def warn_of_estimates(reason: str | None) -> None:
    if reason is not None:
        warnings.warn(f"resemblances are estimated from features: {reason}", stacklevel=3)


@contextmanager
def sketched(
    data: Any,
    recipe: str | settings.Recipe | None,
    threads: int | None,
    reading: Mapping[str, Any],
) -> Iterator[tuple[Workspace, dict[int, Source] | None]]:
    """The workspace that `data` is, or a temporary one made from it, with its open sources."""
    if is_workspace(data):
        if recipe is not None or reading:
            given = ", ".join([*(["recipe"] if recipe is not None else []), *reading])
            raise SettingsError(
                f"{data} is a workspace, sketched already; leave out {given}, or give its inputs"
            )
        with open_workspace(Path(data)) as workspace:
            yield workspace, None
        return
    with tempfile.TemporaryDirectory(prefix="webecho-") as folder:
        options = read_options(**reading)
        collection = open_collection(as_inputs(data), options)
        workspace = sketch_collection(
            collection,
            options,
            Path(folder) / "sketches.echo",
            SketchSettings(as_recipe(recipe or "webecho"), ("features", "supershingles")),
            threads=threads or default_threads(),
            tables_stay=True,
        )
        yield workspace, live_sources(collection)


def as_bytes(memory: int | str | None) -> int | None:
    return None if memory is None else in_bytes(memory)


def as_recipe(recipe: str | settings.Recipe) -> settings.Recipe:
    return settings.recipe(recipe) if isinstance(recipe, str) else recipe


def live_sources(collection: Collection) -> dict[int, Source]:
    return dict(enumerate(collection.sources))


def as_inputs(data: Any) -> list[Any]:
    """A list or tuple of inputs is several; anything else is one."""
    return list(data) if isinstance(data, list | tuple) else [data]


def read_options(
    *,
    text: str | None = None,
    html: str | None = None,
    url: str | None = None,
    id: str | None = None,
    date: str | None = None,
    by: str | None = None,
    value: str | None = None,
    statuses: int | Sequence[int] | None = None,
    types: str | Sequence[str] | None = None,
    convert: Mapping[str, str] | None = None,
    format: str | None = None,
) -> ReadOptions:
    """Options of reading from what the caller named."""
    given: dict[str, Any] = {"statuses": statuses, "types": types}
    named: dict[str, Any] = {
        name: several(value) for name, value in given.items() if value is not None
    }
    if "types" in named:
        named["types"] = tuple(kind.lower() for kind in named["types"])
    given = {"convert": convert, "format": format}
    named |= {name: value for name, value in given.items() if value is not None}
    return ReadOptions(columns=ColumnNames(text, html, url, id, date, by, value), **named)


def several(values: Any) -> tuple[Any, ...]:
    """One value may be given without a list around it."""
    return (values,) if isinstance(values, str | int) else tuple(values)


def default_threads() -> int:
    """As many as this process may run on."""
    return len(os.sched_getaffinity(0))
