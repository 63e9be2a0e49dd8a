"""`webecho sketch`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webecho.cli.command import Shell, reads, resumable_spark_verb
from webecho.cli.options import WorkspacePath, inputs_options
from webecho.cli.verb_command import VerbCommand
from webecho.settings import SKETCH_COLUMNS

if TYPE_CHECKING:
    from webecho.api.reading import Reading


@click.command(cls=VerbCommand)
@inputs_options
@click.option("-o", "--out", required=True, type=WorkspacePath(), help="The workspace.")
@click.option("--columns", help="Of features,supershingles,projection; or none.")
@click.option("--append", is_flag=True, help="Add the inputs to an existing workspace.")
@click.option("--keep-shingles", is_flag=True, help="Keep the shingle sets for verification.")
@click.option("--paragraphs", is_flag=True, help="Keep the shingle paragraphs, for studies.")
@click.option("--sentences", is_flag=True, help="Keep how long sentences are, for studies.")
@click.option("--links", is_flag=True, help="Keep the links of the pages, for studies.")
@click.option(
    "--chunks", help="Keep the chunks, for overlap: lines:4, or several such as lines:4,page."
)
@click.option("--part-pages", type=click.IntRange(1), help="Pages a part; a run resumes by parts.")
@resumable_spark_verb
@reads
def sketch(
    shell: Shell,
    inputs: tuple[str, ...],
    out: Path,
    recipe: str,
    reading: "Reading",
    columns: str | None,
    append: bool,
    keep_shingles: bool,
    paragraphs: bool,
    sentences: bool,
    links: bool,
    chunks: str | None,
    part_pages: int | None,
) -> bool:
    """Sketch every page of the INPUTs into a workspace.

    An INPUT is a WARC, ARC, WET, WACZ, Parquet, Arrow, JSONL or CSV file, a folder or glob of those
    or of HTML and text files, an address such as s3://…, or - for JSONL on standard input. A run
    that was stopped goes on where it was when the same command is given again.
    """
    from webecho.api.inputs import check_there
    from webecho.api.run_record import RunRecord
    from webecho.api.sketch import SketchRequest, run_sketch
    from webecho.api.values import as_chunkings, as_recipe
    from webecho.show.sketch import show_sketch

    request = SketchRequest(
        inputs=inputs,
        out=out,
        recipe=as_recipe(recipe),
        columns=tuple(columns.split(",")) if columns else SKETCH_COLUMNS,
        keep_shingles=keep_shingles,
        paragraphs=paragraphs,
        sentences=sentences,
        links=links,
        chunks=as_chunkings(chunks or ""),
        part_pages=part_pages or SketchRequest.part_pages,
        append=append,
        reading=reading,
    )
    if shell.starts_spark:
        check_there(inputs, reading.options())
    with shell.run() as run, RunRecord(run, shell.seed) as record:
        found = run_sketch(request, run)
    record.write(out, "sketch")
    return show_sketch(found, shell.output)
