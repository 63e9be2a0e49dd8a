"""*Drawing*: how figures are drawn: for one column of a page or for two, and whether with a title,
which papers have in the caption."""

from dataclasses import dataclass
from typing import Literal, get_args

from webecho.errors import SettingsError, setting

Width = Literal["one", "two"]


@dataclass(frozen=True)
class Drawing:
    """The columns that figures are wide, and whether they carry their titles."""

    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        if self.width not in get_args(Width):
            raise SettingsError(
                setting("width").to(self.width, repr(self.width)),
                ": figures are one or two columns wide",
            )

    @property
    def size(self) -> tuple[float, float]:
        """Inches; the columns are those of ACM's proceedings, and a little less than IEEE's."""
        return (3.33, 2.3) if self.width == "one" else (7.0, 3.4)

    @property
    def points(self) -> float:
        """The size of the text."""
        return 7.5 if self.width == "one" else 9.0
