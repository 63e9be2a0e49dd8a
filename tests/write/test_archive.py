import io
from contextlib import closing

from tests.read.archives import ALL, INFO, ONE, PLACES, REQUEST, THREE, TWO, gzipped
from webecho.formats.cdxj import Moved
from webecho.formats.records import Noted, layout_of
from webecho.formats.scan import Start
from webecho.write.archive import HEAD, Copying, fates
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
