"""Where each file of a workspace lies."""

from pathlib import Path

from webecho.workspace.layout import Layout

HERE = Layout(Path("a.echo"))


def test_files_of_the_whole() -> None:
    assert HERE.manifest == Path("a.echo/manifest.json")
    assert HERE.run == Path("a.echo/run.json")
    assert HERE.lock == Path("a.echo/.lock")
    assert HERE.boilerplate == Path("a.echo/boilerplate.parquet")


def test_parts_are_numbered_and_lists_are_mapped() -> None:
    assert HERE.part("sketches", 3) == Path("a.echo/sketches/part-00003.parquet")
    assert HERE.part("lists", 12) == Path("a.echo/lists/part-00012.arrow")


def test_what_was_found_has_the_label_of_its_rule() -> None:
    assert HERE.clusters("similar-0.8") == Path("a.echo/clusters/similar-0.8.parquet")
    assert HERE.pairs("b-2") == Path("a.echo/pairs/b-2.parquet")
    assert HERE.pair_counts("b-2") == Path("a.echo/pairs/b-2")
    assert HERE.identity == Path("a.echo/pairs/identity.parquet")
    assert HERE.study("growth") == Path("a.echo/studies/growth")
    assert [folder.name for folder in HERE.found] == ["clusters", "pairs", "studies"]


def test_labels_and_samples_lie_together() -> None:
    assert HERE.labels == Path("a.echo/labels/labels.jsonl")
    assert HERE.sample("sample-b-2-10-seed-0") == Path("a.echo/labels/sample-b-2-10-seed-0.parquet")
    assert HERE.guesses("sample-b-2-10-seed-0") == Path("a.echo/labels/guesses-b-2-10-seed-0.jsonl")


def test_what_is_there_is_listed_by_name_and_identity_sets_are_no_pairs(tmp_path: Path) -> None:
    here = Layout(tmp_path)
    assert here.found_pairs() == here.found_clusters() == here.samples() == []
    files = [
        *(here.pairs("b-2"), here.pairs("exact"), here.identity),
        *(here.clusters("exact"), here.sample("sample-b-2-10-seed-0"), here.labels),
    ]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.touch()
    here.pair_counts("b-2").mkdir()
    assert here.found_pairs() == [here.pairs("b-2"), here.pairs("exact")]
    assert here.found_clusters() == [here.clusters("exact")]
    assert here.samples() == [here.sample("sample-b-2-10-seed-0")]
