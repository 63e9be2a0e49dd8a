"""What a study leaves in a folder, and `study.json` with what else it found and how."""

from pathlib import Path

from webecho.show.files.contents import Contents, write_contents
from webecho.show.files.drawing import Drawing
from webecho.study.result import Study


def write_study(folder: Path, study: Study, drawing: Drawing) -> list[Path]:
    """Writes a study into a folder, and gives the files."""
    return write_contents(folder, study_contents(study), drawing)


def study_contents(study: Study) -> Contents:
    return Contents(
        tables=study.tables,
        captions=study.titles | study.captions,
        figures=study.figures,
        curves=study.curves or study.collections,
        made_of=study.made_of,
        files=study.files,
        about={
            "study": study.name,
            "collections": study.collections,
            "made of": study.made_of,
            "recipes": study.recipes,
            "settings": study.settings,
            "facts": study.facts,
            "sentences": study.sentences,
            "notes": study.notes,
        },
    )
