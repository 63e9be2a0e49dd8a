"""Guesses at why two pages differ, on pages made by hand."""

import pyarrow as pa
import pytest

from webecho import _core
from webecho.evaluation.guess.differences import guess, is_entry
from webecho.evaluation.label.page_text import PageText, changes, page_text_of
from webecho.evaluation.label.reasons import Judgement
from webecho.settings import HENZINGER_2006, WEBECHO, Recipe

ABOUT = " ".join(f"word{number}" for number in range(40))
URL = "http://www.example.com/page.html"


def read(html: str, url: str | None = URL, recipe: Recipe = WEBECHO) -> PageText:
    page = {"body": [html.encode()], "markup": [True], "charset": ["utf-8"], "url": [url]}
    batch = pa.record_batch(page, schema=SCHEMA)
    return page_text_of(_core.Sketcher(recipe.as_dict(), 1), batch, url)


SCHEMA = pa.schema(
    [
        ("body", pa.binary()),
        ("markup", pa.bool_()),
        ("charset", pa.string()),
        ("url", pa.string()),
    ]
)


def guessed(
    left: str, right: str, left_url: str = URL, right_url: str = URL, recipe: Recipe = WEBECHO
) -> Judgement:
    """The guess for two pages that have this between the same text."""
    pages = [
        read(f"<title>Page</title><p>{ABOUT}</p>\n{middle}\n<p>{ABOUT}</p>", url, recipe)
        for middle, url in ((left, left_url), (right, right_url))
    ]
    return guess(*pages, changes(*pages))


def reasons(left: str, right: str) -> tuple[str, ...]:
    return guessed(left, right).reasons


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Last updated 2018-01-26 15:11:04 PST", "Last updated 2015-10-29 14:44:28 PDT"),
        ("Sun Jul 1 12:00:00 2018", "Sun Jul 8 12:30:00 2018"),
        ("Posted on July 3, 2004", "Posted on June 14, 2004"),
        ("Today is Monday", "Today is Friday"),
        ("Stand: 03.12.2005", "Stand: 14.01.2006"),
        ("It is 10:15 pm", "It is 9:47 am"),
        ("It is 2004-01-01 10:00:03 now.", "It is 2004-01-02 11:09:58 now."),
        ("12/24/2005", "01/03/2006"),
        ("3 hours ago", "2 hours ago"),
        ("Copyright © 1999-2004 Example", "Copyright © 1999-2005 Example"),
        ("Thu, 01 Jan 2004 00:00:00 GMT", "Fri, 02 Jan 2004 07:12:44 GMT"),
        ("2004年1月2日", "2004年3月9日"),
        ("le 3 janvier 2005", "le 14 mars 2005"),
        ("modified March 2004", "modified April 2004"),
    ],
)
def test_time_stamps(left: str, right: str) -> None:
    assert reasons(left, right) == ("time-stamp",)
    # Whichever page comes first.
    assert reasons(right, left) == ("time-stamp",)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("price 12.30 EUR", "price 14.50 EUR"),
        ("chapter 3", "chapter 4"),
        ("the year 1984 by Orwell", "the year 2001 by Clarke"),
        ("call 555-0123", "call 555-0199"),
        ("the March of Time", "the April of Time"),
        ("room 101", "room 202"),
        ("a red chair", "a blue table"),
        ("commit 8c1f27ab90de4411", "commit 77aa0b1c2d3e4f50"),
        ("Reviews 12", "Reviews 15"),
        ("", "and a whole new sentence that nobody has seen before on this page of ours"),
    ],
)
def test_what_is_about_something_else(left: str, right: str) -> None:
    assert guessed(left, right) == Judgement("incorrect", ("main-item",))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Page generated in 0.123 seconds.", "Page generated in 1.077 seconds."),
        ("Execution time: 0.0421", "Execution time: 0.0388"),
        ("took 15 ms", "took 9 ms"),
        ("Seite erzeugt in 0,41 Sekunden", "Seite erzeugt in 0,39 Sekunden"),
        ("Results 1 - 10 found in 0.24 s", "Results 1 - 10 found in 0.31 s"),
        ("12 queries in 0.034 seconds", "14 queries in 0.029 seconds"),
    ],
)
def test_execution_times(left: str, right: str) -> None:
    assert reasons(left, right) == ("execution-time",)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "You are visitor number 10,482 of this page",
            "You are visitor number 10,511 of this page",
        ),
        ("Hits: 3021", "Hits: 3055"),
        ("This page was viewed 17 times", "This page was viewed 23 times"),
        ("41 guests online", "38 guests online"),
        ("Besucher: 1204", "Besucher: 1377"),
    ],
)
def test_visitor_counts(left: str, right: str) -> None:
    assert reasons(left, right) == ("visitor-count",)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Message-ID: 20040312.GA1123", "Message-ID: 20040317.GB2209"),
        ("&lt;4A5B.11@mail.example.org&gt;", "&lt;9F0C.87@mail.example.org&gt;"),
        ("message id 90213", "message id 90544"),
    ],
)
def test_message_ids(left: str, right: str) -> None:
    assert reasons(left, right) == ("message-id",)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("PHPSESSID=8c1f27ab90", "PHPSESSID=77aa0b1c2d"),
        ("session 4711a", "session 0815b"),
        ("sid: 1a2b3c4d", "sid: 9f8e7d6c"),
        ("ref 8c1f27ab90de4411bc23", "ref 77aa0b1c2d3e4f506172"),
    ],
)
def test_session_ids(left: str, right: str) -> None:
    assert reasons(left, right) == ("session-id",)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("served by web03", "served by web17"),
        ("Server: node4", "Server: node9"),
        ("server 12", "server 7"),
        ("You are on www3.example.com", "You are on www8.example.com"),
    ],
)
def test_server_names(left: str, right: str) -> None:
    assert reasons(left, right) == ("server-name",)


