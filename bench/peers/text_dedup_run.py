"""A command of text-dedup on a Parquet file, and the clusters that it leaves under `--debug`."""

import os
import pickle
import tempfile
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.parquet as pq


def clustered(
    command: click.Command, source: str, threads: int, options: dict[str, object]
) -> pa.Table:
    with tempfile.TemporaryDirectory(prefix="text-dedup-") as folder:
        given = {"path": "parquet", "data_files": source, "split": "train", "column": "text"}
        given |= {"idx_column": "id", "num_proc": threads, "cache_dir": folder}
        given |= {"output": f"{folder}/kept"} | options
        words = [f"--{name}={value}" for name, value in given.items()]
        command([*words, "--debug"], standalone_mode=False)
        with Path(folder, "kept", "uf.pkl").open("rb") as file:
            forest = pickle.load(file)
    ids = pq.read_table(source, columns=["id"])["id"].to_pylist()
    return pa.table(
        {"id": pa.array(ids, pa.int64()), "cluster": pa.array(map(forest.find, ids), pa.int64())}
    )


os.environ["HF_DATASETS_OFFLINE"] = "1"
