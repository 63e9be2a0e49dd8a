"""Tables that lie in a store: executors read them there themselves if Spark has the store's
connector, and look first, each at its share, whether they are what was written."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from webecho import _core
from webecho.workspace.mirror import address, is_put
from webecho.workspace.objects import open_store
from webecho.workspace.scratch import temporary_folder
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What Spark calls a scheme that others call otherwise.
SCHEMES = {"s3": "s3a"}


def places(session: "SparkSession", stored: Stored) -> list[str] | None:
    """Where executors read the files of a table in a store; None if they cannot, or if one is not
    what was written."""
    if not stored.files or not all(map(is_put, stored.files)):
        return None
    found = [spark_address(file) for file in stored.files]
    if not reads(session, found[0].partition("://")[0]):
        return None
    if stored.in_store is not None:
        unchecked = stored.in_store.unchecked()
        if not are_whole(session, unchecked):
            return None
        stored.in_store.checked.update(file for file, _ in unchecked)
    return found


def spark_address(file: Path) -> str:
    """The address of a file as Spark spells it."""
    scheme, sign, place = address(file).partition("://")
    return f"{SCHEMES.get(scheme, scheme)}{sign}{place}"


def reads(session: "SparkSession", scheme: str) -> bool:
    """Whether a session has what reads addresses of a scheme."""
    from py4j.protocol import Py4JJavaError

    jvm = session.sparkContext._jvm
    if jvm is None:
        return False
    try:
        known = session.sparkContext._jsc.hadoopConfiguration()
        jvm.org.apache.hadoop.fs.FileSystem.getFileSystemClass(scheme, known)
    except Py4JJavaError:
        return False
    return True


def are_whole(session: "SparkSession", files: Sequence[tuple[Path, str]]) -> bool:
    """Whether files have these checksums, of which executors see to it."""
    if not files:
        return True
    items = [(address(file), checksum) for file, checksum in files]
    return all(session.sparkContext.parallelize(items, len(items)).map(is_whole).collect())


def is_whole(item: tuple[str, str]) -> bool:
    """Whether an object has this checksum."""
    folder, _, name = item[0].rpartition("/")
    with temporary_folder() as scratch:
        file = scratch / "object"
        open_store(folder).get(name, file)
        return _core.file_checksum(file) == item[1]
