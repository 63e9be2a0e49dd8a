"""Adds the pages of one workspace to another, as if they had been sketched into it."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.workspace.ids import settle_ids
from webecho.workspace.locks import locked
from webecho.workspace.longest_page import check_longest
from webecho.workspace.manifest import Part
from webecho.workspace.removed import removed_table, save_removed
from webecho.workspace.resume import check_appendable, check_settings, remove_stale
from webecho.workspace.schemas import sketch_schema
from webecho.workspace.sources import check_new, known_locations, remember_locations
from webecho.workspace.table_files import TableWriter
from webecho.workspace.union import NUMBERS, shifted
from webecho.workspace.workspace import Workspace


def append_workspace(path: Path, new: Workspace) -> None:
    """Appends the pages of `new`; what a dedup removed from it counts as removed there too."""
    with locked(path):
        old = Workspace.open(path)
        manifest = old.manifest
        if is_appended(old, new):
            # Also what has not got its name yet.
            old.first_damaged()
            return
        check_settings(path, manifest, new.manifest, ["recipe", "columns"])
        check_longest(path, manifest, new.manifest.longest_page)
        check_new(old, (given["name"] for given in new.manifest.inputs), known_locations(new))
        inputs = new.manifest.inputs
        check_appendable(path, manifest, new.manifest.id_type, inputs, append=True)
        gone = pa.concat_tables([removed_table(old), moved(removed_table(new), old.pages)])
        where = known_locations(new)
        remove_stale(path)
        rewritten = settle_ids(old, new.manifest.id_type)
        parts = [_copied(old, new, number) for number in range(len(new.manifest.parts))]
        sources = len(manifest.sources)
        for each in inputs:
            first, end = each["sources"]
            manifest.inputs.append(each | {"sources": [first + sources, end + sources]})
        manifest.sources += new.manifest.sources
        manifest.parts += parts
        # Noted first: a run that is killed after the manifest is saved must find that all is done.
        remember_locations(old, where)
        save_removed(old, *gone.combine_chunks().columns)
        for writer in rewritten:
            writer.aside.replace(writer.file)


def moved(gone: pa.Table, by: int) -> pa.Table:
    """What was removed of a workspace whose pages are numbered on from the others'."""
    kept = gone["kept_page"]
    # Those of the workspace that it was compared with have the numbers of that.
    there = pc.if_else(pc.less(kept, 0), pc.bit_wise_not(kept), pc.add(kept, by))
    return pa.table([pc.add(gone["page"], by), there], schema=gone.schema)


def is_appended(old: Workspace, new: Workspace) -> bool:
    """Whether an earlier run did it, and was stopped after that or ended well; others may have been
    added after them."""
    there, added = old.manifest.sources, new.manifest.sources
    count = len(added)
    known = set(known_locations(old))
    return (
        count > 0
        and any(there[at : at + count] == added for at in range(len(there) - count + 1))
        and all(where is not None and where in known for where in known_locations(new))
    )


def _copied(old: Workspace, new: Workspace, number: int) -> Part:
    """Copies the tables of a part, its pages and sources numbered on, and gives it anew."""
    part = new.manifest.parts[number]
    here = len(old.manifest.parts) + number
    shift = dict.fromkeys(NUMBERS, old.pages) | {"source": len(old.manifest.sources)}
    checksums = {}
    for table in part.files:
        writer = TableWriter(old.part_file(table, here))
        for batch in new.part_batches(table, number, None):
            rows = pa.Table.from_batches([shifted(batch, shift)])
            if table == "sketches":
                # Ids that are numbers here may be text there.
                rows = rows.cast(sketch_schema(old.manifest.columns, old.manifest.id_type))
            writer.write(rows)
        checksums[table] = writer.finish()
    return replace(
        part,
        first=part.first + old.pages,
        input=part.input + len(old.manifest.inputs),
        source=part.source + len(old.manifest.sources),
        files=checksums,
    )
