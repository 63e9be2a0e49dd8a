import sys
import time

import pytest
from bench.process import run, session

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MB = 1 << 20
# Holds 100 MB, and a child 60 MB of its own; the 100 are shared and must count once.
PARENT_AND_CHILD = f"""
import os, sys, time
held = bytearray(os.urandom(1)) * (100 * {MB})
if os.fork() == 0:
    more = bytearray(os.urandom(1)) * (60 * {MB})
    time.sleep(1)
    os._exit(0)
os.wait()
open(sys.argv[1], "w").close()
"""


def python(code, *arguments):
    return [sys.executable, "-c", code, *map(str, arguments)]


def test_memory_is_that_of_all_processes_with_shared_pages_once(tmp_path):
    ran = run(python(PARENT_AND_CHILD, tmp_path / "out"), tmp_path / "out", 60)
    assert ran.failure == ""
    assert 160 * MB <= ran.own_memory <= ran.memory < 230 * MB


def test_mapped_file_pages_are_told_apart(tmp_path):
    file = tmp_path / "mapped"
    file.write_bytes(bytes(80 * MB))
    code = f"""
import mmap, sys, time
with open({str(file)!r}, "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    sum(mapped[place] for place in range(0, len(mapped), 4096))
    time.sleep(1)
open(sys.argv[1], "w").close()
"""
    ran = run(python(code, tmp_path / "out"), tmp_path / "out", 60)
    assert ran.memory >= 80 * MB
    assert ran.own_memory < 60 * MB


def test_the_clock_stops_when_the_result_is_there(tmp_path):
    code = "import sys, time; open(sys.argv[1], 'w').close(); time.sleep(2)"
    start = time.monotonic()
    ran = run(python(code, tmp_path / "out"), tmp_path / "out", 60)
    assert ran.seconds <= time.monotonic() - start - 2


def test_a_failure_is_told_with_its_reason(tmp_path):
    ran = run(python("raise SystemExit('no luck')"), tmp_path / "out", 60)
    assert ran.failure == "ended with 1: no luck"


def test_a_result_of_an_earlier_run_is_none(tmp_path):
    (tmp_path / "out").touch()
    assert "no message" in run(python("pass"), tmp_path / "out", 60).failure


def test_what_takes_too_long_is_ended_with_its_children(tmp_path):
    code = """
import os, sys, time
if os.fork() == 0:
    open(sys.argv[1], "w").write(str(os.getsid(0)))
time.sleep(600)
"""
    ran = run(python(code, tmp_path / "session"), tmp_path / "out", 2)
    assert ran.failure == "not done after 2 s"
    leader = int((tmp_path / "session").read_text())
    deadline = time.monotonic() + 10
    while session(leader) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not session(leader)
