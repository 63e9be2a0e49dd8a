"""Sessions of Spark: started, or a user's own; what is refused."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webecho
from webecho.engine.spark import session
from webecho.engine.spark.session import as_session, sibling, start_session
from webecho.errors import MemoryBudgetError, SettingsError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.spark
def test_a_sibling_has_its_own_names_and_the_users_settings(spark: "SparkSession") -> None:
    users = spark.newSession()
    users.conf.set("spark.sql.shuffle.partitions", "7")
    users.conf.set("spark.sql.ansi.enabled", "false")
    users.range(3).createOrReplaceTempView("mine")
    own = sibling(users)
    assert own.conf.get("spark.sql.shuffle.partitions") == "7"
    assert own.conf.get("spark.sql.ansi.enabled") == "true"
    assert users.conf.get("spark.sql.ansi.enabled") == "false"
    assert not own.catalog.tableExists("mine")
    own.range(2).createOrReplaceTempView("mine")
    assert users.table("mine").count() == 3


@pytest.mark.spark
def test_the_session_of_the_process_is_the_one_that_is_given(spark: "SparkSession") -> None:
    said: list[str] = []
    found = start_session(None, {}, 4 << 30, said.append)
    assert found.sparkContext is spark.sparkContext
    # Its memory was set when it was started.
    [warning] = said
    assert warning.startswith("--memory is not what holds Spark: its memory was set")
    assert as_session(spark, None, said.append) is spark and len(said) == 1
    assert as_session(spark, 4 << 30, said.append) is spark and len(said) == 2


@pytest.mark.spark
def test_too_little_memory_is_refused_all_the_same(spark: "SparkSession") -> None:
    assert spark.range(1).count() == 1
    with pytest.raises(MemoryBudgetError, match="give --memory 923MB or more"):
        start_session(None, {}, 1 << 20)


@pytest.mark.spark
def test_what_is_no_session_is_refused() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    with pytest.raises(SettingsError, match="takes local, spark or a SparkSession, and not a "):
        as_session(object())


@pytest.mark.spark
def test_a_session_of_spark_connect_is_refused() -> None:
    connect = pytest.importorskip(
        "pyspark.sql.connect.session", reason="grpc is not installed", exc_type=ImportError
    )
    given = object.__new__(connect.SparkSession)
    with pytest.raises(SettingsError, match="a session of Spark Connect has its driver elsewhere"):
        as_session(given)


@pytest.mark.parametrize("master", ["nowhere", "http://host", "spark:", "localhost:7077", "mesos"])
def test_a_master_is_one_of_sparks(master: str) -> None:
    with pytest.raises(SettingsError, match=r"is no master of Spark; give local\[2\], spark://"):
        session.check_settings(master, {})


def test_what_masters_there_are() -> None:
    for master in ("local", "local[2]", "local[*]", "spark://h:7077", "yarn", "k8s://https://h"):
        session.check_settings(master, {"spark.executor.cores": "2"})
    with pytest.raises(SettingsError, match=r"--spark-conf executor.cores: what Spark can be told"):
        session.check_settings(None, {"executor.cores": "2"})


PROGRAM = """
import sys
sys.modules["pyspark"] = None
import webecho
try:
    webecho.clusters("nowhere.jsonl", engine="spark")
except webecho.SettingsError as error:
    print(error)
"""


def test_without_pyspark_the_fix_is_named() -> None:
    """In a Python of its own, where it cannot be imported."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert run.stdout == (
        "the Spark engine needs pyspark, which is not installed; pip install 'webecho[spark]', "
        "with Java 17 or 21 on the machine\n"
    )


@pytest.mark.spark
def test_an_old_pyspark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    monkeypatch.setattr(pyspark, "__version__", "3.5.1")
    with pytest.raises(SettingsError, match=r"needs pyspark 4, and 3\.5\.1 is installed"):
        start_session(None, {})


def test_what_spark_says_against_a_master_is_told_in_a_line() -> None:
    text = "An error occurred while calling None.x.\n: java.lang.Exception: no such host\n\tat a.b"
    found = session.refused("spark://h:1", text)
    assert str(found) == (
        "Spark cannot be started with --master spark://h:1 (no such host); mend that, or try "
        "--master local[*]"
    )


@pytest.mark.spark
def test_a_warning_names_the_line_that_called(spark: "SparkSession", tmp_path: Path) -> None:
    webecho.sketch(["one text", "another text"], tmp_path / "a.echo")
    with pytest.warns(UserWarning, match="is not what holds Spark") as told:
        webecho.clusters(tmp_path / "a.echo", rule="text", memory="2GB", engine=spark)
    assert [each.filename for each in told if each.category is UserWarning] == [__file__]


def test_no_other_master_is_offered_where_it_is_no_help() -> None:
    found = session.refused("local[2]", ": java.lang.Exception: too little driver memory")
    told = "Spark cannot be started with --master local[2] (too little driver memory); mend that"
    assert str(found) == told


@pytest.mark.spark
def test_a_setting_that_cannot_be_read_is_told_at_once(spark: "SparkSession") -> None:
    wrong = {"spark.sql.shuffle.partitions": "many"}
    with pytest.raises(SettingsError, match=r"^a setting of Spark cannot be read .*many.*mend it$"):
        start_session(None, wrong)
    assert spark.conf.get("spark.sql.shuffle.partitions") != "many"


def test_where_the_executor_is_the_driver() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    assert session.is_local("local[2]", False) and session.is_local(None, False)
    assert not session.is_local("spark://h:1", False) and not session.is_local("yarn", True)


def test_where_nobody_answers_is_told_before_spark_is_started() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        there = server.getsockname()[1]
        session.check_reached(f"spark://127.0.0.1:{there}")
        # One of several is enough.
        session.check_reached(f"spark://nowhere.invalid:7077,127.0.0.1:{there}")
    with pytest.raises(SettingsError) as told:
        session.check_reached(f"spark://127.0.0.1:{there},nowhere.invalid:x")
    said = told.value.for_command_line()
    assert said.startswith(f"--master spark://127.0.0.1:{there},nowhere.invalid:x: nobody answers")
    assert "Connection refused" in said and said.endswith("can be reached from here")
    for other in (None, "local[2]", "yarn", "k8s://https://nowhere.invalid"):
        session.check_reached(other)
