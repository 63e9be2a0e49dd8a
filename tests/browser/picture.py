"""The picture of the labelling page that the documentation shows, with the words on it beside."""

import io
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.browser.conftest import Starter
from tests.evaluation.made_pairs import sketched, with_pairs

FILE = Path(__file__).parents[2] / "docs" / "label.png"
SIZE = {"width": 1280, "height": 800}
# What the words are called in the file.
WORDS = "Description"

_STORY = (
    "The harbour council decided on Tuesday to reopen the old lighthouse on the northern pier. It "
    "has been closed since a storm broke its lantern, and the keeper's stairs were found to be "
    "unsafe. Three firms have offered to repair the stairs, and the lowest bid is a little below "
    "what the town had put aside for it.",
    "The lantern itself will not turn again. In its place a lamp of the kind that ships have used "
    "for twenty years will be set, which needs neither oil nor a keeper. Visitors will be let up "
    "on Saturdays, at most twelve at a time, and children only with somebody who holds their hand.",
    'Not all are pleased. "A lighthouse that is a museum is a chimney," said the last keeper, who '
    "is eighty-one and has climbed the stairs more often than anyone alive.",
)
_ADDRESS = "http://www.harbour-gazette.example/town/lighthouse.html"


def _page(title: str, day: str, views: str, seconds: str) -> bytes:
    story = "".join(f"<p>{paragraph}" for paragraph in _STORY)
    return (
        f"<title>{title}</title><p>Home Town Harbour Weather Letters Archive<h1>{title}</h1>"
        f"<p>Last updated: {day}{story}<p>This page was viewed {views} times."
        f"<p>Harbour Gazette. Page generated in {seconds} seconds by the town"
    ).encode()


def pictured(browser: Any, folder: Path, label: Starter) -> tuple[bytes, str]:
    """The labelling page at the second of three pairs, as PNG, and the words on it."""
    lighthouse = "Old lighthouse to be opened again"
    pages = [
        (_ADDRESS, _page(lighthouse, "Tuesday, 3 March 2026, 18:04", "1,204", "0.031")),
        (
            f"{_ADDRESS}?from=letters",
            _page(lighthouse, "Wednesday, 4 March 2026, 07:31", "1,377", "0.027"),
        ),
        (_ADDRESS.replace("light", "customs-"), _page("Customs house sold", "May", "9", "0.1")),
    ]
    workspace = sketched(folder, pages)
    with_pairs(workspace, "b-2", [(*pair, 2, 360, True) for pair in ((0, 1), (0, 2), (1, 2))])
    started = label(workspace.path, "--sample", 3, "--labeller", "ada")
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(started.address)
    page.wait_for_selector('body[data-number="1"]')
    page.keyboard.press("Enter")
    page.wait_for_selector('body[data-number="2"]')
    return page.screenshot(), page.inner_text("body")


def record(browser: Any, folder: Path, label: Starter) -> None:
    """Writes the picture of today, and the words on it."""
    image, words = pictured(browser, folder, label)
    about = PngInfo()
    about.add_itxt(WORDS, words)
    Image.open(io.BytesIO(image)).save(FILE, optimize=True, pnginfo=about)


def recorded_words() -> str:
    """The words on the picture that the documentation shows."""
    with Image.open(FILE) as image:
        return str(image.info.get(WORDS, ""))
