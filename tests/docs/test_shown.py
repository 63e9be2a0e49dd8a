"""What is compared of what pages show, and how it is renewed."""

from pathlib import Path

import pytest

from tests.docs.block import Block, blocks, commands
from tests.docs.shown import agrees, printed, renewed

FOUND = ["read  10", "kept  7", "", "seconds  0.3", "The rows", "a  1", "b  2", "c  3"]


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        (FOUND, True),
        (FOUND[:-1], False),
        ([], False),
        (["…"], True),
        (["read  10", "…"], True),
        (["…", "c  3"], True),
        (["…", "b  2"], False),
        (["kept  7", "…"], False),
        (["read  10", "…", "The rows", "a  1", "…", "c  3"], True),
        (["read  10", "…", "The rows", "b  2", "…"], False),
        (["…", "a  1", "…", "kept  7", "…"], False),
        # What differs from run to run.
        ([*FOUND[:3], "seconds  99.9", *FOUND[4:]], True),
        ([*FOUND[:3], "minutes  0.3", *FOUND[4:]], False),
    ],
)
def test_what_is_left_out_may_be_anything(shown: list[str], right: bool) -> None:
    assert agrees(shown, FOUND) is right


def test_nothing_is_printed_where_nothing_is_shown() -> None:
    assert agrees([], []) and agrees(["…"], [])
    assert not agrees(["one"], [])


def test_lines_that_come_if_it_takes_long_are_no_output() -> None:
    assert printed("\nreading: 100 pages, 2.0 MB, 9 pages/s, 1 MB/s\nkept  7 \n\n") == ["kept  7"]


def test_all_is_renewed_where_nothing_is_left_out() -> None:
    assert renewed(["old"], FOUND) == FOUND
    assert renewed([], FOUND) == FOUND


def test_what_is_left_out_stays_left_out() -> None:
    old = ["read  9", "…", "The rows", "a  4", "b  5", "…"]
    assert renewed(old, FOUND) == ["read  10", "…", *FOUND[4:7], "…"]
    assert agrees(renewed(old, FOUND), FOUND)


def test_nothing_changes_where_only_times_did() -> None:
    old = [line.replace("0.3", "7.7") for line in FOUND]
    assert renewed(old, FOUND) == old


PAGE = """
<!-- not run: it is an example -->
```sh
one
```

```console
$ first \\
    --option
printed
$ second
```
"""


def test_blocks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    one, two = blocks(page)
    assert (one.reason, one.understood, one.first) == ("it is an example", True, 4)
    assert [(each.text, each.shown) for each in commands(two)] == [
        ("first \\\n    --option", ("printed",)),
        ("second", ()),
    ]


@pytest.mark.parametrize(
    ("comment", "understood"),
    [
        ("", True),
        ("real pages", True),
        ("real pages, soak: it takes long", True),
        ("soak: it takes long", True),
        ("exits with 1", True),
        ("soak: ", False),
        ("run it later", False),
    ],
)
def test_comments_that_nobody_knows(comment: str, understood: bool) -> None:
    assert Block(Path(), 1, "sh", (), comment).understood is understood
