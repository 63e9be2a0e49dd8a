"""How much of what was planted in a made-up web is found, and whether anything else is."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.kernel import reference
from webecho.settings import WEBECHO


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made-up") / "web"
    webecho.synth(folder, pages=4000, form="parquet", seed=11)
    return folder


@pytest.fixture(scope="module")
def truth(web: Path) -> pa.Table:
    return pq.read_table(web / "truth.parquet")


def test_exact_copies_are_all_found_and_none_wrongly(web: Path, truth: pa.Table) -> None:
    identity = truth["identity"].to_pylist()
    rows = webecho.dedup(str(web / "pages"), rule="exact").duplicates
    found = dict(zip(rows["page"].to_pylist(), rows["kept_page"].to_pylist(), strict=True))
    assert found == {page: same for page, same in enumerate(identity) if page != same}
    assert len(found) > 400


@pytest.mark.parametrize("resemblance", [0.6, 0.8, 0.9])
def test_similar_pairs_are_found_by_their_true_resemblance(
    web: Path, truth: pa.Table, resemblance: float
) -> None:
    rows = webecho.pairs(str(web / "pages"), "similar", resemblance).to_pylist()
    found = {(row["left"], row["right"]): row["resemblance"] for row in rows}
    planted = {
        (min(row["page"], row["original"]), max(row["page"], row["original"])): row["resemblance"]
        for row in truth.to_pylist()
        if row["original"] is not None
    }
    wanted = {pair for pair, true in planted.items() if true >= resemblance}
    assert len(wanted) > 500
    assert len(wanted & found.keys()) >= 0.98 * len(wanted)
    # What is reported of a planted pair is what is true of it, and so none is below.
    for pair in found.keys() & planted.keys():
        assert found[pair] == pytest.approx(planted[pair])
    # Of the others (two copies of one page) some are counted anew.
    texts = pages(web)
    for left, right in random.Random(1).sample(sorted(found.keys() - planted.keys()), 60):
        one, other = shingles(texts[left]), shingles(texts[right])
        assert len(one & other) / len(one | other) == pytest.approx(found[left, right])
        assert found[left, right] >= resemblance


def pages(web: Path) -> list[str]:
    files = sorted((web / "pages").iterdir())
    return [html for file in files for html in pq.read_table(file)["html"].to_pylist()]


def shingles(html: str) -> set[int]:
    tokens = reference.token_prints(reference.read_markup(html, WEBECHO), WEBECHO)
    return reference.shingle_set(tokens, WEBECHO)
