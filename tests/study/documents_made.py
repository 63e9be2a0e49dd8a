"""A made-up web of documents, its workspace with their paragraphs, and what was planted."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

import webecho
from tests.command import done


@dataclass(frozen=True)
class Made:
    workspace: Path
    truth: pa.Table


def documents_made(folder: Path, pages: int = 900, seed: int = 5, name: str = "made") -> Made:
    web = folder / f"{name}-web"
    truth = webecho.synth(web, pages=pages, seed=seed, duplicates=0.5, form="parquet", graph=True)
    workspace = folder / f"{name}.echo"
    done("sketch", web / "pages", "-o", workspace, "--columns", "none", "--quiet")
    webecho.study_growth(workspace, steps=1)
    return Made(workspace, truth)
