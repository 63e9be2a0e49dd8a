"""The picture of the labelling page in the documentation is one of today's page."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser.conftest import Starter
from tests.browser.picture import FILE, SIZE, pictured, recorded_words

pytestmark = pytest.mark.browser


def test_the_documentation_shows_the_page_as_it_is(
    tmp_path: Path, chromium: Any, label: Starter
) -> None:
    image, words = pictured(chromium, tmp_path, label)
    # Letters look otherwise where other fonts are installed, so only the words are compared.
    assert recorded_words() == words, "python -m tests.browser draws it anew"
    with Image.open(FILE) as shown, Image.open(io.BytesIO(image)) as now:
        assert shown.size == now.size == (SIZE["width"], SIZE["height"])
