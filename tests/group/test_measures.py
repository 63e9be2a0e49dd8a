"""What is measured of pairs on demand, against `diff --minimal` and the shingle sets."""

import random
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import as_jsonl, page, prose
from tests.command import done
from tests.command import webecho as run
from tests.group.test_similarity_pairs import family_web
from webecho import _core
from webecho.errors import SettingsError
from webecho.group.measures import MeasureSettings
from webecho.settings import HENZINGER_2006
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace


def by_diff(left: list[int], right: list[int], folder: Path) -> int:
    """The lines that GNU diff removes and adds, one token a line."""
    for name, tokens in (("left", left), ("right", right)):
        (folder / name).write_text("".join(f"{token}\n" for token in tokens))
    command = ["diff", "--minimal", str(folder / "left"), str(folder / "right")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode < 2, found.stderr
    return sum(line.startswith(("<", ">")) for line in found.stdout.splitlines())


def measured(left: list[int], right: list[int], most: int = 5000) -> list[int | None]:
    values = pa.array([2 * token for token in left + right], pa.int64())
    starts = pa.array([0, len(left)], pa.int64())
    ends = pa.array([len(left), len(left) + len(right)], pa.int64())
    one, other = pa.array([0], pa.int64()), pa.array([1], pa.int64())
    found = _core.term_differences((values, starts, ends), one, other, most, 1)
    return [found["term_difference"][0].as_py(), found["text_difference"][0].as_py()]


@pytest.mark.parametrize("seed", range(40))
def test_the_term_difference_is_that_of_a_minimal_diff(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    alphabet = chance.choice([2, 5, 40, 1000])
    left = [chance.randrange(alphabet) for _ in range(chance.randrange(400))]
    if seed % 2:
        right = [chance.randrange(alphabet) for _ in range(chance.randrange(400))]
    else:
        right = [token for token in left if chance.random() < 0.9]
        for _ in range(chance.randrange(20)):
            right.insert(chance.randrange(len(right) + 1), chance.randrange(alphabet))
        start = chance.randrange(len(right) + 1)
        right = [*right[start:], *right[:start]] if seed % 4 else right
    expected = by_diff(left, right, tmp_path)
    assert measured(left, right) == [expected, expected]
    assert measured(left, right, expected) == [expected, expected]
    if expected:
        assert measured(left, right, expected - 1) == [-1, -1]


@pytest.mark.data
def test_real_pages_differ_as_diff_says(data: Path, tmp_path: Path) -> None:
    crawl = tmp_path / "w.echo"
    done("sketch", data / "snapshots" / "1.parquet", "-o", crawl, "--recipe", "henzinger2006")
    options = ["--measure", "difference", "--measured", 40, "--seed", 2]
    done("pairs", crawl, "--rule", "c", *options)
    rows = pq.read_table(Layout(crawl).pairs("c-372-seed-2")).to_pylist()
    rows = [row for row in rows if row["term_difference"] is not None]
    assert len(rows) > 30
    html = pq.read_table(data / "snapshots" / "1.parquet", columns=["url", "html"]).to_pylist()
    sketcher = _core.Sketcher(HENZINGER_2006.as_dict(), 1)
    for row in rows:
        left, right = (
            sketcher.tokens(html[row[side]]["html"], True, None, html[row[side]]["url"]).to_pylist()
            for side in ("left", "right")
        )
        assert row["term_difference"] == by_diff(left, right, tmp_path)
        assert row["text_difference"] <= row["term_difference"]


def test_images_count_as_terms_or_not(tmp_path: Path) -> None:
    text = prose(1, 300)
    pages = [
        page(0, f"<p>{' '.join(text)} <img src=a.gif><img src=b.gif> old"),
        page(1, f"<p>{' '.join(text)} <img src=a.gif><img src=c.gif><img src=d.gif> new"),
    ]
    source = str(as_jsonl(tmp_path / "pages.jsonl", pages))
    for recipe, expected in (("henzinger2006", (5, 2)), ("webecho", (2, 2))):
        [row] = webecho.pairs(
            source, "b", least_b=1, recipe=recipe, measure=["difference"]
        ).to_pylist()
        assert (row["term_difference"], row["text_difference"]) == expected
        assert row["more_than"] is None


def test_the_resemblance_is_that_of_the_shingle_sets(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", source, "-o", tmp_path / "w.echo", "--keep-shingles")
    shingles = Workspace.open(tmp_path / "w.echo").table("shingles")["shingles"].to_pylist()
    found = webecho.pairs(str(tmp_path / "w.echo"), "b", measure=["resemblance", "difference"])
    assert found.column_names[6:13] == [
        *("term_difference", "text_difference", "more_than"),
        *("resemblance", "left_containment", "right_containment", "estimated"),
    ]
    for row in found.to_pylist():
        left, right = set(shingles[row["left"]]), set(shingles[row["right"]])
        assert row["resemblance"] == len(left & right) / len(left | right)
        assert row["left_containment"] == len(left & right) / len(left)
        assert row["right_containment"] == len(left & right) / len(right)
        assert row["estimated"] is False


@pytest.mark.parametrize("seed", range(20))
def test_equal_words_are_what_a_minimal_diff_leaves(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    alphabet = chance.choice([2, 9, 300])
    left = [chance.randrange(alphabet) for _ in range(chance.randrange(1, 400))]
    right = [*left]
    for _ in range(chance.randrange(200)):
        start = chance.randrange(len(right) + 1)
        right[start : start + chance.randrange(4)] = [7, chance.randrange(alphabet)]
    terms = (
        pa.array(left + right, pa.int64()),
        *(
            pa.array(ends, pa.int64())
            for ends in ((0, len(left)), (len(left), len(left) + len(right)))
        ),
    )
    found = _core.equal_words(terms, pa.array([0, 1]), pa.array([1, 1]), 1).to_pylist()
    total = len(left) + len(right)
    changed = by_diff(left, right, tmp_path)
    assert found == [
        {"share": (total - changed) / total, "exact": True},
        {"share": 1, "exact": True},
    ]


def test_equal_words_of_pairs_are_those_of_their_pages(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web(families=4))
    done("sketch", source, "-o", tmp_path / "w.echo")
    found = webecho.pairs(tmp_path / "w.echo", "b", measure="equal-words").to_pylist()
    assert found
    for row in found:
        names = f"#{row['left']}", f"#{row['right']}"
        compared = webecho.why(tmp_path / "w.echo", *names)
        assert row["equal_words"] == compared.equal_words
        assert row["equal_words_estimated"] is False
    assert min(row["equal_words"] for row in found) < 0.99


def test_of_how_many_pairs_nothing_is_measured() -> None:
    with pytest.raises(SettingsError, match="say what with --measure difference"):
        MeasureSettings(sample=10)


def test_a_sample_of_the_pairs_can_be_measured(tmp_path: Path) -> None:
    source = str(as_jsonl(tmp_path / "pages.jsonl", family_web()))
    every = webecho.pairs(source, "b", measure=["difference"]).to_pylist()
    some = webecho.pairs(source, "b", measure=["difference"], measured=7).to_pylist()
    known = [row for row in some if row["term_difference"] is not None]
    assert len(known) == 7 < len(every) == len(some)
    assert all(row in every for row in known)
    other = webecho.pairs(source, "b", measure=["difference"], measured=7, seed=1).to_pylist()
    assert [row for row in other if row["term_difference"] is not None] != known


def test_without_the_source_differences_are_not_known(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", source, "-o", tmp_path / "w.echo")
    source.unlink()
    options = ["--measure", "difference", "--measure", "resemblance", "--strict"]
    result = run("pairs", tmp_path / "w.echo", "--rule", "b", *options)
    assert result.exit_code == 3
    assert "no such file" in result.stderr
    rows = pq.read_table(Layout(tmp_path / "w.echo").pairs("b-2")).to_pylist()
    assert {row["term_difference"] for row in rows} == {None}
    assert {row["more_than"] for row in rows} == {None}
    assert {row["estimated"] for row in rows} == {True}
    assert {row["left_containment"] for row in rows} == {None}


def test_an_unknown_measure_is_told_the_known_ones() -> None:
    with pytest.raises(
        webecho.SettingsError, match="there are difference, resemblance, equal-words"
    ):
        webecho.pairs(pa.table({"text": ["a"]}), "b", measure=["colour"])
