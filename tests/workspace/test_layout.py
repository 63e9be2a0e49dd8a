"""Where each file of a workspace lies."""

from pathlib import Path

from webecho.workspace.layout import SUMMARY, Layout, beside_output, is_workspace

HERE = Layout(Path("a.echo"))


def test_files_of_the_whole() -> None:
    assert HERE.manifest == Path("a.echo/manifest.json")
    assert HERE.run == Path("a.echo/run.json")
    assert HERE.lock == Path("a.echo/.lock")
    assert HERE.boilerplate == Path("a.echo/boilerplate.parquet")
    assert HERE.removed("0f") == Path("a.echo/removed-0f.parquet")


def test_parts_are_numbered_and_lists_are_mapped() -> None:
    assert HERE.part("sketches", 3) == Path("a.echo/sketches/part-00003.parquet")
    assert HERE.every_part("sketches") == Path("a.echo/sketches/*.parquet")
    assert HERE.part("lists", 12) == Path("a.echo/lists/part-00012.arrow")


def test_what_was_found_has_the_label_of_its_rule() -> None:
    assert HERE.clusters("similar-0.8") == Path("a.echo/clusters/similar-0.8.parquet")
    assert HERE.pairs("b-2") == Path("a.echo/pairs/b-2.parquet")
    assert HERE.pair_counts("b-2") == Path("a.echo/pairs/b-2")
    assert HERE.counts("b-2") == Path("a.echo/pairs/b-2/counts.json")
    assert HERE.degrees("b-2") == Path("a.echo/pairs/b-2/degrees.parquet")
    assert HERE.hot_buckets("b-2") == Path("a.echo/pairs/b-2/hot.parquet")
    assert HERE.identity == Path("a.echo/pairs/identity.parquet")
    assert HERE.overlap("lines-4-15") == Path("a.echo/overlap/lines-4-15.parquet")
    assert HERE.study("growth") == Path("a.echo/studies/growth")
    assert HERE.study_table("graph", "pages") == Path("a.echo/studies/graph/pages.parquet")
    assert HERE.savings("text") == Path("a.echo/savings/text")
    assert HERE.search == Path("a.echo/search")
    names = ["clusters", "pairs", "overlap", "savings", "search", "studies"]
    assert [folder.name for folder in HERE.found] == names


def test_labels_and_samples_lie_together() -> None:
    assert HERE.labels == Path("a.echo/labels/labels.jsonl")
    assert HERE.sample("sample-b-2-10-seed-0") == Path("a.echo/labels/sample-b-2-10-seed-0.parquet")
    assert HERE.guesses("sample-b-2-10-seed-0") == Path("a.echo/labels/guesses-b-2-10-seed-0.jsonl")


def test_what_is_there_is_listed_by_name_and_identity_sets_are_no_pairs(tmp_path: Path) -> None:
    here = Layout(tmp_path)
    assert here.found_pairs() == here.found_clusters() == here.samples() == []
    assert here.found_overlaps() == []
    files = [
        *(here.overlap("lines-4-15"), here.overlap("lines-4-15-host")),
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
    assert here.found_overlaps() == [here.overlap("lines-4-15-host"), here.overlap("lines-4-15")]


def test_lists_of_removed_pages_are_found_and_nothing_else(tmp_path: Path) -> None:
    here = Layout(tmp_path)
    for file in (here.removed("b"), here.removed("a"), here.boilerplate, here.manifest):
        file.touch()
    assert here.found_removed() == [here.removed("a"), here.removed("b")]


def test_a_workspace_is_known_by_what_lies_in_it(tmp_path: Path) -> None:
    """Other programs have a manifest.json too."""
    here = Layout(tmp_path)
    assert not is_workspace(tmp_path)
    here.manifest.touch()
    assert not is_workspace(tmp_path)
    here.run.touch()
    assert is_workspace(tmp_path)
    here.run.unlink()
    here.part("sketches", 0).parent.mkdir()
    assert is_workspace(tmp_path)
    here.manifest.unlink()
    assert not is_workspace(tmp_path)


def test_what_a_dedup_wrote_lies_beside_its_workspace(tmp_path: Path) -> None:
    out, beside = tmp_path / "clean", tmp_path / "clean.echo"
    assert beside_output(out) is None
    (out / "data").mkdir(parents=True)
    (out / SUMMARY).write_text("{}")
    # It is gone, or never was.
    assert beside_output(out) is None
    (beside / "sketches").mkdir(parents=True)
    (beside / "manifest.json").write_text("{}")
    assert beside_output(out) == beside
    assert beside_output(beside) is None
    (out / SUMMARY).unlink()
    assert beside_output(out) is None