def test_own_addresses_in_the_text() -> None:
    # A parked domain: nothing but its name.
    for left, right in [
        ("first-shop.com is for sale", "othername.net is for sale"),
        ("Welcome to First Shop", "Welcome to Othername"),
        ("Firstshop", "Othername"),
    ]:
        found = guessed(left, right, "http://first-shop.com/", "http://www.othername.net/")
        assert found == Judgement("correct", ("url",)), left
    # The whole address of the page.
    found = guessed(
        "http://www.example.com/a/12.html",
        "http://www.example.com/b/77.html",
        "http://www.example.com/a/12.html",
        "http://www.example.com/b/77.html",
    )
    assert found == Judgement("correct", ("url",))


def test_an_item_that_is_named_in_the_address_is_still_an_item() -> None:
    found = guessed(
        "blue chair", "red table", "http://a.example/blue-chair", "http://a.example/red-table"
    )
    assert found == Judgement("incorrect", ("main-item",))
    # Nor is an address of another page one's own.
    assert reasons("see http://b.example/12", "see http://c.example/77") == ("main-item",)


def test_what_no_visitor_sees() -> None:
    assert reasons("<p hidden>one</p>", "<p hidden>two three</p>") == ("invisible",)
    assert reasons("<div style='display: none'>one</div>", "") == ("invisible",)
    assert reasons("<noscript>one</noscript>", "<noscript>two</noscript>") == ("invisible",)
    assert reasons("<!-- one -->", "<!-- two -->") == ("invisible",)
    assert guessed("<b>a</b>", "<i>a</i>").label == "correct"


def test_images_are_terms_only_by_a_recipe_that_has_them() -> None:
    layout = ("<img src='/spacer.gif'>", "<img src='/pixel.gif'>")
    assert guessed(*layout, recipe=HENZINGER_2006).reasons == ("invisible",)
    banner = ("<img src='http://ads.example/1.gif'>", "<img src='http://ads.example/2.gif'>")
    assert guessed(*banner, recipe=HENZINGER_2006).reasons == ("minor-item",)
    assert guessed(*banner).reasons == ("invisible",)


