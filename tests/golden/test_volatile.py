from tests.golden import volatile

GONE = volatile.GONE


def test_measured_values_go_and_all_else_stays() -> None:
    table = "read  16\nseconds  0.4\nbytes of memory at most  71.2 MB\nwritten to  seconds  3\n"
    assert volatile.output(table) == (
        f"read  16\nseconds  {GONE}\nbytes of memory at most  {GONE}\nwritten to  seconds  3\n"
    )
    json = '{\n "read": 16,\n "seconds": 0.42,\n "seconds of a clock": 3\n}\n'
    assert volatile.output(json) == json.replace("0.42", f'"{GONE}"')
    csv = 'read,"kept, not compared",seconds,written to\n16,2,0.42,clean\n'
    assert volatile.output(csv) == csv.replace("0.42", GONE)


def test_lines_of_progress_and_made_up_names_go() -> None:
    lines = "20,000 pages, 1.2 MB, 900 pages/s, 3 MB/s, 20% done\na.echo: links of 5 of 9 pages\n"
    assert volatile.output(lines + "done: 9 pages\n") == "done: 9 pages\n"
    named = "/x/webecho-a1_b2c3d/y is full; a/.part.parquet.4711 too\n"
    assert volatile.output(named) == (
        "/x/webecho-‹temporary›/y is full; a/.part.parquet.‹process› too\n"
    )


def test_of_a_traceback_the_error_stays() -> None:
    text = 'Traceback (most recent call last):\n  File "a.py", line 3\n    a()\nKeyError: 1\n'
    assert volatile.output(text) == "Traceback (most recent call last):\nKeyError: 1\n"


def test_labels_are_compared_without_their_time() -> None:
    line = b'{"label": "correct", "time": "%b"}\n'
    one, other = line % b"2026-03-04T07:31:00Z", line % b"2026-03-04T07:31:01Z"
    assert volatile.labels(one) == volatile.labels(other) != line % b"soon"
