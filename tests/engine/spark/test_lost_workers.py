"""A worker that is lost changes nothing: the same answer, nothing twice, nothing lost."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, as_parquet, many_pages
from tests.command import contents, done
from tests.engine.spark.cluster import Cluster, wait_until

pytestmark = [pytest.mark.spark, pytest.mark.soak]

GROUPS = 60


def files(folder: Path) -> dict[str, str]:
    """All files in a folder with a dedup, but the one that tells how the run went."""
    return {name: each for name, each in contents(folder).items() if "run.json" not in name}


def test_a_worker_is_killed_while_executors_sketch(cluster: Cluster, tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "pages.parquet", many_pages(GROUPS * 20, words=400), rows=20)
    done("sketch", source, "-o", tmp_path / "l.echo", "--part-pages", 150)
    out = tmp_path / "s.echo"
    # A split for each row group.
    driver = cluster.started(
        *("sketch", source, "-o", out, "--part-pages", 150), sql_files_maxPartitionBytes="1"
    )
    notes: list[Path] = []

    def some_are_sketched() -> bool:
        notes[:] = (out / ".splits").glob("*.json")
        return len(notes) >= 3

    wait_until(driver, some_are_sketched, "three splits are sketched")
    cluster.kill(0)
    assert len(notes) < GROUPS
    cluster.ended(driver)
    assert contents(out) == contents(tmp_path / "l.echo")


def test_a_worker_is_killed_while_executors_write(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    folder.mkdir()
    for number in range(GROUPS):
        as_jsonl(folder / f"{number:02}.jsonl", many_pages(40, seed=number // 2, words=200))
    (tmp_path / "l").mkdir()
    (tmp_path / "s").mkdir()
    done("dedup", folder, "-o", tmp_path / "l" / "out")
    driver = cluster.started("dedup", folder, "-o", tmp_path / "s" / "out")
    copies = tmp_path / "s" / ".out.new" / ".copies"
    begun: list[Path] = []

    def some_are_written() -> bool:
        begun[:] = copies.glob("*")
        return len(begun) >= 3

    wait_until(driver, some_are_written, "three files are written")
    cluster.kill(1)
    assert len(begun) < GROUPS
    cluster.ended(driver)
    assert not copies.exists()
    written = [files(tmp_path / name) for name in ("s", "l")]
    assert written[0] == written[1]
    assert len([name for name in written[0] if name.startswith("out/data/")]) == GROUPS
