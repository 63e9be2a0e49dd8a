"""How often contents were seen, by hand and over several crawls."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import done

TEXTS = [f"{word} two three four five six" for word in ("one", "ten", "six")]


def crawl(folder: Path, name: str, *pages: tuple[int, str, str | None]) -> Path:
    """A crawl of texts by number, on a host, at a date."""
    lines = ["text,url,date"]
    for number, (text, host, date) in enumerate(pages):
        lines.append(f"{TEXTS[text]},http://{host}/{name}{number},{date or ''}")
    file = folder / f"{name}.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def counts(out: Path) -> dict[str, tuple[Any, ...]]:
    rows = pq.read_table(out / "counts.parquet").to_pylist()
    return {
        row["url"]: (
            row["size"],
            row["hosts"],
            *(row[name] and f"{row[name]:%Y-%m-%d}" for name in ("first", "last")),
        )
        for row in rows
    }


def test_pages_hosts_and_dates_of_a_cluster(tmp_path: Path) -> None:
    file = crawl(
        tmp_path,
        "a",
        *((0, "x.org", "2020-02-01"), (0, "x.org", "2020-01-01"), (0, "y.org", None)),
        *((1, "x.org", None), (2, "z.org", "2021-05-05")),
    )
    done("dedup", file, "-o", tmp_path / "out", "--counts")
    assert counts(tmp_path / "out") == {
        "http://x.org/a0": (3, 2, "2020-01-01", "2020-02-01"),
        "http://x.org/a3": (1, 1, None, None),
        "http://z.org/a4": (1, 1, "2021-05-05", "2021-05-05"),
    }


def test_counts_go_on_over_crawls(tmp_path: Path) -> None:
    first = crawl(tmp_path, "a", (0, "x.org", "2020-01-01"), (0, "y.org", "2020-01-02"))
    second = crawl(
        tmp_path, "b", (0, "z.org", "2021-01-01"), (1, "x.org", "2021-01-02"), (1, "x.org", None)
    )
    third = crawl(
        tmp_path, "c", (0, "x.org", "2022-01-01"), (1, "v.org", "2022-01-02"), (2, "x.org", None)
    )
    done("dedup", first, "-o", tmp_path / "one", "--counts")
    on = ("--against", tmp_path / "one.echo", "--append-kept", "--counts")
    done("dedup", second, "-o", tmp_path / "two", *on)
    assert counts(tmp_path / "two") == {
        "http://x.org/a0": (3, 3, "2020-01-01", "2021-01-01"),
        "http://x.org/b1": (2, 1, "2021-01-02", "2021-01-02"),
    }
    done("dedup", third, "-o", tmp_path / "three", *on)
    assert counts(tmp_path / "three") == {
        "http://x.org/a0": (4, 3, "2020-01-01", "2022-01-01"),
        "http://x.org/b1": (3, 2, "2021-01-02", "2022-01-02"),
        "http://x.org/c2": (1, 1, None, None),
    }
    # The same as if all had been there at once.
    done("dedup", first, second, third, "-o", tmp_path / "all", "--counts")
    assert counts(tmp_path / "all") == counts(tmp_path / "three")


def test_dropped_pages_do_not_count(tmp_path: Path) -> None:
    table = crawl(tmp_path, "a", (0, "x.org", None), (0, "y.org", None))
    with table.open("a") as file:
        file.write("short,http://z.org/,\n")
    found = webecho.dedup(table, tmp_path / "out", counts=True, min_words=3)
    assert found.summary["counts"]["dropped"] == 1
    assert counts(tmp_path / "out") == {"http://x.org/a0": (2, 2, None, None)}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("named", ["3", "three"])
def test_ids_are_of_the_type_they_have_in_the_other_tables(
    tmp_path: Path, ending: str, named: str
) -> None:
    for name, rows in (("a", [(1, 0), (2, 0)]), ("b", [(named, 1), (4, 0)])):
        ids = [int(id_) if str(id_).isdigit() else str(id_) for id_, _ in rows]
        made = pa.array(ids if named == "3" else [*map(str, ids)])
        table = pa.table({"id": made, "text": [TEXTS[text] for _, text in rows]})
        file = tmp_path / f"{name}.{ending}"
        if ending == "parquet":
            pq.write_table(table, file)
        else:
            file.write_text("".join(f"{json.dumps(row)}\n" for row in table.to_pylist()))
    done("dedup", tmp_path / f"a.{ending}", "-o", tmp_path / "one", "--counts")
    on = ("--against", tmp_path / "one.echo", "--append-kept", "--counts")
    done("dedup", tmp_path / f"b.{ending}", "-o", tmp_path / "two", *on)
    for out, ids in (("one", [1]), ("two", [1, 3])):
        found = pq.read_table(tmp_path / out / "counts.parquet")["id"]
        assert found.type == pq.read_table(tmp_path / out / "clusters.parquet")["id"].type
        expected = ids if named == "3" else [str(id_).replace("3", named) for id_ in ids]
        assert found.to_pylist() == expected
