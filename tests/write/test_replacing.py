"""What takes the place of a copy, case by case."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.read.archives import http, record, saved
from tests.write.revisited import BODY, page
from webecho.write.replacing import Replacing
from webecho.write.selection import Original, Stretch

ORIGINAL = page(1, http(BODY))
OTHERS = record(
    "revisit",
    http(b""),
    record_id="<urn:uuid:9>",
    target_uri="http://a/9",
    refers_to="<urn:uuid:gone>",
    refers_to_date="2001-01-01T00:00:00Z",
)


@pytest.fixture
def replacing() -> Iterator[Replacing]:
    with closing(Replacing()) as made:
        yield made


def copy_of(folder: Path, **more: bool) -> Stretch:
    file = saved(folder, "a.warc", ORIGINAL)
    return Stretch(7, 7, 1, False, alone=True, original=Original(file, 0, **more))


def test_a_copy_becomes_a_revisit(tmp_path: Path, replacing: Replacing) -> None:
    made = replacing.replace(copy_of(tmp_path), page(2, http(BODY)))
    assert made is not None
    assert b"WARC-Refers-To: <urn:uuid:00000001>\r\n" in made
    assert b"Container" not in made
    assert (replacing.revisits, replacing.in_full, replacing.repeated) == (1, [], 0)


def test_an_original_of_an_earlier_collection_has_a_container(
    tmp_path: Path, replacing: Replacing
) -> None:
    file = saved(tmp_path, "a.warc", ORIGINAL)
    stretch = Stretch(7, 7, 1, False, True, Original(file, 0, "a b.warc.gz"))
    made = replacing.replace(stretch, page(2, http(BODY)))
    assert made is not None
    assert b"WARC-Refers-To-Container: file://a%20b.warc.gz\r\n" in made


@pytest.mark.parametrize(
    "data", [page(2, http(b"other")), page(2, http(BODY), eol="\n"), None], ids=str
)
def test_what_no_revisit_can_stand_for_is_kept(
    tmp_path: Path, replacing: Replacing, data: bytes | None
) -> None:
    replacing.base = 100
    assert replacing.replace(copy_of(tmp_path), data) == data
    assert (replacing.revisits, replacing.in_full) == (0, [107])


def test_an_original_that_is_not_there_any_more(tmp_path: Path, replacing: Replacing) -> None:
    copy = page(2, http(BODY))
    for file in (None, str(tmp_path / "nowhere.warc")):
        stretch = Stretch(7, 7, 1, False, alone=True, original=Original(file, 0))
        assert replacing.replace(stretch, copy) == copy
    assert replacing.in_full == [7, 7]


def test_the_very_record_goes(tmp_path: Path, replacing: Replacing) -> None:
    assert replacing.replace(copy_of(tmp_path), ORIGINAL) is None
    assert (replacing.revisits, replacing.repeated) == (0, 1)


def test_a_revisit_whose_original_stays_is_as_it_was(tmp_path: Path, replacing: Replacing) -> None:
    assert replacing.replace(copy_of(tmp_path, stands=True), OTHERS) == OTHERS
    assert replacing.revisits == 1


def test_a_revisit_whose_original_goes_becomes_one_of_what_stays(
    tmp_path: Path, replacing: Replacing
) -> None:
    made = replacing.replace(copy_of(tmp_path), OTHERS)
    assert made is not None
    assert b"WARC-Refers-To: <urn:uuid:00000001>\r\n" in made
    assert b"WARC-Refers-To-Target-URI: http://a/1\r\n" in made
    # What it said is still to be read.
    assert b"Webecho-Was: WARC-Refers-To: <urn:uuid:gone>\r\n" in made
    assert made.count(b"\r\nWARC-Refers-To-Date: ") == 1
    # One of ours keeps what brings its record back.
    ours = replacing.replace(copy_of(tmp_path), page(2, http(BODY)))
    assert ours is not None
    again = replacing.replace(copy_of(tmp_path), ours)
    assert again == ours


def test_a_revisit_in_bad_order_is_left_as_it_is(tmp_path: Path, replacing: Replacing) -> None:
    bad = OTHERS.replace(b"\r\nWARC-Refers-To:", b"\r\n folded\r\nWARC-Refers-To:")
    assert replacing.replace(copy_of(tmp_path), bad) == bad
