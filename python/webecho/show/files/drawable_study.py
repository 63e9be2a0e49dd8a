"""A study as Python users have it: with its figures at hand."""

from dataclasses import fields
from pathlib import Path

from webecho.errors import in_python
from webecho.study.result import Study


class DrawableStudy(Study):
    """What a study found, and how to draw it."""

    def draw(self, folder: Path) -> list[Path]:
        """Draws the figures into a folder, as PNG and SVG, and gives their files."""
        # Drawing takes a second to load.
        from webecho.show.files.studies import draw_study

        return draw_study(folder, self)


def drawable(study: Study) -> DrawableStudy:
    """The same study, which can be drawn, with notes for Python programs."""
    values = {each.name: getattr(study, each.name) for each in fields(study)}
    return DrawableStudy(**values | {"notes": tuple(in_python(study.notes))})
