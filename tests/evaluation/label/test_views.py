"""What a labeller sees: text with differences marked, odd characters by name, the rest cut."""

import random
from typing import Any

from tests.evaluation.guess.test_differences import read
from webecho.evaluation.label.page_text import changes
from webecho.evaluation.label.views import Segment, Sheet, part, sheet, view, visible
from webecho.settings import HENZINGER_2006


def sheets(left: str, right: str, **how: Any) -> tuple[Sheet, Sheet]:
    pages = read(left, **how), read(right, **how)
    found = changes(*pages)
    return sheet(pages[0], found, "left"), sheet(pages[1], found, "right")


def text(segments: list[Segment]) -> str:
    """The segments as one line, what differs in brackets."""
    told = []
    for each in segments:
        if "gap" in each:
            told.append(f"<{each['gap'][1] - each['gap'][0]}, {each['changes']}>")
        elif "change" in each:
            told.append(f"[{each['change']}:{each['text']}]")
        else:
            told.append(each["text"])
    return "".join(told)


def test_what_differs_is_marked_with_its_punctuation() -> None:
    left, right = sheets("<p>A (quick, brown) fox.", "<p>A slow fox, again!")
    assert text(view(left)) == "A ([0:quick, brown]) fox[1:]."
    assert text(view(right)) == "A [0:slow] fox, [1:again]!"


def test_white_space_is_no_more_than_is_needed() -> None:
    left, _ = sheets("<p>\n\n  a \t b</p>\n\n\n<div><p>c</p></div>", "<p>a b c")
    assert text(view(left)) == "a b\n\nc\n"


def test_odd_characters_are_shown_by_name_and_never_as_they_are() -> None:
    odd = "a\u202eb\u2066c\u200bd\u0007e\u00adf\u200dg\ufeffh\U000e0041i"
    left, _ = sheets(f"<meta charset=utf-8><p>{odd}", "<p>x")
    segments = view(left)
    assert [each["text"] for each in segments if each.get("odd")] == [
        *("RLO", "LRI", "ZWSP", "␇", "BOM", "U+E0041")
    ]
    # Soft hyphens and joiners belong to words.
    assert "".join(each["text"] for each in segments if not each.get("odd")) == (
        "abcde\u00adf\u200dghi"
    )
    assert visible("a\u202eb\nc\u0000") == "a⟦RLO⟧b c⟦␀⟧"


def test_images_stand_where_they_are() -> None:
    left, right = sheets(
        "<p>before <img src='/a.gif'> after",
        "<p>before <img src='/b.gif'> after",
        recipe=HENZINGER_2006,
    )
    assert text(view(left)) == "before [0:a.gif] after"
    assert [each for each in view(right) if each.get("image")] == [
        {"change": 0, "image": True, "text": "b.gif"}
    ]


def test_long_texts_are_cut_around_what_differs_and_can_be_had() -> None:
    words = [f"word{number}" for number in range(5000)]
    left, right = sheets(
        f"<p>{' '.join(words)}", f"<p>{' '.join([*words[:3000], 'new', *words[3000:]])}"
    )
    segments = view(right)
    shown = text(segments)
    assert shown.startswith("word0 word1 ") and " [0:new] word3000 " in shown
    gaps = [each for each in segments if "gap" in each]
    assert [each["changes"] for each in gaps] == [0, 0]
    # Gaps begin and end at white space, and all together is the page.
    whole = right.page.text
    kept = 0
    for each in segments:
        if "gap" in each:
            start, end = each["gap"]
            assert (
                start == kept
                and whole[start].isspace()
                and (end == len(whole) or whole[end].isspace())
            )
            assert text(part(right, start, end)) == whole[start:end]
            kept = end
        else:
            kept += len(each["text"])
    assert kept == len(whole)
    assert len(shown) < 3000
    assert text(view(left)).count("[0:]") == 1


def test_a_change_of_any_length_is_cut_too() -> None:
    long = " ".join(f"long{number}" for number in range(300_000))
    _, right = sheets("<p>one two three", f"<p>one {long} two three")
    segments = view(right)
    [gap] = [each for each in segments if "gap" in each]
    assert sum(len(each.get("text", "")) for each in segments) < 5000
    start, _ = gap["gap"]
    [inside] = part(right, start, start + 1000)
    assert inside["change"] == 0 and len(inside["text"]) > 990


def test_any_part_of_any_page_is_its_text() -> None:
    chance = random.Random(3)
    for _ in range(200):
        alphabet = ["a", "b", "c", "d"]
        texts = [" ".join(chance.choices(alphabet, k=chance.randrange(30))) for _ in range(2)]
        for each in sheets(*texts):
            whole = each.page.text
            start, end = sorted(chance.choices(range(len(whole) + 1), k=2))
            found = part(each, start, end)
            assert "".join(segment["text"] for segment in found) == whole[start:end]
            # Every change is somewhere in the whole.
            everything = {s["change"] for s in part(each, 0, len(whole)) if "change" in s}
            assert everything == {*range(len(each.spans))}
