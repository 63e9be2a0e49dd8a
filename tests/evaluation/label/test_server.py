"""The server of the labelling page: who may ask it, and what it says of itself."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.made_pairs import lines, sketched, with_pairs
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.evaluation.guess.differences import guess
from webecho.evaluation.label.page_text import MOST_WORDS, PageTextReader
from webecho.evaluation.label.server import Address, bind, server_of
from webecho.evaluation.label.session import NOTE, Session, pairs_of
from webecho.evaluation.sample.drawing import SamplePlan, draw


class Server:
    """A server in a thread of its own, and how to ask it anything."""

    def __init__(self, desk: Session) -> None:
        self.desk = desk
        self.listening, self.address = bind("127.0.0.1", 0)
        self.server = server_of(desk, self.address)
        self.thread = threading.Thread(target=self.server.run, args=([self.listening],))
        self.thread.start()

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()

    def ask(
        self,
        path: str,
        body: Any = None,
        token: str | None = None,
        method: str | None = None,
        **headers: str,
    ) -> tuple[int, Any, dict[str, str]]:
        """Status, content and headers of an answer."""
        given = {"Host": self.address.name} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            given = {"Content-Type": "application/json"} | given
        where = f"/{self.address.token if token is None else token}/{path}"
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=30)
        connection.request(method or ("POST" if data else "GET"), where, data, given)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        found = dict(answer.getheaders())
        if found.get("content-type") == "application/json":
            return answer.status, json.loads(content), found
        return answer.status, content.decode(), found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("crawl")
    pages = [(f"http://a.example/{number}", f"<p>one two {number}".encode()) for number in "012"]
    workspace = sketched(folder, pages)
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True), (0, 2, 3, 380, True)])
    sample = draw(workspace, SamplePlan(("b-2",), 10), local_run())
    reader = PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())
    running = Server(Session(pairs_of(sample), reader, folder / "labels.jsonl", "ada", guess))
    yield running
    running.stop()


def test_nothing_is_answered_without_the_token(server: Server) -> None:
    for path in ("", "state", "pair/1"):
        assert server.ask(path)[0] == 200
        for token in ("", "x", server.address.token[:-1], server.address.token + "x", "%C3%BC"):
            status, content, _ = server.ask(path, token=token)
            assert (status, content) == (404, "not found")
    before = lines(server.desk.file) if server.desk.file.exists() else []
    said = {"number": 1, "label": "correct", "reasons": []}
    assert server.ask("label", said, token="x")[0] == 404
    assert server.ask("undo", {}, token="x")[0] == 404
    assert (lines(server.desk.file) if server.desk.file.exists() else []) == before


def test_other_names_for_this_server_are_refused(server: Server) -> None:
    port = server.address.port
    assert server.ask("state", Host=f"localhost:{port}")[0] == 200
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "", f"0.0.0.0:{port}"):
        assert server.ask("state", Host=host)[0] == 421


def test_what_pages_of_other_sites_send_is_refused(server: Server) -> None:
    said = {"number": 1, "label": "correct", "reasons": []}
    for origin in ("http://evil.example", "null", f"https://{server.address.name}"):
        assert server.ask("label", said, Origin=origin)[0] == 403
    # A form can send these, and a script without asking first.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert server.ask("label", said, Content_Type=kind)[0] == 415
    # Nor does it allow any other site to ask.
    asked = {"Origin": "http://evil.example", "Access_Control_Request_Method": "POST"}
    status, _, headers = server.ask("label", method="OPTIONS", **asked)
    assert status == 405
    assert not [name for name in headers if name.lower().startswith("access-control")]
    assert not server.desk.file.exists()


def test_every_answer_says_that_nothing_else_may_run(server: Server) -> None:
    for path, token in (("", None), ("state", None), ("", "x")):
        headers = server.ask(path, token=token)[2]
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"].startswith("'sha256-") and "unsafe" not in str(policy)
        assert policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers


def test_labels_that_cannot_be_are_refused_and_nothing_is_written(server: Server) -> None:
    said = {"number": 1, "label": "correct", "reasons": [], "note": ""}
    assert server.ask("label", said | {"number": 99})[0] == 404
    status, answer, _ = server.ask("label", said | {"label": "maybe"})
    assert status == 400 and answer["error"].startswith("no label is called 'maybe'")
    assert server.ask("label", said | {"reasons": ["tired"]})[0] == 400
    assert server.ask("label", said | {"note": "x" * (NOTE + 1)})[0] == 400
    assert server.ask("label", said | {"note": "x" * 100_000})[0] == 413
    assert server.ask("label", ["no", "label"])[0] == 400
    for path in ("pair/0", "pair/99", "pair/x", "pair/1/middle?start=0&end=1", "pair/1/left?end=1"):
        assert server.ask(path)[0] in (400, 404), path
    assert not server.desk.file.exists()


def test_labelling_undoing_and_asking_for_more(server: Server) -> None:
    assert server.ask("state")[1] == {"labeller": "ada", "total": 2, "labelled": 0, "next": 1}
    said = {"number": 1, "label": "correct", "reasons": ["url", "form"], "note": "hm"}
    status, answer, _ = server.ask("label", said, Origin=f"http://{server.address.name}")
    assert (status, answer["saved"], answer["labelled"], answer["next"]) == (200, 1, 1, 2)
    assert [(line["reasons"], line["note"]) for line in lines(server.desk.file)] == [
        (["url"], "hm")
    ]
    assert server.ask("pair/1")[1]["said"] == {
        "label": "correct",
        "reasons": ["url"],
        "note": "hm",
    }
    assert server.ask("undo", {})[1]["undone"] == 1
    assert server.ask("undo", {})[1]["undone"] is None
    assert server.ask("state")[1]["labelled"] == 0
    more = server.ask("pair/1/left?start=0&end=3")[1]["segments"]
    assert "".join(each["text"] for each in more) == "one"
    assert server.ask("pair/1/left?start=999&end=3")[1]["segments"] == []


def test_labels_of_pages_with_other_names_are_none_of_this_sample(server: Server) -> None:
    pair = server.desk.pairs[0]
    server.ask("label", {"number": 1, "label": "correct", "reasons": []})
    assert server.ask("state")[1]["labelled"] == 1
    written = server.desk.file.read_text()
    server.desk.file.write_text(written.replace(pair["right_url"], "http://elsewhere.example/"))
    assert server.ask("state")[1]["labelled"] == 0
    assert server.ask("undo", {})[1]["undone"] is None
    server.desk.file.unlink()


def test_addresses() -> None:
    assert Address("::1", 8000, "t").url == "http://[::1]:8000/t/"
    assert Address("::1", 8000, "t").names == ("[::1]:8000", "localhost:8000")
    # Seen from elsewhere there is only one name, and localhost is not it.
    assert Address("192.0.2.7", 8000, "t").names == ("192.0.2.7:8000",)
    # Browsers do not name HTTP's own port, and write hosts in one way.
    assert Address("192.0.2.7", 80, "t").names == ("192.0.2.7:80", "192.0.2.7")
    for host, written in (("LocalHost", "localhost"), ("0:0:0:0:0:0:0:1", "::1")):
        listening, address = bind(host, 0)
        listening.close()
        assert address.host == written
    for host in ("0.0.0.0", "::"):
        with pytest.raises(SettingsError, match="is no address that one could check requests by"):
            bind(host, 0)
    listening, address = bind("127.0.0.1", 0)
    with pytest.raises(SettingsError, match=rf"cannot listen on 127.0.0.1 port {address.port} "):
        bind("127.0.0.1", address.port)
    listening.close()


def test_pages_that_are_gone_are_told(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("http://a.example/", b"<p>a"), ("http://b.example/", b"<p>b")])
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True)])
    sample = draw(workspace, SamplePlan(("b-2",), 1), local_run())
    (tmp_path / "pages.parquet").unlink()
    reader = PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())
    shown = Session(pairs_of(sample), reader, tmp_path / "labels.jsonl", "ada", guess).shown(1)
    assert "pages.parquet" in shown["left"]["gone"]
    assert shown["guess"] == {"label": "undecided", "reasons": ("cannot-evaluate",)}


def test_pages_of_very_many_words_are_not_shown(tmp_path: Path) -> None:
    long = b"<p>" + b"a " * (MOST_WORDS + 1)
    workspace = sketched(tmp_path, [("http://a.example/", long), ("http://b.example/", b"<p>b")])
    reader = PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())
    assert reader.page_text(0).gone == "it has 1,000,001 words, and 1,000,000 can be shown"
    assert reader.page_text(1).gone is None


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_labellers_have_names(name: str, server: Server) -> None:
    with pytest.raises(SettingsError, match="is no name"):
        Session([], server.desk.reader, server.desk.file, name, guess)


def raw(server: Server, *parts: bytes, path: str = "label") -> bytes:
    """What is answered to a request as it stands, the first line and the host apart, which are
    right."""
    first = f"POST /{server.address.token}/{path} HTTP/1.1\r\nHost: {server.address.name}\r\n"
    with socket.create_connection(("127.0.0.1", server.address.port), timeout=30) as there:
        there.sendall(first.encode() + b"Content-Type: application/json\r\n" + b"".join(parts))
        answer = b""
        while block := there.recv(1 << 16):
            answer += block
    return answer


def statuses(answer: bytes) -> list[int]:
    """Those of all answers that came."""
    return [int(found) for found in re.findall(rb"^HTTP/1\.1 (\d+)", answer, re.MULTILINE)]


SAID = b'{"number": 1, "label": "correct", "reasons": [], "note": "smuggled"}'
CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(SAID), SAID)
LENGTH = b"Content-Length: %d\r\n"


@pytest.mark.parametrize(
    "header",
    [
        LENGTH % len(CHUNKED) + b"Transfer-Encoding: chunked\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n" + LENGTH % len(CHUNKED) + b"\r\n",
        LENGTH % 4 + b"transfer-encoding: CHUNKED\r\n\r\n",
        LENGTH % 0 + b"Transfer-Encoding: chunked\r\n\r\n",
        LENGTH % len(CHUNKED) + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        LENGTH % len(CHUNKED) + b"Transfer-Encoding: identity\r\n\r\n",
        LENGTH % len(SAID) + LENGTH % (len(SAID) + 1) + b"\r\n",
    ],
)
def test_two_lengths_are_refused(server: Server, header: bytes) -> None:
    before = server.desk.file.read_bytes() if server.desk.file.exists() else b""
    # What is hidden behind it is not answered either.
    behind = f"GET /{server.address.token}/state HTTP/1.1\r\nHost: {server.address.name}\r\n\r\n"
    assert statuses(raw(server, header, CHUNKED, behind.encode())) == [400]
    assert (server.desk.file.read_bytes() if server.desk.file.exists() else b"") == before


def test_chunks_alone_have_no_length_that_could_be_checked(server: Server) -> None:
    assert statuses(raw(server, b"Transfer-Encoding: chunked\r\n\r\n", CHUNKED)) == [413]


@pytest.mark.parametrize(
    "said",
    [
        b'{"number": 1e400, "label": "correct", "reasons": []}',
        b'{"number": -1e400, "label": "correct", "reasons": []}',
        b'{"number": NaN, "label": "correct", "reasons": []}',
        b'{"number": Infinity, "label": "correct", "reasons": []}',
        b'{"number": 1, "label": "correct", "reasons": [1e400]}',
        b'{"number": 1, "label": "correct", "reasons": [], "note": "\\ud800"}',
        b'{"number": 1, "label": "correct", "reasons": [], "note": "a \\udc00\\ud800 b"}',
        b'{"number": 1, "label": "\\ud800", "reasons": []}',
        b'{"number": 1, "label": "correct", "reasons": ["\\ud800"]}',
        b'{"number": 1, "label": "correct", "reasons": [], "note": 1e400}',
        b'{"number": %b, "label": "correct", "reasons": []}' % (b"9" * 5000),
        b"[" * 8000,
        b'{"number": 1, "label": "correct", "reasons": [], "\\ud800": 1, "note": null}',
        b"\xff\xfe",
        b"",
    ],
)
def test_what_no_label_can_hold_is_refused(server: Server, said: bytes) -> None:
    before = server.desk.file.read_bytes() if server.desk.file.exists() else b""
    assert statuses(raw(server, b"Connection: close\r\n", LENGTH % len(said), b"\r\n", said)) == [
        400
    ]
    assert (server.desk.file.read_bytes() if server.desk.file.exists() else b"") == before
    # And it goes on.
    assert server.ask("state")[0] == 200
