import pyarrow as pa
import pyarrow.parquet as pq

from bench import corpora


def corpus(folder, texts):
    path = folder / "docs.parquet"
    table = pa.table({"id": pa.array(range(100, 100 + len(texts)), pa.int64()), "text": texts})
    corpora.write(path, iter(table.to_batches(max_chunksize=3)))
    return corpora.measured("documents", path)


def test_a_corpus_knows_its_documents_and_the_bytes_of_their_text(tmp_path):
    found = corpus(tmp_path, ["", "ab", "é"])
    assert (found.documents, found.bytes) == (3, 4)


def test_a_sample_is_evenly_spaced_and_says_what_it_is(tmp_path):
    found = corpus(tmp_path, [str(number) for number in range(10)]).sample(4)
    assert pq.read_table(found.path)["id"].to_pylist() == [100, 102, 105, 107]
    assert (found.name, found.documents) == ("documents, 4 of them", 4)


def test_a_sample_of_all_is_the_corpus(tmp_path):
    whole = corpus(tmp_path, ["a", "b"])
    assert whole.sample(2) is whole


def test_row_groups_are_small_enough_to_share(tmp_path):
    found = corpus(tmp_path, ["word"] * 5000)
    groups = pq.ParquetFile(found.path).metadata.num_row_groups
    assert groups == 3
    assert found.documents == 5000
