"""The tables of Pereira 2006, worked out by hand on small collections."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import webecho
from tests.collections_made import as_parquet, page
from tests.command import contents, done
from tests.command import webecho as run
from tests.lettered import sketched
from webecho.workspace.layout import Layout
from webecho.workspace.listed import write_list
from webecho.workspace.workspace import Workspace

# A cluster of three, one of two, one that is near to it at 3 of 4, and two that are too short.
LETTERS = ["abcd", "abcd", "efgh", "dcba", "ijkl", "efgh", "efgx", "mnop", "ab", "ab"]
HOSTS = ["a.example.org", "b.example.org", "www.example.net", "c.example.org"]
HOSTS += ["a.example.org", "www.example.com", *["a.example.org"] * 4]


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    return sketched(tmp_path, LETTERS, HOSTS)


def test_tables_1_to_3(letters: Path) -> None:
    study = webecho.study_duplicates(letters)
    [row] = study.tables["collections"].to_pylist()
    assert row["pages"] == 10
    assert row["at most 450 characters"] == 2
    assert row["documents"] == 8
    # Twelve sentences of 46 characters, each followed by a space but the last; six in two.
    assert row["bytes"] == 8 * (12 * 47 - 1) + 2 * (6 * 47 - 1)
    [row] = study.tables["duplicates"].to_pylist()
    assert row == {
        "collection": "letters",
        "documents": 8,
        "clusters": 2,
        "duplicates": 3,
        "share of duplicates": 3 / 8,
        "unique": 3,
    }
    [row] = study.tables["near_duplicates"].to_pylist()
    assert row == {
        "collection": "letters",
        "share of duplicates": 3 / 8,
        "share near at 90%": 3 / 8,
        "share near at 70%": 4 / 8,
        "share near at 50%": 4 / 8,
    }
    rows = study.tables["near_clusters"].to_pylist()
    assert [(row["clusters"], row["near-duplicates"]) for row in rows] == [(2, 3), (2, 4), (2, 4)]


def test_clusters_on_one_site_and_on_several(letters: Path) -> None:
    rows = webecho.study_duplicates(letters).tables["sites"].to_pylist()
    assert [
        (row["size from"], row["to"], row["clusters"], row["on one site"], row["on several"])
        for row in rows
    ] == [(2, 2, 1, 0, 1), (3, 10, 1, 1, 0)]


def test_each_part_is_clustered_by_itself(letters: Path) -> None:
    reachable = pa.array([True, True, True, False, True, False, True, True, True, True])
    study = webecho.study_duplicates(letters, reachable=[reachable])
    # Of the cluster of three two are reachable; that of two has one document in each part.
    assert study.tables["parts"].to_pylist() == [
        {"collection": "letters", "size": 2, "complete": 1, "reachable": 1, "unreachable": 0},
        {"collection": "letters", "size": 3, "complete": 1, "reachable": 0, "unreachable": 0},
    ]
    rows = {row["part"]: row for row in study.tables["statistics"].to_pylist()}
    assert [rows[part]["documents"] for part in rows] == [8, 6, 2]
    assert [rows[part]["duplicates"] for part in rows] == [3, 1, 0]
    assert (
        "1 clusters have two documents in the complete collection, 1 in its two parts"
        in (study.sentences[-1])
    )


def test_several_collections_are_a_row_each(tmp_path: Path) -> None:
    first = sketched(tmp_path, LETTERS)
    (tmp_path / "other").mkdir()
    second = sketched(tmp_path / "other", LETTERS[:4])
    study = webecho.study_duplicates([first, second])
    rows = study.tables["duplicates"].to_pylist()
    assert [row["collection"] for row in rows] == ["letters-1", "letters-2"]
    assert [row["duplicates"] for row in rows] == [3, 2]


def test_the_same_bytes_whatever_the_threads(letters: Path, tmp_path: Path) -> None:
    for threads in (1, 2):
        done("study", "duplicates", letters, "-o", tmp_path / str(threads), "--threads", threads)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_a_collection_without_documents(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "p.parquet", [page(0, "Short."), page(1, "." * 600)])
    done("sketch", source, "-o", tmp_path / "crawl.echo")
    study = webecho.study_duplicates(tmp_path / "crawl.echo")
    [row] = study.tables["collections"].to_pylist()
    # Six hundred periods are a document, but one without a sentence.
    assert (row["documents"], row["without sentences"]) == (1, 1)
    [row] = study.tables["duplicates"].to_pylist()
    assert (row["clusters"], row["duplicates"]) == (0, 0)
    done("study", "duplicates", tmp_path / "crawl.echo")


def test_what_cannot_be_is_refused(letters: Path) -> None:
    with pytest.raises(webecho.SettingsError, match=r"near=1\.5"):
        webecho.study_duplicates(letters, near=(1.5,))
    assert run("study", "duplicates", letters, "--near", "0").exit_code == 2


@pytest.mark.data
def test_near_duplicates_of_real_pages_equal_counting_all_pairs(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "2018.echo"
    done("sketch", data / "snapshots" / "1.parquet", "-o", path, "--columns", "none")
    study = webecho.study_duplicates(path)
    rows = study.tables["documents-2018"]
    lists = Workspace.open(path).table("paragraphs")["paragraphs"].take(rows["page"]).to_pylist()
    # A column for each paragraph and how often it came before: shared columns are common ones.
    columns: dict[tuple[int, int], int] = {}
    places = []
    for document, paragraphs in enumerate(lists):
        before: dict[int, int] = {}
        for value in paragraphs:
            before[value] = before.get(value, 0) + 1
            column = columns.setdefault((value, before[value]), len(columns))
            places.append((document, column))
    at = np.array(places)
    shape = (len(lists), len(columns))
    matrix = coo_array((np.ones(len(at)), (at[:, 0], at[:, 1])), shape=shape).tocsr()
    common = (matrix @ matrix.T).tocoo()
    lengths = rows["paragraphs"].to_numpy()
    assert lengths.tolist() == [len(each) for each in lists]
    share = common.data / np.maximum(lengths[common.row], lengths[common.col])
    for least, name in ((1.0, "cluster"), *((p, f"near_{p}") for p in (0.9, 0.7, 0.5))):
        pairs = share >= least
        edges = (np.ones(pairs.sum()), (common.row[pairs], common.col[pairs]))
        graph = coo_array(edges, shape=(len(lists), len(lists)))
        _, labels = connected_components(graph, directed=False)
        firsts = {label: number for number, label in reversed([*enumerate(labels)])}
        pages = rows["page"].to_pylist()
        assert rows[name].to_pylist() == [pages[firsts[label]] for label in labels]


def test_parts_are_those_that_the_study_of_the_graph_wrote(letters: Path) -> None:
    assert "parts" not in webecho.study_duplicates(letters).tables
    reached = [True, True, True, False, True, False, True, True, True, True]
    file = Layout(letters).study("graph") / "pages.parquet"
    file.parent.mkdir(parents=True)
    pq.write_table(pa.table({"page": range(10), "reached": reached}), file)
    write_list(file.parent)
    study = webecho.study_duplicates(letters)
    told = webecho.study_duplicates(letters, reachable=[pa.array(reached)])
    assert study.tables["parts"] == told.tables["parts"]
    assert "parts" not in webecho.study_duplicates(letters, reachable=[None]).tables


def test_flags_of_reached_pages_must_fit(letters: Path) -> None:
    for wrong in ([pa.array([True])], [], [pa.nulls(20, pa.bool_())], [pa.array([1] * 20)]):
        with pytest.raises(webecho.SettingsError, match="reachable"):
            webecho.study_duplicates(letters, reachable=wrong)


def test_figures_can_be_drawn_from_python(letters: Path, tmp_path: Path) -> None:
    files = webecho.study_duplicates(letters).draw(tmp_path / "figures")
    assert [file.name for file in files] == [
        f"cluster_sizes-complete{form}.{kind}"
        for form in ("", "-at_least")
        for kind in ("pdf", "svg", "png", "caption.txt")
    ]
    # The same as those that the command writes.
    done("study", "duplicates", letters, "-o", tmp_path / "written")
    for file in files:
        assert file.read_bytes() == (tmp_path / "written" / file.name).read_bytes()
