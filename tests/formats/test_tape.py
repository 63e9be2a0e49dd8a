import re

from webecho.formats.frames import Piece
from webecho.formats.tape import Tape


def tape() -> Tape:
    """Two pieces of a frame, a frame that begins with a record, and a damage."""
    return Tape(
        iter(
            [
                Piece(0, b"abc", opens=True),
                Piece(0, b"def"),
                Piece(50, b"WARC/1.0", opens=True),
                Piece(50, b"", problem="corrupt gzip", lost=3),
            ]
        )
    )


def test_nothing_behind_a_wall_is_seen_before_it_is_crossed() -> None:
    found = tape()
    assert found.peek(100) == b"abcdef"
    assert not found.fill(7)
    assert found.skip(100) == 6
    found.cross()
    assert found.peek(100) == b"WARC/1.0"
    assert (found.at, found.frame(), found.begins_frame()) == (6, 50, True)


def test_a_frame_is_that_of_the_next_byte() -> None:
    found = tape()
    found.fill(7)
    found.cross()
    assert (found.frame(), found.frame_start()) == (0, 0)
    found.skip(6)
    assert (found.frame(), found.frame_start()) == (50, 6)
    found.skip(2)
    assert not found.begins_frame()


def test_a_damage_is_a_wall() -> None:
    found = tape()
    found.fill(7)
    found.cross()
    assert found.skip(100) == 14
    assert found.wall is not None
    assert (found.wall.problem, found.corrupt) == ("corrupt gzip", True)
    found.cross()
    assert not found.fill(1)
    assert found.ended


def test_a_pattern_is_found_once_its_bytes_are_there() -> None:
    found = tape()
    cd = re.compile(rb"cd")
    found.fill(1)
    assert found.find(cd) is None
    found.fill(6)
    match = found.find(cd)
    assert match is not None
    assert match.start() == 2


def test_blanks_are_passed() -> None:
    found = Tape(iter([Piece(0, b"\r\n\0", opens=True), Piece(0, b" \tx \n")]))
    found.skip_blank()
    assert (found.at, found.peek(9)) == (5, b"x \n")
