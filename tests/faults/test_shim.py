"""What the shim lets go wrong goes wrong, and of what it logs is lost what was not synced."""

import signal
from pathlib import Path

import pytest

from tests.faults.faults import Action, Faults, Outcome, lose


def told(log: Path, *lines: tuple[object, ...]) -> None:
    log.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def test_what_was_not_synced_is_lost(tmp_path: Path) -> None:
    kept, gone, grown = (tmp_path / name for name in ("kept", "gone", "grown"))
    for file in (kept, gone, grown):
        file.write_bytes(b"123456")
    log = tmp_path / "log"
    told(
        log,
        ("w", 6, kept, ""),
        ("s", 6, kept, ""),
        ("w", 6, gone, ""),
        ("o", 4, grown, ""),
        ("w", 6, grown, ""),
    )
    lose(log)
    assert [file.read_bytes() for file in (kept, gone, grown)] == [b"123456", b"", b"1234"]


@pytest.mark.parametrize("synced", [True, False])
def test_a_folder_takes_along_what_is_in_it(tmp_path: Path, synced: bool) -> None:
    (tmp_path / "new").mkdir()
    file = tmp_path / "new" / "file"
    file.write_bytes(b"123")
    log = tmp_path / "log"
    before = tmp_path / "old"
    lines = [("w", 3, before / "file", "")]
    lines += [("s", 3, before / "file", "")] if synced else []
    told(log, *lines, ("r", 0, before, tmp_path / "new"))
    lose(log)
    assert file.read_bytes() == (b"123" if synced else b"")


def test_calls_go_wrong_in_each_way(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (here / "a.jsonl").write_text('{"text": "some words of a page"}\n')
    with Faults(tmp_path / "faults") as faults:

        def sketched(out: str, action: Action = Action.NOTHING, call: int = 0) -> Outcome:
            return faults.run(here, ("sketch", "a.jsonl", "-o", out, "-q"), action, call)

        assert sketched("k.echo", Action.KILL).code == -signal.SIGKILL
        assert sketched("t.echo", Action.TERM).code == -signal.SIGTERM
        full = sketched("f.echo", Action.FULL)
        assert (full.code, "No space left" in full.stderr) == (1, True)
        # Without some of what is read at first it can do.
        failed = (sketched(f"{call}.echo", Action.FAILS, call) for call in range(0, 100, 10))
        assert any(each.code == 1 and "Input/output error" in each.stderr for each in failed)
        whole = sketched("w.echo")
    assert whole.code == 0 and whole.calls
