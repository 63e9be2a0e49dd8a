"""Whether there is a Java that Spark runs on."""

from pathlib import Path

import pytest

from webecho.engine.spark.java import check_java, java_version
from webecho.errors import SettingsError


def java(home: Path, says: str) -> Path:
    """A folder as JAVA_HOME names it, whose Java says this of itself."""
    command = home / "bin" / "java"
    command.parent.mkdir(parents=True)
    command.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    command.chmod(0o755)
    return command


@pytest.mark.parametrize(
    ("says", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "21" 2023-09-19', 21),
        ('java version "1.8.0_452"', 8),
        ("what?", None),
    ],
)
def test_the_version_is_what_java_says(tmp_path: Path, says: str, version: int | None) -> None:
    assert java_version(str(java(tmp_path, says))) == version


def test_a_java_that_does_is_no_complaint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java(tmp_path, 'openjdk version "21.0.2" 2024-01-16')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    check_java()


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ('java version "1.8.0_452"', "is Java 8, too old for Spark 4; install Java 17 or 21"),
        ("what?", "does not say its version; install Java 17 or 21"),
        (None, "the Spark engine needs Java, which is not here; install Java 17 or 21"),
    ],
)
def test_what_is_wrong_is_told_with_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str | None, message: str
) -> None:
    if says is not None:
        java(tmp_path, says)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SettingsError) as raised:
        check_java()
    assert message in str(raised.value) and "JAVA_HOME" in str(raised.value)
