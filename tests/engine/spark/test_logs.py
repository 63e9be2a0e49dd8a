"""What Spark says by itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, small_web
from webecho.engine.spark.logs import JAVA_OPTIONS, LOG_SETTINGS, quiet_java


def options(monkeypatch: pytest.MonkeyPatch, **said: str) -> str | None:
    """What Java is given in the block; after it all is as it was."""
    for name in (JAVA_OPTIONS, "SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    with quiet_java():
        found = os.environ.get(JAVA_OPTIONS)
    assert os.environ.get(JAVA_OPTIONS) == said.get(JAVA_OPTIONS)
    return found


def test_java_is_given_our_settings_beside_those_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = options(monkeypatch)
    assert ours is not None
    assert Path(ours.removeprefix("-Dlog4j2.configurationFile=file:")).is_file()
    assert options(monkeypatch, SPARK_SUBMIT_OPTS="-Xss8m") == f"-Xss8m {ours}"


def test_what_the_user_says_of_the_log_holds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = "-Dlog4j2.configurationFile=file:/etc/mine"
    assert options(monkeypatch, SPARK_SUBMIT_OPTS=own) == own
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / LOG_SETTINGS).touch()
    assert options(monkeypatch, SPARK_HOME=str(tmp_path)) is None
    assert options(monkeypatch, SPARK_CONF_DIR=str(tmp_path / "conf")) is None
    assert options(monkeypatch, SPARK_CONF_DIR=str(tmp_path)) is not None


@pytest.mark.spark
def test_a_command_says_nothing_of_spark(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    asked = ["clusters", str(tmp_path / "web.echo"), "--rule", "tokens", "--engine", "spark", "-q"]
    command = [sys.executable, "-m", "webecho"]
    subprocess.run([*command, "sketch", file, "-o", tmp_path / "web.echo"], check=True)
    done = subprocess.run(
        [*command, *asked, "--master", "local[1]"], capture_output=True, text=True, check=True
    )
    # What Java itself says of how pyspark starts it.
    assert [line for line in done.stderr.splitlines() if "incubator" not in line] == []
