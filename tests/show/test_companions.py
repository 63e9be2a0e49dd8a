"""What a page goes with, line by line."""

from webecho.group.companions import Companion, Companions, Company
from webecho.show.companions import lines

PAIR = Companion(7, "http://b/", None, {"resemblance": 0.91, "estimated": False})


def test_who_and_with_whom() -> None:
    kept = Companion(3, "http://k/", None, {"rule": "similar", "resemblance": 0.9}, None)
    many = Company("pairs", "similar-0.8", 23, (PAIR,))
    found = Companions(1, "http://a/", None, False, kept, (many,))
    assert [*lines(found)] == [
        "#1  http://a/",
        "dedup: it was removed",
        "  went with  #3  http://k/: rule similar, resemblance 0.9",
        "pairs by similar-0.8: in pairs with 23 pages",
        "  #7  http://b/: resemblance 0.91",
        "  and 22 more",
    ]


def test_alone_or_nothing_known() -> None:
    alone = Companions(1, None, "x", True, None, (Company("pairs", "b-2", 0, ()),))
    assert [*lines(alone)][-1].startswith("it is alone")
    unknown = Companions(1, None, "x", None, None, ())
    assert [*lines(unknown)] == [
        "#1  x",
        "nothing was found here yet: find clusters or pairs, or dedup the collection",
    ]


def test_text_of_strangers_is_made_plain() -> None:
    odd = Companions(1, "http://a/\x1b[31m", None, None, None, ())
    assert "\x1b" not in "".join(lines(odd))
