"""The labelling page in a real browser: by keyboard, with hostile pages, through crashes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Starter
from tests.evaluation.made_pairs import lines, sketched, with_pairs
from webecho import _core
from webecho.evaluation.label.labels import read_labels, standing
from webecho.evaluation.label.reasons import MEANINGS, REASONS
from webecho.workspace.workspace import Workspace

pytestmark = pytest.mark.browser

TEXT = " ".join(f"word{number}" for number in range(60))
Said = dict[int, tuple[str | None, list[str]]]


class Opened:
    """The page in a browser of its own, with all that it asks for and complains of."""

    def __init__(self, browser: Any, address: str) -> None:
        self.context = browser.new_context(viewport={"width": 1300, "height": 800})
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))
        self.page.goto(address)
        self.at(None)

    def at(self, number: int | None) -> None:
        """Waits until the page shows a pair."""
        which = "" if number is None else f'="{number}"'
        self.page.wait_for_selector(f"body[data-number{which}]")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def status(self, text: str) -> None:
        """Waits until the page says this."""
        self.page.wait_for_function(
            "text => document.getElementById('status').textContent.includes(text)", arg=text
        )

    def progress(self) -> str:
        return str(self.page.inner_text("#progress"))

    def shown(self, side: str) -> str:
        return str(self.page.text_content(f"#{side} .text"))


@pytest.fixture
def browse(chromium: Any) -> Iterator[Callable[[str], Opened]]:
    opened: list[Opened] = []

    def open_page(address: str) -> Opened:
        opened.append(Opened(chromium, address))
        return opened[-1]

    yield open_page
    for each in opened:
        each.context.close()


@pytest.fixture
def crawl(tmp_path: Path) -> Workspace:
    """Twelve pairs: page 0 with each of 1 to 12, which differ from it in one word."""
    pages = [(f"http://a.example/{number}", page(number)) for number in range(13)]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, number, 2, 360, True) for number in range(1, 13)])
    return workspace


def page(number: int) -> bytes:
    return f"<title>Page</title><p>{TEXT}<h1>Item{number}</h1><p>{TEXT}".encode()


def said(workspace: Workspace, labeller: str = "ada") -> Said:
    """What holds now, by the right page of the pair."""
    found = standing(read_labels(workspace.files.labels).labels)
    return {
        right: (by[labeller].label, list(by[labeller].reasons)) for (_, right), by in found.items()
    }


def test_ten_pairs_by_keyboard_undo_reload_and_go_on(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    assert opened.progress() == "pair 1 of 12 · 0 labelled"
    # The guess is that the main item differs, and Enter confirms what is chosen.
    keys = ["Enter", "1", "2", "3", ["t", "Enter"], ["t", "e", "1"], ["f", "x", "3"], "2", "1", "3"]
    for number, pressed in enumerate(keys, 1):
        opened.at(number)
        opened.press(*([pressed] if isinstance(pressed, str) else pressed))
        opened.status(f"saved: pair {number} ")
    opened.at(11)
    assert opened.progress() == "pair 11 of 12 · 10 labelled"
    written = lines(crawl.files.labels)
    assert [(line["label"], line["reasons"]) for line in written] == [
        ("incorrect", ["main-item"]),
        ("correct", []),
        ("incorrect", ["main-item"]),
        ("undecided", []),
        ("correct", ["time-stamp"]),
        ("correct", ["time-stamp", "execution-time"]),
        ("undecided", ["form", "cannot-evaluate"]),
        ("incorrect", ["main-item"]),
        ("correct", []),
        ("undecided", []),
    ]
    assert {line["labeller"] for line in written} == {"ada"}
    assert {line["left_url"] for line in written} == {"http://a.example/0"}

    opened.press("z")
    opened.status("undone: pair 10")
    opened.at(10)
    assert opened.progress() == "pair 10 of 12 · 9 labelled"
    assert lines(crawl.files.labels)[-1]["label"] is None
    assert len(said(crawl)) == 9

    # What is chosen but not saved is gone after a reload; the labels are not.
    opened.press("i")
    opened.page.reload()
    opened.at(10)
    assert opened.progress() == "pair 10 of 12 · 9 labelled"
    opened.press("ArrowLeft")
    opened.at(9)
    assert opened.page.inner_text("#guess") == "your label: correct"
    # A second label of a pair holds, and undoing it brings the first back.
    opened.press("s", "1")
    opened.status("saved: pair 9 is correct (session id)")
    right = lines(crawl.files.labels)[-1]["right"]
    assert said(crawl)[right] == ("correct", ["session-id"])
    opened.press("z")
    opened.status("undone: pair 9")
    assert said(crawl)[right] == ("correct", [])

    opened.press("g")
    opened.at(10)
    opened.press("w")
    opened.page.keyboard.type("z1 is no key here")
    opened.press("Enter", "1")
    opened.status("saved: pair 10 ")
    assert lines(crawl.files.labels)[-1]["note"] == "z1 is no key here"
    for number in (11, 12):
        opened.at(number)
        opened.press("Enter")
        opened.status(f"saved: pair {number} ")
    opened.status("All pairs are labelled.")
    assert len(said(crawl)) == 12
    assert opened.complaints == []


def test_another_labeller_has_labels_of_their_own(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    for labeller, key in (("ada", "1"), ("bob", "2")):
        opened = browse(label(crawl.path, "--sample", 12, "--labeller", labeller).address)
        assert opened.progress() == "pair 1 of 12 · 0 labelled"
        opened.press(key)
        opened.status("saved: pair 1 ")
    assert [*said(crawl, "ada").values()] == [("correct", [])]
    assert [*said(crawl, "bob").values()] == [("incorrect", ["main-item"])]


def test_a_label_is_on_disk_when_the_page_says_so(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    server = label(crawl.path, "--sample", 12, "--labeller", "ada")
    opened = browse(server.address)
    opened.press("m", "Enter")
    opened.status("saved: pair 1 is correct (message id)")
    server.kill()
    assert [*said(crawl).values()] == [("correct", ["message-id"])]
    # Nobody answers now, and the page says so instead of going on.
    opened.press("1")
    opened.status("NOT SAVED")
    opened.at(2)
    assert len(said(crawl)) == 1
    # The same command goes on with the second pair.
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    assert opened.progress() == "pair 2 of 12 · 1 labelled"


SCRIPT = "<script>document.title='owned';window.owned=1;fetch('http://evil.example/')</script>"
IMAGE = "<img src='http://evil.example/x.gif' onerror='window.owned=1'>"
# RIGHT-TO-LEFT OVERRIDE and its like; the words after it would be shown backwards.
BIDI = "user\u202etxt.exe\u2066 \u200f end"
ESCAPED = (SCRIPT + IMAGE).replace("<", "&lt;")


@pytest.fixture
def hostile(tmp_path: Path) -> Workspace:
    """A harmless page, and four that try what a page can."""
    long = " ".join(f"long{number}" for number in range(500_000))
    pages = [
        ("http://a.example/", page(0)),
        (f"http://b.example/\"'>{SCRIPT}", f"{SCRIPT}{IMAGE}<p>{TEXT} {ESCAPED}".encode()),
        (f"http://c.example/{BIDI}", f"<meta charset=utf-8><p>{TEXT} {BIDI} {TEXT}".encode()),
        ("http://d.example/", f"<p>{TEXT} {long}</p>".encode()),
        ("http://e.example/", b"<p>broken \xff\xfe\xc3\x28 \xf0\x9f\x98 caf\xe9 </p>" + page(0)),
    ]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, number, 2, 360, False) for number in range(1, 5)])
    return workspace


def test_hostile_pages_are_text_and_change_nothing(
    hostile: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    server = label(hostile.path, "--sample", 4, "--labeller", "ada")
    opened = browse(server.address)
    texts: dict[str, str] = {}
    for number in range(1, 5):
        opened.at(number)
        url = opened.page.text_content("#right .url")
        texts[url[:16]] = opened.shown("right")
        assert opened.page.evaluate("window.owned") is None
        assert opened.page.title() == "webecho label"
        # Nothing in the page but what its own script makes of text.
        inside = "[...document.querySelectorAll('main *')].map(element => element.localName)"
        found = set(opened.page.evaluate(inside))
        assert found <= {"section", "h2", "p", "div", "span", "mark", "button", "a"}
        links = "[...document.querySelectorAll('a')].map(link => [link.protocol, link.rel])"
        assert {*map(tuple, opened.page.evaluate(links))} <= {("http:", "noopener noreferrer")}
        assert opened.page.evaluate("document.scripts.length") == 2
        opened.press("ArrowRight")
    assert SCRIPT in texts["http://b.example"] and IMAGE in texts["http://b.example"]
    assert "userRLOtxt.exeLRI RLM end" in texts["http://c.example"]
    # 5 MB are not sent at once, but can be asked for.
    assert len(texts["http://d.example"]) < 60_000
    assert "characters more" in texts["http://d.example"]
    broken = _core.Sketcher(hostile.recipe.as_dict(), 1).text(
        b"<p>broken \xff\xfe\xc3\x28 \xf0\x9f\x98 caf\xe9 </p>" + page(0), True, None
    )
    assert broken.split("\n")[0].strip() in texts["http://e.example"]
    everything = opened.page.evaluate("document.documentElement.textContent")
    assert not {"\u202e", "\u2066", "\u200f"} & set(everything)

    number = next(n for n in range(1, 5) if go_to(opened, n).startswith("http://d.example"))
    before = len(opened.shown("right"))
    opened.press("+")
    opened.page.wait_for_function(
        "before => document.querySelector('#right .text').textContent.length > before + 15000",
        arg=before,
    )
    opened.press("x", "Enter")
    opened.status(f"saved: pair {number} is undecided (cannot evaluate)")
    assert [line["label"] for line in lines(hostile.files.labels)] == ["undecided"]
    # No request left this machine, nor went to any other server on it.
    assert {request.split("/")[2] for request in opened.requests} == {f"127.0.0.1:{server.port}"}
    assert opened.complaints == []


def go_to(opened: Opened, number: int) -> str:
    """Shows a pair, and gives the address of its right page."""
    while (now := int(opened.page.get_attribute("body", "data-number"))) != number:
        opened.press("ArrowRight" if now < number else "ArrowLeft")
        opened.at(now + 1 if now < number else now - 1)
    return str(opened.page.text_content("#right .url"))


def test_differences_are_marked_on_both_sides(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    assert opened.page.inner_text("#left .change") == "Item0"
    assert opened.page.inner_text("#right .change").startswith("Item")
    assert opened.page.inner_text("#left .url mark") == "0"
    assert "current" in opened.page.get_attribute("#left .change", "class")


@pytest.mark.parametrize("width", [800, 1280])
def test_all_of_it_is_seen_in_a_small_window(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened], width: int
) -> None:
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    opened.page.set_viewport_size({"width": width, "height": 600})
    # Nothing runs out of the window, and half of it is left for the pages, side by side.
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    for button in opened.page.query_selector_all("footer button"):
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 600
    left, right = (opened.page.query_selector(f"#{side} .text") for side in ("left", "right"))
    boxes = left.bounding_box(), right.bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    assert min(box["height"] for box in boxes) >= 300
    assert min(box["width"] for box in boxes) >= width / 2 - 10


def test_labels_and_reasons_say_what_they_mean(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    for reason in REASONS:
        button = opened.page.query_selector(f'[data-reason="{reason.code}"]')
        assert button.get_attribute("title") == f"{reason.name}: {reason.meaning}"
    assert MEANINGS["correct"] in opened.page.get_attribute('[data-label="correct"]', "title")
    assert not opened.page.is_visible("#meanings")
    opened.press("?")
    assert MEANINGS["undecided"] in opened.page.inner_text("#meanings")
    opened.press("Escape")
    assert not opened.page.is_visible("#meanings")


def test_who_labels_blind_is_told_no_guess(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    running = label(crawl.path, "--sample", 12, "--labeller", "ada", "--blind")
    opened = browse(running.address)
    assert opened.page.inner_text("#guess") == ""
    assert opened.page.query_selector('[aria-pressed="true"]') is None
    # Not even in what the browser is sent.
    shown = opened.page.evaluate("fetch('pair/1').then((answer) => answer.json())")
    assert shown["guess"] is None
    opened.press("Enter")
    opened.status("choose a label first")
    assert not crawl.files.labels.is_file()
    opened.press("1")
    opened.status("saved: pair 1 is correct")


def test_links_open_elsewhere_and_only_by_intent(
    crawl: Workspace, label: Starter, browse: Callable[[str], Opened]
) -> None:
    opened = browse(label(crawl.path, "--sample", 12, "--labeller", "ada").address)
    here = opened.page.url
    link = opened.page.query_selector("#left .url a")
    assert link.get_attribute("href") == "http://a.example/0"
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert link.get_attribute("target") == "_blank"
    link.click()
    opened.status("not opened")
    link.focus()
    opened.press("Enter")
    assert opened.page.url == here and len(opened.context.pages) == 1
    assert not any("a.example" in each for each in opened.requests)
    with opened.context.expect_page() as found:
        link.click(modifiers=["Control"])
    # Nobody is called a.example, so that there is nothing to see in the other tab.
    found.value.wait_for_load_state()
    assert found.value.evaluate("window.opener") is None
    assert opened.page.url == here and len(opened.context.pages) == 2
