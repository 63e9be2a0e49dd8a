"""Revisits of other tools: which record they mean, and what becomes of them."""

import base64
import gzip
import hashlib
from contextlib import closing
from pathlib import Path

import pytest

import webecho
from tests.command import done
from tests.read.archives import DATE, gzipped, http, record, saved
from tests.write.keeping import unpacked
from webecho.write.referred import Referred, names_given, names_referred
from webecho.write.revisits import parsed

BODY = b"<p>the body"
SHA1 = "sha1:" + base64.b32encode(hashlib.sha1(BODY).digest()).decode()
ORIGINAL = record(
    "response", http(BODY, server="one"), record_id="<urn:uuid:1>", target_uri="http://a/1"
)


def revisit(block: bytes = http(b"", server="two"), number: int = 9, **refers: str) -> bytes:
    more = {"record_id": f"<urn:uuid:{number}>", "target_uri": f"http://a/{number}"}
    profile = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
    return record("revisit", block, **more, profile=profile, **refers)


def test_by_what_records_are_referred_to() -> None:
    given = names_given(
        {
            b"warc-type": b"response",
            b"warc-record-id": b"<urn:uuid:1>",
            b"warc-target-uri": b"<http://a/1>",
            b"warc-date": b"2020",
            b"warc-payload-digest": b"sha1:X",
        }
    )
    wanted = {
        b"warc-refers-to": b"<urn:uuid:1>",
        b"warc-refers-to-target-uri": b"http://a/1",
        b"warc-refers-to-date": b"2020",
        b"warc-payload-digest": b"sha1:X",
    }
    assert names_referred(wanted) == given
    assert len(set(given)) == 3
    # A revisit holds no body that its digest could be a name of.
    assert names_given({b"warc-type": b"revisit", b"warc-payload-digest": b"sha1:X"}) == []
    assert names_given({b"warc-type": b"request", b"warc-record-id": b"<urn:uuid:1>"}) == []


@pytest.mark.parametrize(
    "refers",
    [
        {"refers_to": "<urn:uuid:1>"},
        {"refers_to_target_uri": "http://a/1", "refers_to_date": DATE},
        {"refers_to": "<urn:uuid:1>", "payload_digest": SHA1},
        {"refers_to": "<urn:uuid:1>", "payload_digest": SHA1.lower()},
    ],
)
def test_others_are_restored(tmp_path: Path, refers: dict[str, str]) -> None:
    saved(tmp_path, "a.warc.gz", gzipped(revisit(**refers)))
    saved(tmp_path, "b.warc.gz", gzipped(ORIGINAL))
    files = [tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"]
    found = webecho.restore(files, tmp_path / "back")
    assert (found.restored, found.not_found) == (1, ())
    (back,) = unpacked((tmp_path / "back" / "a.warc.gz").read_bytes())
    more = {"record_id": "<urn:uuid:9>", "target_uri": "http://a/9"}
    if "payload_digest" in refers:
        more["payload_digest"] = refers["payload_digest"]
    assert back == record("response", http(BODY, server="two"), **more)


def test_the_digest_alone_is_enough(tmp_path: Path) -> None:
    named = ORIGINAL.replace(
        b"\r\nContent-Length", b"\r\nWARC-Payload-Digest: x:Y\r\nContent-Length", 1
    )
    saved(tmp_path, "a.warc", named + revisit(payload_digest="x:Y"))
    assert webecho.restore(tmp_path / "a.warc", tmp_path / "back").restored == 1


def test_what_was_not_modified_has_the_header_of_its_original(tmp_path: Path) -> None:
    block = http(b"", "304 Not Modified", kind=None)
    saved(tmp_path, "a.warc", ORIGINAL + revisit(block, refers_to="<urn:uuid:1>"))
    webecho.restore(tmp_path / "a.warc", tmp_path / "back")
    back = (tmp_path / "back" / "a.warc").read_bytes().removeprefix(ORIGINAL)
    more = {"record_id": "<urn:uuid:9>", "target_uri": "http://a/9"}
    assert back == record("response", http(BODY, server="one"), **more)


def test_a_chain_is_followed_and_one_that_ends_nowhere_is_named(tmp_path: Path) -> None:
    chain = [
        revisit(number=3, refers_to="<urn:uuid:2>"),
        revisit(number=2, refers_to="<urn:uuid:1>"),
        revisit(number=5, refers_to="<urn:uuid:6>"),
        revisit(number=6, refers_to="<urn:uuid:5>"),
        revisit(number=7, refers_to="<urn:uuid:1>", payload_digest="sha1:WRONG"),
    ]
    file = saved(tmp_path, "a.warc", b"".join([*chain, ORIGINAL]))
    shown = done("restore", file, "-o", tmp_path / "back")
    assert "restored                                                             2" in shown.stdout
    assert shown.stderr.splitlines() == [
        f"webecho: not found, the original of: {file}: http://a/{number} of {DATE}"
        for number in (5, 6, 7)
    ]


@pytest.mark.parametrize("pack", ["whole", "frame"])
def test_revisits_that_share_a_frame(tmp_path: Path, pack: str) -> None:
    both = ORIGINAL + revisit(refers_to="<urn:uuid:1>")
    first = record("warcinfo", b"")
    data = gzip.compress(first + both) if pack == "whole" else gzipped(first, both)
    saved(tmp_path, "a.warc.gz", data)
    assert webecho.restore(tmp_path / "a.warc.gz", tmp_path / "back").restored == 1
    back = gzip.decompress((tmp_path / "back" / "a.warc.gz").read_bytes())
    assert back.startswith(first + ORIGINAL)
    assert back.endswith(http(BODY, server="two") + b"\r\n\r\n")


def test_a_record_must_have_been_noted(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.warc", ORIGINAL)
    one = parsed(revisit(refers_to="<urn:uuid:1>"), b"revisit")
    assert one is not None
    with closing(Referred()) as referred:
        assert referred.restored(one) is None
        fields = {b"warc-type": b"response", b"warc-record-id": b"<urn:uuid:1>"}
        referred.note(fields, file, 0)
        assert referred.restored(one) is None
        referred.names.update(names_referred({b"warc-refers-to": b"<urn:uuid:1>"}))
        referred.note(fields, file, 0)
        assert referred.restored(one) is not None
