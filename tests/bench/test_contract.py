import pyarrow.parquet as pq
from bench.peers.contract import batches, fingerprints, joined, word_shingles, write

from tests.bench.test_corpora import corpus


def test_joined_pairs_are_clusters_named_by_their_first_id():
    found = joined([7, 5, 9, 2, 4], [(4, 2), (2, 1)])
    assert found.to_pydict() == {"id": [7, 5, 9, 2, 4], "cluster": [7, 5, 5, 2, 5]}


def test_shingles_are_five_words_at_white_space():
    assert word_shingles("A b,c  d\ne f G") == ["a b,c d e f", "b,c d e f g"]
    assert word_shingles("Two words") == ["two words"]
    assert word_shingles(" \n") == []


def test_fingerprints_are_of_distinct_shingles(tmp_path):
    found = fingerprints(
        str(corpus(tmp_path, ["a b a b a b", "", "b a b a b"]).path), word_shingles
    )
    first, none, third = found["shingles"].to_pylist()
    assert found["id"].to_pylist() == [100, 101, 102]
    assert len(first) == 2
    assert none == []
    assert third[0] in first


def test_documents_come_in_order_and_a_table_appears_whole(tmp_path):
    source = corpus(tmp_path, [f"text {number}" for number in range(5000)])
    ids = [page for some, _ in batches(str(source.path)) for page in some]
    assert ids == list(range(100, 5100))
    target = tmp_path / "out.parquet"
    write(joined(ids, []), str(target))
    assert pq.read_table(target)["cluster"].to_pylist() == ids
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs.parquet", "out.parquet"]
