import io
from contextlib import closing
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from tests.read.archives import (
    ALL,
    INFO,
    ONE,
    PLACES,
    REQUEST,
    THREE,
    TWO,
    gzipped,
    http,
    record,
    response,
    saved,
)
from tests.write.keeping import keep, opened, places_of
from webecho.formats.cdxj import Moved
from webecho.formats.records import Noted, layout_of
from webecho.formats.scan import Start
from webecho.write.archive import HEAD, Copying, fates, portions
from webecho.write.selection import Stretch


def start(place: int) -> Start:
    return Start(place, place, 0, clean=True)


def copied(data: bytes, stretches: list[Stretch] | None) -> tuple[bytes, Copying]:
    def opened() -> io.BytesIO:
        return io.BytesIO(data)

    out = io.BytesIO()
    with closing(Copying(opened, layout_of(opened()), Noted(), out)) as copying:
        copying.copy(stretches)
    return out.getvalue(), copying


def test_each_record_has_the_stretch_it_belongs_to() -> None:
    first, second = Stretch(10, 20, 2, stays=False), Stretch(30, 30, 1, stays=True)
    found = fates([start(place) for place in (0, 10, 20, 30, 40)], [first, second])
    assert [stretch for _, stretch in found] == [HEAD, first, first, second, second]


def test_without_stretches_all_is_copied_as_it_is() -> None:
    data = gzipped(*ALL) + b"and what is no record"
    made, copying = copied(data, None)
    assert (made, copying.moved) == (data, [Moved(0, 0, len(data))])


def test_what_stays_moves_to_where_the_gap_was() -> None:
    gone = Stretch(PLACES[1], PLACES[2], 2, stays=False)
    made, copying = copied(b"".join(ALL), [gone, Stretch(PLACES[3], PLACES[4], 2, stays=True)])
    assert made == INFO + TWO + THREE
    assert copying.moved == [
        Moved(0, 0, len(INFO)),
        Moved(PLACES[3], len(INFO), len(TWO + THREE)),
    ]
    assert (copying.lost, copying.rewritten) == ([], [])


def test_a_frame_of_which_a_part_goes_is_written_anew() -> None:
    data = gzipped(INFO, REQUEST + ONE, TWO)
    second = len(gzipped(INFO))
    third = len(gzipped(INFO, REQUEST + ONE))
    gone = Stretch(second, second, 1, stays=False)
    made, copying = copied(data, [gone, Stretch(second + 1, third, 2, stays=True)])
    assert made.startswith(gzipped(INFO))
    assert made.endswith(gzipped(TWO))
    assert copying.rewritten == [range(second, third)]
    assert copying.lost == []


def test_what_is_not_sound_is_mended_where_what_stands_beside_it_goes() -> None:
    """Worked out by hand: `?` is not sound, capitals go."""

    def mended_in(records: str, *, touched: bool = False) -> str:
        found = []
        for at, one in enumerate(records):
            begun = Start(at, at, 0, clean=True, sound=one != "?")
            found.append((begun, Stretch(at, at, 1, stays=not one.isupper())))
        return "".join(".x"[each.mend] for each in portions(found, touched))

    assert mended_in("a??b") == "...."
    assert mended_in("A??b") == ".xx."
    assert mended_in("a??B?c") == ".xx.x."
    assert mended_in("a?bC") == "...."
    assert mended_in("??a") == "..."
    assert mended_in("??a", touched=True) == "xx."
    assert mended_in("A?") == ".x"


STRAY = b"m\r\n\r\n"


def test_the_end_of_a_record_whose_length_is_too_small_does_not_stay_behind(tmp_path: Path) -> None:
    """As a file that passes `warcio check` has it, which after its neighbour had gone did not."""
    short = response("http://a/2", b"<p>two").removesuffix(b"\r\n\r\n") + STRAY
    data = ONE + short + THREE
    source = opened(saved(tmp_path, "a.warc", data))
    assert len(places_of(source)[0]) == 3
    written = keep(source, tmp_path / "out.warc", lambda page: page == 1)
    kinds = [one.rec_type for one in ArchiveIterator(io.BytesIO(written.file.read_bytes()))]
    assert kinds == ["response", "resource", "response"]
    assert STRAY.strip() in written.file.read_bytes()


def test_a_record_whose_length_is_too_large_swallows_nothing_else(tmp_path: Path) -> None:
    """It would end with the third if the second were not there."""
    block = http(b"<p>two")
    length = len(block) + 4 + len(THREE)
    long = record("response", block, target_uri="http://a/2", length=length)
    data = ONE + long + TWO + THREE + ONE
    source = opened(saved(tmp_path, "a.warc", data))
    assert len(places_of(source)[0]) == 4
    written = keep(source, tmp_path / "out.warc", lambda page: page == 1)
    assert len(places_of(opened(written.file))[0]) == 3
    assert long in written.file.read_bytes()


def test_a_page_that_the_http_header_saved_gets_its_right_length(tmp_path: Path) -> None:
    block = http(b"<p>two", content_length="6")
    long = record("response", block, target_uri="http://a/2", length=len(block) + 50)
    source = opened(saved(tmp_path, "a.warc", ONE + long + TWO + THREE))
    assert len(places_of(source)[0]) == 4
    written = keep(source, tmp_path / "out.warc", lambda page: page == 2)
    right = record("response", block, target_uri="http://a/2")
    assert written.file.read_bytes() == ONE + right + THREE


def test_a_record_ends_before_the_rest_of_it_that_is_put_into_one_of_its_own(
    tmp_path: Path,
) -> None:
    """The length of the first is too small by four: where it ends stood in what is left over."""
    block = http(b"no content", status="204 No Content")
    short = record("response", block, length=len(block) - 4, target_uri="http://a/0")
    file = saved(tmp_path, "a.warc", short + ONE + TWO)
    keep(opened(Path(file)), tmp_path / "out.warc", lambda page: page == 0)
    made = (tmp_path / "out.warc").read_bytes()
    found = [
        (each.rec_headers["WARC-Target-URI"], each.raw_stream.read())
        for each in ArchiveIterator(io.BytesIO(made), no_record_parse=True)
    ]
    assert [url for url, _ in found] == [
        *("http://a/0", f"urn:webecho:unreadable:{len(short) - 8}", "http://a.example/2")
    ]
    assert found[0][1] + found[1][1].rstrip() == block
