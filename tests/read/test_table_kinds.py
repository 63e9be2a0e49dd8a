"""Tables of every library go in, and come out as what they were."""

from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import webecho
from webecho.errors import InputError
from webecho.read.table_kinds import is_split, is_table, is_texts, kind_of

WORDS = "a text of some words that stands here more than once and is long enough to be a page"
OTHER = "quite another text with other words in it, which nobody has written twice so far today"
TEXTS = [WORDS, OTHER, WORDS, ""]
COLUMNS = {"text": TEXTS, "more": [1, 2, 3, 4]}
TABLE = pa.table(COLUMNS)


def rows_of(kept: Any) -> list[dict[str, Any]]:
    """The rows of a table of any kind."""
    if isinstance(kept, pl.LazyFrame):
        kept = kept.collect()
    if isinstance(kept, pd.DataFrame):
        found: list[dict[str, Any]] = kept.to_dict("records")
        return found
    if isinstance(kept, pl.DataFrame):
        return kept.to_dicts()
    return [*kept] if _is_dataset(kept) else kept.to_pylist()


def _is_dataset(kept: Any) -> bool:
    return isinstance(kept, datasets.Dataset | datasets.IterableDataset)


@pytest.mark.parametrize(
    "given",
    [
        TABLE,
        TABLE.to_batches()[0],
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).lazy(),
        pl.DataFrame(COLUMNS, schema_overrides={"text": pl.Categorical}),
        datasets.Dataset(TABLE),
        datasets.Dataset(TABLE).to_iterable_dataset(),
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__}",
)
def test_a_table_comes_back_as_what_it_was(given: Any) -> None:
    found = webecho.dedup(given)
    assert type(found.kept) is type(given)
    kept = [0, 1, 3]
    assert rows_of(found.kept) == [{"text": TEXTS[row], "more": row + 1} for row in kept]


@pytest.mark.parametrize(
    ("given", "as_list"),
    [
        (TEXTS, list),
        (tuple(TEXTS), list),
        (pd.Series(TEXTS, index=list("abcd")), list),
        (pl.Series("words", TEXTS), list),
        (pa.array(TEXTS), lambda kept: kept.to_pylist()),
    ],
)
def test_texts_alone_come_back_as_they_were(given: Any, as_list: Any) -> None:
    found = webecho.dedup(given)
    assert type(found.kept) is type(given)
    assert as_list(found.kept) == [WORDS, OTHER, ""]


def test_a_series_keeps_its_index() -> None:
    found = webecho.dedup(pd.Series(TEXTS, index=list("abcd")))
    assert [*found.kept.index] == ["a", "b", "d"]


def test_splits_of_a_dataset_are_compared_with_each_other() -> None:
    splits = {"train": datasets.Dataset(TABLE), "test": datasets.Dataset(TABLE.slice(1, 2))}
    found = webecho.dedup(datasets.DatasetDict(splits))
    assert isinstance(found.kept, datasets.DatasetDict)
    assert {name: kept["more"][:] for name, kept in found.kept.items()} == {
        "train": [1, 2, 4],
        "test": [],
    }
    assert found.summary["counts"]["read"] == 6


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (TABLE, pa.Table),
        (TEXTS, pa.Table),
        (pd.DataFrame(COLUMNS), pd.DataFrame),
        (pd.Series(TEXTS), pd.DataFrame),
        (pl.DataFrame(COLUMNS).lazy(), pl.DataFrame),
        (datasets.Dataset(TABLE), datasets.Dataset),
        ([pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)], pa.Table),
    ],
)
def test_what_was_decided_comes_as_frames_of_the_library(given: Any, kind: type) -> None:
    found = webecho.dedup(given)
    assert isinstance(found.duplicates, kind) and isinstance(found.clusters, kind)
    assert len(found.duplicates) >= 1


def test_names_of_files_are_no_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a file").write_text("x")
    assert is_texts([WORDS, OTHER]) and is_texts(["", ""]) and is_texts(["x\0", "y" * 100_000])
    for names in (
        ["one text"],
        [WORDS, "a file"],
        ["my crawl.parquet", "my other crawl.parquet"],
        ["s3://bucket/a b", "s3://bucket/c d"],
        ["-", WORDS],
        [WORDS, 5],
        ["crawls/1", "crawls/2"],
        ["week1*", "week2*"],
        ["a.parquet", None],
        [None, None],
        [],
    ):
        assert not is_texts(names)
    with pytest.raises(InputError):
        webecho.dedup(["no such thing.warc.gz", "nor such.warc.gz"])