def test_forms_and_minor_items_are_undecided() -> None:
    form = ("<textarea>Dear Ada</textarea>", "<textarea>Dear Bob, hello</textarea>")
    assert guessed(*form) == Judgement("undecided", ("form",))
    menu = ("<select><option>one</select>", "<select><option>two</select>")
    assert guessed(*menu) == Judgement("undecided", ("form",))
    aside = ("<aside>joke of the day: a hen</aside>", "<aside>joke of the day: a cow</aside>")
    assert guessed(*aside) == Judgement("undecided", ("minor-item",))
    # A last line that is small against the page.
    pages = [read(f"<p>{ABOUT} {ABOUT} {ABOUT}</p><p>{last}") for last in ("Drink.", "Eat.")]
    assert guess(*pages, changes(*pages)) == Judgement("undecided", ("minor-item",))


def test_titles_and_headings_are_the_main_item() -> None:
    pages = [read(f"<title>{name}</title><p>{ABOUT}</p>") for name in ("Chairs", "Tables")]
    assert guess(*pages, changes(*pages)).reasons == ("main-item",)


def test_a_combination_is_several_reasons() -> None:
    found = guessed(
        "<p>2004-01-01 10:00</p><p>served by web03</p><p>Hits: 12</p>",
        "<p>2004-01-02 11:30</p><p>served by web17</p><p>Hits: 99</p>",
    )
    assert found == Judgement("correct", ("time-stamp", "visitor-count", "server-name"))
    # One thing that matters outweighs what does not, …
    for left, right in (("10:00", "11:30"), ("1.2.3", "1.3.0")):
        found = guessed(f"<p>{left}</p><p>chairs</p>", f"<p>{right}</p><p>tables</p>")
        assert found == Judgement("incorrect", ("main-item",))
    # … and one that may matter leaves it undecided, for that reason alone.
    form = "<textarea>{}</textarea>"
    found = guessed(f"10:00 {form.format('a')}", f"11:30 {form.format('b')}")
    assert found == Judgement("undecided", ("form",))


def test_entry_pages_of_one_site() -> None:
    entries = ("http://www.example.com/", "http://example.com/index.html")
    assert guessed("hot", "very new and hot", *entries) == Judgement("correct", ("entry-page",))
    others = ("http://www.example.com/", "http://www.other.com/")
    assert guessed("hot", "very new and hot", *others).reasons == ("main-item",)
    assert [is_entry(url) for url in ("http://a.example", "http://a.example/Default.aspx")] == [
        True,
        True,
    ]
    for url in (None, "http://a.example/shop/", "http://a.example/?id=1", "a.example"):
        assert not is_entry(url)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("kafka 0.10.0.1 API", "kafka 0.11.0.1 API"),
        ("version 1.2.3", "version 1.10.12"),
        ("(kafka 2.4.1 API)", "(kafka 2.7.0 API)"),
        ("kafka 0.11.0.2", "kafka 2.0.0"),
    ],
)
def test_version_numbers_are_no_other_item_and_not_harmless(left: str, right: str) -> None:
    assert guessed(left, right) == Judgement("undecided", ("other",))
    assert guessed(right, left) == Judgement("undecided", ("other",))


def test_the_same_words_in_another_order() -> None:
    found = guessed("<p>alpha beta</p><p>gamma</p>", "<p>gamma</p><p>alpha beta</p>")
    assert found == Judgement("undecided", ("other",))


def test_pages_that_cannot_be_read() -> None:
    gone = PageText(URL, gone="moved away")
    assert guess(gone, read("a"), []) == Judgement("undecided", ("cannot-evaluate",))


def test_any_text_is_guessed_at_and_in_no_long_time() -> None:
    long = "9" * 300_000
    for left, right in [
        (long, long[1:]),
        ("1" + ":1" * 100_000, "2" + ":2" * 100_000),
        ("a " * 100_000, "b " * 100_000),
        ("\u202e" * 1000 + "a", "b"),
        (" " * 100_000 + "Jul" + " " * 100_000 + "1", " " * 100_000 + "Jul" + " " * 100_000 + "2"),
        ("Jan " * 5000, "Feb " * 5000),
    ]:
        assert guessed(left, right).label in ("correct", "incorrect", "undecided")
