import io
import zipfile

import pytest

from webecho.formats.wacz import archive_members, open_archive

CONTENT = b"".join(b"line %d\n" % number for number in range(5000))


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file


def test_the_archives_by_the_bytes_of_their_names() -> None:
    names = ("archive/b.warc", "archive/A.ARC.GZ", "archive/a.warc.gz", "archive/x.txt", "c.warc")
    with zipfile.ZipFile(zipped(dict.fromkeys(names, b""))) as packed:
        found = [info.filename for info in archive_members(packed)]
    assert found == ["archive/A.ARC.GZ", "archive/a.warc.gz", "archive/b.warc"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_is_read_from_any_place(method: int) -> None:
    file = zipped({"archive/a.warc": CONTENT, "archive/b.warc": b"other"}, method)
    first, second = archive_members(zipfile.ZipFile(file))
    with open_archive(file, first) as archive, open_archive(file, second) as other:
        assert archive.deflated is (method == zipfile.ZIP_DEFLATED)
        assert archive.read(10) == CONTENT[:10]
        assert other.read() == b"other"
        archive.seek(20_000)
        assert archive.read(30) == CONTENT[20_000:20_030]
        archive.seek(5)
        assert archive.read() == CONTENT[5:]
        assert archive.problem is None


def test_a_wrong_checksum_is_told_at_the_end() -> None:
    file = zipped({"archive/a.warc": CONTENT}, zipfile.ZIP_DEFLATED)
    (info,) = archive_members(zipfile.ZipFile(file))
    info.CRC ^= 1
    with open_archive(file, info) as archive:
        assert archive.read() == CONTENT
        assert archive.problem == "wrong checksum"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"header_offset": 1}, "bad local header"),
        ({"flag_bits": 1}, "encrypted"),
        ({"compress_type": zipfile.ZIP_BZIP2}, "compressed by method 12"),
    ],
)
def test_what_cannot_be_read_is_empty_and_says_why(change: dict[str, int], problem: str) -> None:
    file = zipped({"archive/a.warc": CONTENT})
    (info,) = archive_members(zipfile.ZipFile(file))
    for name, value in change.items():
        setattr(info, name, value)
    with open_archive(file, info) as archive:
        assert (archive.read(), archive.problem) == (b"", problem)
