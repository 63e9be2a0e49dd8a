"""How wide figures are."""

import pytest

from webecho.errors import SettingsError
from webecho.show.files.drawing import Drawing


def test_one_column_or_two() -> None:
    assert (Drawing().size[0], Drawing("two").size[0]) == (3.33, 7.0)
    assert Drawing().points < Drawing("two").points


def test_no_other_width() -> None:
    with pytest.raises(SettingsError, match="--width three: figures are one or two columns wide"):
        Drawing("three")  # type: ignore[arg-type]
