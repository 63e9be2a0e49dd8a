"""A real cluster on this machine: a standalone master and workers, processes of their own that can
be killed. Drivers are processes of their own too, for a process has one session of Spark.

```
def test_…(cluster: Cluster, tmp_path: Path) -> None:
    driver = cluster.started("clusters", crawl, "--rule", "similar")
    wait_until(driver, lambda: something_lies_on_the_disk(), "it began")
    cluster.kill(0)
    cluster.ended(driver)
```
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import webecho
from tests.command import WEBECHO

HOST = "127.0.0.1"
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
# A small machine: one core a worker, one executor in it.
SMALL = {
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
PATIENCE = 180  # seconds


class Cluster:
    """A master and workers; what they write lies in the folder. The Python of `bare` workers is
    another one than ours, and has no packages."""

    def __init__(self, folder: Path, *, bare: bool = False) -> None:
        self.folder = folder
        self.bare = bare
        self.port, self.web = free_port(), free_port()
        self.url = f"spark://{HOST}:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        ports = ("--port", self.port, "--webui-port", self.web)
        self.master = self._daemon(MASTER, "--host", HOST, *ports)
        wait_until(self.master, self._answers, "the master answers")

    def add_worker(self) -> None:
        """Starts a worker of one core."""
        number = len(self.workers)
        places = ("--webui-port", free_port(), "--work-dir", self.folder / f"worker-{number}")
        room = ("--cores", 1, "--memory", "1g")
        self.workers.append(self._daemon(WORKER, "--host", HOST, *places, *room, self.url))

    def wait_for(self, workers: int) -> None:
        """Waits until so many workers have registered."""
        wait_until(self.master, lambda: self._alive() == workers, f"{workers} workers are there")

    def kill(self, number: int) -> None:
        """Kills a worker with its executor and the Python of that, as when a machine is lost."""
        worker = self.workers[number]
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def started(self, *arguments: object, **conf: str) -> "subprocess.Popen[bytes]":
        """Starts a command of ours on the cluster; `a_b="c"` is the setting `spark.a.b`."""
        settings = SMALL | {f"spark.{name.replace('_', '.')}": conf[name] for name in conf}
        said = [part for name in settings for part in ("--spark-conf", f"{name}={settings[name]}")]
        command = [*WEBECHO, *map(str, arguments), "--engine", "spark", "--master", self.url, *said]
        log = (self.folder / "driver.log").open("wb")
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ended(self, driver: "subprocess.Popen[bytes]") -> str:
        """What a command has said that must end well."""
        code = driver.wait(PATIENCE)
        said = (self.folder / "driver.log").read_text(encoding="utf-8")
        assert code == 0, said
        return said

    def close(self) -> None:
        for process in (*self.workers, self.master):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _daemon(self, kind: str, *arguments: object) -> "subprocess.Popen[bytes]":
        import pyspark

        home = Path(pyspark.__file__).parent
        # Executors have the environment of their worker, and so our package.
        paths = [str(Path(webecho.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "SPARK_NO_DAEMONIZE": "1",
            "PYTHONPATH": "" if self.bare else os.pathsep.join(filter(None, paths)),
            "PYSPARK_PYTHON": bare_python() if self.bare else sys.executable,
        }
        name = f"{kind.rpartition('.')[2].lower()}-{len(self.workers)}.log"
        with (self.folder / name).open("wb") as log:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), kind, *map(str, arguments)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Its executors are of its group, and end with it.
                start_new_session=True,
            )

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    def _alive(self) -> int:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.web}/json/", timeout=10) as page:
                return int(json.load(page)["aliveworkers"])
        except (OSError, ValueError):
            # Its page comes a moment later than itself, and what it says of workers later still.
            return 0


def bare_python() -> str:
    """The Python that ours was made from, without what was installed for ours."""
    return str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def wait_until(process: "subprocess.Popen[bytes]", happened: Callable[[], bool], what: str) -> None:
    """Waits for something as long as a process runs that should do it."""
    start = time.monotonic()
    while not happened():
        assert process.poll() is None, f"it ended before {what}"
        assert time.monotonic() - start < PATIENCE, f"in {PATIENCE} seconds it was not that {what}"
        time.sleep(0.05)


@contextmanager
def cluster_of(folder: Path, workers: int, *, bare: bool = False) -> Iterator[Cluster]:
    """A cluster with so many workers, gone when the block ends."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    from webecho.engine.spark.java import java_command

    if java_command() is None:
        pytest.skip("there is no Java here")
    made = Cluster(folder, bare=bare)
    try:
        for _ in range(workers):
            made.add_worker()
        made.wait_for(workers)
        yield made
    finally:
        made.close()
