"""WACZ files that somebody changed by hand, or a disk by chance, through `webecho.dedup`: never a
traceback; what cannot be read is counted with a reason, or the file is refused with one."""

import io
import random
import shutil
import warnings
import zipfile
from pathlib import Path

import pytest

import webecho
from tests.odd_json import changed, changed_bytes
from tests.read.archives import gzipped, response
from tests.write.test_wacz import wacz
from webecho.errors import WebechoError

METADATA = ("datapackage.json", "datapackage-digest.json", "pages/pages.jsonl", "indexes/index.cdx")
SEEDS = 60


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {info.filename: packed.read(info) for info in packed.infolist()}


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return made.getvalue()


def with_copies() -> dict[str, bytes]:
    """The members of a WACZ of which something goes, so that all of it is written anew."""
    members = contents(wacz(packed_index=False))
    page = b"<p>the words of a page, which is there twice and so goes once, or is a revisit"
    both = gzipped(*(response(f"http://a/{number}", page) for number in (1, 2)))
    members["archive/c.warc.gz"] = both
    members["datapackage-digest.json"] = b'{"path": "datapackage.json", "hash": "sha256:0"}'
    line = '{{"url": "http://a/{0}", "filename": "c.warc.gz", "offset": {1}, "length": {2}}}'
    half = len(both) // 2
    members["indexes/index.cdx"] += b"".join(
        f"a)/{number} 20200131235958 {line.format(number, at, half)}\n".encode()
        for number, at in ((1, 0), (2, half))
    )
    return members


MEMBERS = with_copies()


def mutated(seed: int) -> bytes:
    """A WACZ with something changed: a value of its metadata, its list of contents, any bytes."""
    by = random.Random(seed)
    members, method = dict(MEMBERS), by.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    if by.random() < 0.7:
        for name in by.sample(METADATA, by.choice((1, 1, 2))):
            lines = members[name].decode().splitlines(keepends=True)
            at = by.randrange(len(lines))
            head, brace, rest = lines[at].partition("{")
            lines[at] = head + changed(brace + rest.rstrip("\n"), by) + "\n"
            text = "".join(lines) if by.random() < 0.9 else changed("".join(lines), by)
            members[name] = text.encode("utf-8", "surrogatepass")
        return zipped(members, method)
    data = zipped(members, method)
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(b"PK\x05\x06"))
    first = data.find(b"PK\x01\x02")
    match by.randrange(3):
        case 0:
            return changed_bytes(data, by)
        case 1:
            # The list of contents.
            return data[:first] + changed_bytes(data[first:], by)
        case _:
            # One number of it, of two or four bytes, such as where a member begins.
            field = by.choice((8, 10, 16, 20, 24, 28, 30, 32, 42))
            odd = by.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\0\0\0\x80", by.randbytes(4)))
            return data[: at + field] + odd + data[at + field + 4 :]


def attack(seed: int, folder: Path) -> str:
    """What became of it; anything but an answer or an error of ours is raised."""
    file, out = folder / "a.wacz", folder / "out"
    file.write_bytes(mutated(seed))
    revisit = bool(seed % 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = webecho.dedup(str(file), out=out, revisit=revisit, threads=1)
        counts = made.summary["counts"]
        assert counts["read"] == counts["kept"] + counts["removed"], seed
        # What was written can be read.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            webecho.restore(str(out / "data" / "a.wacz"), folder / "restored", force=True)
        return "read"
    except WebechoError:
        return "refused"
    finally:
        for path in (out, folder / "out.echo", folder / "restored"):
            shutil.rmtree(path, ignore_errors=True)


def attacked(seeds: range, folder: Path) -> dict[str, int]:
    found = [attack(seed, folder) for seed in seeds]
    return {each: found.count(each) for each in ("read", "refused")}


@pytest.mark.parametrize("seed", [529, 651])
def test_changes_that_once_fell(tmp_path: Path, seed: int) -> None:
    assert attack(seed, tmp_path) in ("read", "refused")


def test_any_change_is_read_or_refused(tmp_path: Path) -> None:
    found = attacked(range(SEEDS), tmp_path)
    # Else the changes would be too harmless, or too harmful to get far.
    assert found["read"] > SEEDS // 2
    assert found["refused"] >= 1


@pytest.mark.soak
def test_thousands_of_changes_are_read_or_refused(tmp_path: Path) -> None:
    found = attacked(range(SEEDS, SEEDS + 5_000), tmp_path)
    assert found["read"] > 2_500 and found["refused"] >= 1
