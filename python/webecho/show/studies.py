"""A study: its tables and sentences for people; tables as Parquet and figures in a folder."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.show.figures import Labels, lines, log_log, save
from webecho.show.terminal import Format, plain, print_rows, say, show, size
from webecho.study.result import Lines, LogLog, Study
from webecho.workspace.table_files import write_aside, write_table

ABOUT = "study.json"


def write_study(folder: Path, study: Study) -> list[Path]:
    """Writes the tables and figures of a study into a folder, beside `study.json` with what else it
    found and how, and gives their files. What an earlier run left there and this one does not write
    goes: it is not true of this one."""
    about = folder / ABOUT
    before = json.loads(about.read_text(encoding="utf-8"))["files"] if about.is_file() else []
    files = {name: folder / f"{name}.parquet" for name in study.tables}
    for name, file in files.items():
        write_table(file, [study.tables[name]])
    written = [*files.values(), *draw(folder, study)]
    names = sorted(file.name for file in written)
    for name in set(before) - set(names):
        (folder / Path(name).name).unlink(missing_ok=True)
    content = {
        "study": study.name,
        "settings": study.settings,
        "facts": study.facts,
        "sentences": study.sentences,
        "notes": study.notes,
        "files": names,
    }
    text = json.dumps(content, indent=1, ensure_ascii=False, default=str)
    write_aside(about, f"{text}\n".encode())
    return [*written, about]


def draw(folder: Path, study: Study) -> list[Path]:
    written = []
    for name, figure in study.figures.items():
        written += save(drawn(figure), folder / name)
    return written


def drawn(figure: LogLog | Lines) -> Any:
    labels = Labels(figure.title, figure.x, figure.y)
    if isinstance(figure, LogLog):
        return log_log(figure.counts, figure.line, labels)
    return lines(figure.series, labels)


def show_study(study: Study, folder: Path | None, output: Format) -> None:
    """Prints tables and sentences; CSV has the main one of the tables alone."""
    for note in study.notes:
        say(f"webecho: {note}")
    if output == "json":
        tables = {name: study.tables[name].to_pylist() for name in study.titles}
        facts = study.facts | {"sentences": list(study.sentences), "tables": tables}
        show(facts, None, "json")
        return
    if output == "csv":
        name = study.main if study.main in study.tables else next(iter(study.titles))
        say(f"webecho: CSV has one table, {name}; the others are in {folder}")
        show({}, study.tables[name], "csv")
        return
    shown = [name for name in study.titles if study.tables[name].num_rows]
    for name in shown:
        rows = study.short.get(name, study.tables[name])
        print_rows(readable(rows), study.titles[name])
        print()
    if study.facts:
        show(study.facts, None, "table")
        print()
    print("\n".join(plain(sentence) for sentence in study.sentences))


def readable(table: pa.Table) -> pa.Table:
    """A table with its shares as percentages, and bytes as people have them."""
    for at, name in enumerate(table.column_names):
        values = table[name].to_pylist()
        if pa.types.is_floating(table[name].type) and "share" in name:
            told = [None if share is None else f"{share:.1%}" for share in values]
            table = table.set_column(at, name.replace("share", "%", 1), pa.array(told))
        elif name == "bytes":
            told = [None if count is None else size(count) for count in values]
            table = table.set_column(at, "size", pa.array(told, pa.string()))
    return table
