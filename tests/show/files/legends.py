"""What the legend of a figure says."""

from typing import Any


def labels(figure: Any) -> list[str]:
    [legend] = figure.legends
    return [text.get_text() for text in legend.get_texts()]
