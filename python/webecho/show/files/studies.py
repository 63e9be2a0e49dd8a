"""What a study leaves in a folder: its tables as Parquet, its figures as SVG and PNG, and
`study.json` with what else it found and how."""

import json
from pathlib import Path

from matplotlib.figure import Figure

from webecho.show.files.figures import Labels, lines, log_log, save
from webecho.study.result import Lines, LogLog, Study
from webecho.workspace.listed import LIST, write_list
from webecho.workspace.table_files import write_aside, write_table

ABOUT = "study.json"


def write_study(folder: Path, study: Study) -> list[Path]:
    """Writes the tables and figures of a study into a folder, beside `study.json`, and gives their
    files. What an earlier run left there and this one does not write goes: it is not true of this
    one."""
    (folder / LIST).unlink(missing_ok=True)
    about = folder / ABOUT
    before = json.loads(about.read_text(encoding="utf-8"))["files"] if about.is_file() else []
    files = {name: folder / f"{name}.parquet" for name in study.tables}
    for name, file in files.items():
        write_table(file, [study.tables[name]])
    written = [*files.values(), *draw_study(folder, study)]
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
    write_list(folder, [*written, about])
    return [*written, about]


def draw_study(folder: Path, study: Study) -> list[Path]:
    """Draws the figures of a study into a folder, as PNG and SVG, and gives their files."""
    written = []
    for name, figure in study.figures.items():
        written += save(drawn(figure), folder / name)
    return written


def drawn(figure: LogLog | Lines) -> Figure:
    labels = Labels(figure.title, figure.x, figure.y)
    if isinstance(figure, LogLog):
        return log_log(figure.counts, figure.line, labels)
    return lines(figure.series, labels)
