"""What `docs/spark.md` shows is run as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webecho
from tests.collections_made import as_jsonl, small_web

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
PAGE = (Path(__file__).parents[3] / "docs" / "spark.md").read_text()
NOTEBOOK, SUBMITTED = re.findall(r"```python\n(.*?)```", PAGE, re.S)
# One that ends with a backslash goes on in the next line.
COMMANDS = re.findall(r"^\$ ((?:.*\\\n)*.*)$", PAGE, re.M)


def test_the_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: "SparkSession"
) -> None:
    """In the session of all tests, which the page's program finds."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(NOTEBOOK, names)
    assert names["spark"] is spark
    assert names["clusters"] == webecho.clusters("crawl.echo")


def test_spark_submit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a Spark of its own, as that is how it is started."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    there = Path(sys.executable).parent
    if not (there / "spark-submit").is_file() or shutil.which("java") is None:
        pytest.skip("there is no spark-submit here")
    monkeypatch.chdir(tmp_path)
    webecho.sketch(as_jsonl(tmp_path / "a.jsonl", small_web()), "crawl.echo", chunks="lines:4")
    Path("run_webecho.py").write_text(SUBMITTED)
    [command] = [each for each in COMMANDS if each.startswith("spark-submit")]
    path = f"{there}{os.pathsep}{os.environ['PATH']}"
    options = "--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=1"
    given = command.replace("spark-submit", f"spark-submit {options}").split()
    ran = subprocess.run(
        given, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    assert ran.returncode == 0, ran.stderr
    assert "chunking            lines:4\n" in ran.stdout
    assert Path("crawl.echo/overlap/lines-4-15.parquet").is_file()
