"""webecho is sent along to executors that lack it, by the commands of `docs/spark.md`."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.built_wheel import built_wheel, pip_of, ran
from tests.collections_made import as_jsonl, small_web
from tests.command import contents, done
from tests.engine.spark.cluster import SMALL, Cluster, cluster_of
from tests.engine.spark.test_docs import COMMANDS, SUBMITTED

pytestmark = [pytest.mark.spark, pytest.mark.soak]
[MADE] = [each for each in COMMANDS if each.startswith("python -m venv")]
[PACKED] = [each for each in COMMANDS if "venv-pack" in each]
[COPIED] = [each for each in COMMANDS if each.startswith("cp ")]
BY_ENVIRONMENT, BY_WHEEL = (each for each in COMMANDS if "--archives" in each)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Cluster]:
    """Workers whose Python has no packages."""
    (tmp_path / "cluster").mkdir()
    with cluster_of(tmp_path / "cluster", 1, bare=True) as made:
        yield made


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def wheel(built: Path, tmp_path: Path) -> Path:
    """Where the commands of the page look for it."""
    (tmp_path / "dist").mkdir()
    return Path(shutil.copy(built, tmp_path / "dist"))


def shell(command: str, folder: Path) -> str:
    """Runs a command of the page; Spark's own file has what a small machine needs."""
    (folder / "conf").mkdir(exist_ok=True)
    lines = [f"{name} {value}\n" for name, value in SMALL.items()]
    (folder / "conf" / "spark-defaults.conf").write_text("".join(lines))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "SPARK_CONF_DIR": str(folder / "conf")}
    ended = subprocess.run(
        ["bash", "-c", command],
        check=False,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def sketched(command: str, folder: Path, cluster: Cluster) -> None:
    """What is submitted sketches as a command of this machine does."""
    source = as_jsonl(folder / "a.jsonl", small_web())
    (folder / "run_webecho.py").write_text(SUBMITTED)
    done("sketch", source, "-o", folder / "l.echo")
    asked = f"sketch {source} -o {folder / 's.echo'} --engine spark"
    shell(re.sub("…$", asked, command.replace("spark://…", cluster.url)), folder)
    assert contents(folder / "s.echo") == contents(folder / "l.echo")


def spark_of_cluster() -> str:
    from pyspark import __version__

    return f"pyspark=={__version__}"


def install(wheel: Path, environment: Path) -> None:
    """What a user installs, with the Spark of the cluster."""
    ran(*pip_of(environment), f"{wheel}[spark]", spark_of_cluster())


def test_an_environment(bare: Cluster, wheel: Path, tmp_path: Path) -> None:
    assert wheel.parent == tmp_path / "dist"
    shell(MADE, tmp_path)
    shell(f"env/bin/pip install --quiet {spark_of_cluster()}", tmp_path)
    shell(PACKED, tmp_path)
    sketched(BY_ENVIRONMENT, tmp_path, bare)


def test_the_wheel_alone(bare: Cluster, wheel: Path, tmp_path: Path) -> None:
    """The driver has all, executors all but webecho."""
    for name in ("env", "executors"):
        install(wheel, tmp_path / name)
    python = tmp_path / "executors" / "bin" / "python"
    ran(sys.executable, "-m", "pip", "--python", python, "uninstall", "-y", "webecho")
    shell(COPIED, tmp_path)
    sketched(BY_WHEEL.replace("/path/of/executors/python", str(python)), tmp_path, bare)
