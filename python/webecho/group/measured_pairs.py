"""Pairs with what was *measured* of them on demand (see measures.py): now, or by an earlier run of
the same rule, whose measures stay as long as the pairs do.

Pages of a workspace do not change, and its pairs go when pages are added, so that what was measured
of two pages holds for as long as there is a table to read it from.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.group.measures import COLUMNS, MeasureSettings, Measuring
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.stored import Stored
from webecho.workspace.table_files import ROWS, write_table
from webecho.workspace.workspace import Workspace

WITH_EARLIER = """
SELECT {columns}
FROM found LEFT JOIN earlier
    ON earlier."left" = found."left" AND earlier."right" = found."right"
ORDER BY found."left" NULLS LAST, found."right" NULLS LAST
"""


def with_measures(
    workspace: Workspace,
    label: str,
    pairs: Iterable[pa.Table],
    settings: MeasureSettings,
    reread: Reread | None,
    run: Run,
    problems: list[str],
) -> Iterator[pa.Table]:
    """The pairs (sorted) of the rule with this label and all that was measured of them; the first
    table says their columns, also where there are none."""
    rows = iter(pairs)
    first = next(rows)
    pairs, own = chain([first], rows), first.schema
    # What the rule itself tells of its pairs is not measured again.
    settings = settings.only(name for name in settings.measures if name not in groups_in(own))
    earlier = earlier_measures(workspace, label, own, run)
    if not settings.measures and earlier is None:
        yield from pairs
        return
    with temporary_folder() as folder:
        file = folder / "found.parquet"
        write_table(file, pairs)
        if settings.measures:
            measured = folder / "measured.parquet"
            write_table(measured, measured_now(workspace, file, settings, reread, run, problems))
            file = measured
        schema = pq.read_schema(file)
        if earlier is not None:
            yield from joined(file, schema, earlier, run)
            return
        yield schema.empty_table()
        with pq.ParquetFile(file) as parquet:
            for batch in parquet.iter_batches(ROWS):
                yield pa.Table.from_batches([batch])


def earlier_measures(workspace: Workspace, label: str, own: pa.Schema, run: Run) -> Stored | None:
    """The pairs that are there, with what was measured beside the columns that the rule itself
    gives them, if something was."""
    file = workspace.files.pairs(label)
    if not file.is_file():
        return None
    try:
        found = workspace.stored("pairs", label)
    except WorkspaceError as error:
        run.warn(f"{error}; what was measured of pairs before is lost")
        return None
    measured = [field for each in groups_in(found.schema) for field in COLUMNS[each]]
    measured = [field for field in measured if field.name not in own.names]
    if not measured:
        return None
    sides = [found.schema.field(side) for side in ("left", "right")]
    return replace(found, schema=pa.schema([*sides, *measured]))


def groups_in(schema: pa.Schema) -> list[str]:
    """The measures that a table has."""
    return [each for each, own in COLUMNS.items() if own[0].name in schema.names]


def joined(file: Path, schema: pa.Schema, earlier: Stored, run: Run) -> Iterator[pa.Table]:
    """The pairs of a file with the measures of an earlier table where it has none."""
    fields = [*schema]
    selected = {name: f'found."{name}"' for name in schema.names}
    for group in groups_in(earlier.schema):
        measured = [field for field in COLUMNS[group] if field.name in earlier.schema.names]
        names = [field.name for field in measured]
        if names[0] not in schema.names:
            fields += measured
            selected |= {name: f"earlier.{name}" for name in names}
            continue
        # All columns of a measure are of one time.
        known = " OR ".join(f"found.{name} IS NOT NULL" for name in names)
        selected |= {
            name: f"CASE WHEN {known} THEN found.{name} ELSE earlier.{name} END AS {name}"
            for name in names
        }
    with run.database() as database:
        database.add("found", Stored((file,), schema))
        database.add("earlier", earlier)
        query = WITH_EARLIER.format(columns=", ".join(selected.values()))
        yield pa.schema(fields).empty_table()
        for batch in database.batches(query, ROWS):
            yield pa.Table.from_batches([batch]).cast(pa.schema(fields))


def measured_now(
    workspace: Workspace,
    file: Path,
    settings: MeasureSettings,
    reread: Reread | None,
    run: Run,
    problems: list[str],
) -> Iterator[pa.Table]:
    """The pairs of a file with what is measured of them, null where a pair was not chosen."""
    with pq.ParquetFile(file) as parquet:
        own = parquet.schema_arrow
        chosen = settings.chosen(parquet.metadata.num_rows)
        sides = [pa.array([], pa.int64())]
        for rows, at in _chosen_rows(parquet, chosen, ["left", "right"]):
            sides += [rows[side].take(at) for side in ("left", "right")]
            sides = [pc.unique(pa.concat_arrays(sides))]
        members = pc.unique(pa.concat_arrays(sides)).sort()
        measuring = Measuring.of(workspace, members, settings, reread, run)
        problems += measuring.problems
        # Pairs by chunks have containments of their own.
        measured = [field for field in settings.fields if field.name not in own.names]
        schema = pa.schema([*own, *measured])
        yield schema.empty_table()
        for rows, at in _chosen_rows(parquet, chosen, None):
            columns = measuring.columns(rows["left"].take(at), rows["right"].take(at))
            back = pc.index_in(pa.array(range(len(rows)), pa.int64()), value_set=at)
            columns = {name: column.take(back) for name, column in columns.items()}
            kept = {name: rows[name] for name in own.names}
            yield pa.table(columns | kept, schema=schema)


def _chosen_rows(
    parquet: pq.ParquetFile, chosen: pa.Array, columns: list[str] | None
) -> Iterator[tuple[pa.RecordBatch, pa.Array]]:
    """Batch by batch the rows of a file, and which of each batch were chosen."""
    start = done = 0
    for rows in parquet.iter_batches(ROWS, columns=columns):
        next_ones = chosen.slice(done, len(rows))
        here = next_ones.filter(pc.less(next_ones, start + len(rows)))
        yield rows, pc.subtract(here, start)
        start += len(rows)
        done += len(here)