def test_texts_may_look_like_names_beside_some_that_cannot_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("LICENSE").write_text("x")
    odd = ["http://www.example.org/", "see index.html", "LICENSE", "-", "tcp/ip", None]
    for whole in ("Two lines\nof a text.", "one long line " * 30):
        found = webecho.dedup([*odd, whole, whole])
        assert found.kept == [*odd, whole] and found.removed == [whole]
    assert is_texts(["tcp/ip", "what is tcp?"]) and is_texts(["a text", None])


def test_half_a_character_is_read_as_a_replacement_sign() -> None:
    half = [WORDS + " \ud800", OTHER, WORDS + " \ud800", WORDS]
    for given in (half, pd.DataFrame({"text": half}, dtype=object)):
        found = webecho.dedup(given, rule="text")
        kept = found.kept if isinstance(given, list) else [*found.kept["text"]]
        assert kept == [half[0], OTHER, WORDS]


def test_what_is_no_table() -> None:
    for thing in (5, None, {"text": ["a"]}, object(), {}, "path", Path("path")):
        assert kind_of(thing) is None and not is_table(thing) and not is_split(thing)


ROWS = [{"text": text, "more": {"n": [row, "x"]}} for row, text in enumerate(TEXTS)]


@pytest.mark.parametrize("made", [list, tuple, iter, lambda rows: (row for row in rows)])
def test_dictionaries_are_rows_from_a_list_or_a_generator(made: Any) -> None:
    """What is in columns that are not read may be of any type, and comes back as it was."""
    found = webecho.dedup(made(ROWS))
    assert type(found.kept) is (tuple if made is tuple else list)
    assert [id(row) for row in found.kept] == [id(ROWS[row]) for row in (0, 1, 3)]
    assert found.removed == type(found.kept)([ROWS[2]])
    assert [row["kept_page"] for row in found.duplicates] == [0]
    assert [row["cluster"] for row in found.clusters] == [0, 1, 0, 3]
    assert webecho.sketch(made(ROWS))["tokens"].to_pylist() == [len(text.split()) for text in TEXTS]


def test_rows_may_lack_columns() -> None:
    rows = [{"id": "a", "text": WORDS}, {"text": OTHER, "id": None}, {"text": WORDS}, {"id": "d"}]
    found = webecho.dedup(rows, drop_empty=True)
    assert found.kept == rows[:2] and found.dropped == rows[3:]
    # Texts by a generator are texts, and paths are paths.
    assert webecho.dedup(text for text in TEXTS).kept == [WORDS, OTHER, ""]


def test_rows_are_annotated_in_new_ones() -> None:
    found = webecho.dedup(ROWS, annotate=True).kept
    assert [row["webecho_kept"] for row in found] == [True, True, False, True]
    assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS
    assert "webecho_kept" not in ROWS[0]
    with pytest.raises(webecho.WebechoError, match="has a column webecho_cluster"):
        webecho.dedup(found, annotate=True)


def test_rows_whose_text_is_no_text_are_refused() -> None:
    with pytest.raises(InputError, match="'text' make no column"):
        webecho.dedup([{"text": WORDS}, {"text": 3}, {"text": [3]}])
    assert not is_table([]) and not is_table([{}, 3])


def test_ids_of_which_one_is_text_are_all_text() -> None:
    rows: list[dict[str, Any]] = [{"id": "x1"}, {"id": 1}, {"id": True}, {"id": 2**70}, {}]
    rows = [row | {"text": WORDS} for row in rows]
    found = webecho.dedup(rows)
    assert found.kept == rows[:1]
    assert [row["id"] for row in found.duplicates] == ["1", "true", "1180591620717411303424", None]


def test_files_may_come_from_a_generator(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(WORDS)
    found = webecho.dedup(path for path in sorted(tmp_path.glob("*.txt")))
    assert found.facts["read"] == 2 and found.facts["removed"] == 1


@pytest.mark.parametrize("iterable", [False, True])
def test_a_dataset_is_annotated(iterable: bool) -> None:
    dataset = datasets.Dataset(TABLE)
    given = dataset.to_iterable_dataset() if iterable else dataset
    found = webecho.dedup(given, annotate=True, counts=True).kept
    assert type(found) is type(given)
    rows = [*found]
    assert [row["more"] for row in rows] == [1, 2, 3, 4]
    assert [row["webecho_kept"] for row in rows] == [True, True, False, True]
    assert [row["webecho_cluster"] for row in rows] == [0, 1, 0, 3]
    assert [row["webecho_size"] for row in rows] == [2, 1, 2, 1]
    by_split = webecho.dedup(datasets.DatasetDict(train=dataset), annotate=True).kept
    assert [row["webecho_kept"] for row in by_split["train"]] == [True, True, False, True]


def test_dictionaries_whose_keys_are_no_names_are_refused() -> None:
    with pytest.raises(InputError, match="table 1: 7 is no name of a column"):
        webecho.dedup([{"text": "one", 7: "x"}, {"text": "two", 7: "y"}])
