"""What a page goes with: by a dedup, by clusters and by pairs."""

import json
import shutil
from pathlib import Path

import pytest

import webecho
from tests.command import done
from tests.command import webecho as run

TEXT = [f"word{number}" for number in range(200)]


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """Pages 0 and 3 are the same, page 1 differs in a word, and page 2 in all."""
    texts = [TEXT, [*TEXT[:17], "other", *TEXT[18:]], [f"z{n}" for n in range(90)], TEXT]
    rows = [
        {"url": f"http://a.example/{n}", "id": f"doc-{n}", "text": " ".join(text)}
        for n, text in enumerate(texts)
    ]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done("dedup", file, "-o", tmp_path / "clean")
    return tmp_path / "clean"


def echo(clean: Path) -> Path:
    return clean.with_name("clean.echo")


@pytest.mark.parametrize("name", ["#1", "doc-1", "http://a.example/1"])
def test_a_page_that_went_tells_with_which_and_why(clean: Path, name: str) -> None:
    found = webecho.why(echo(clean), name)
    assert (found.page, found.stays, found.alone) == (1, False, False)
    assert found.kept is not None
    assert (found.kept.page, found.kept.id) == (0, "doc-0")
    # 196 shingles of either, of which one word is in five.
    assert found.kept.measures == {"rule": "similar", "agrees": "near", "resemblance": 191 / 201}
    assert found.comparison == webecho.why(echo(clean), "#1", "#0")
    for line in ("rule                similar", "agrees              near"):
        assert f"  {line}\n" in repr(found)


def test_a_page_that_stays_names_those_that_went_with_it(clean: Path) -> None:
    found = webecho.why(echo(clean), "#0")
    assert found.stays and found.kept is None
    [company] = found.companies
    assert (company.by, company.count) == ("dedup", 2)
    assert [each.page for each in company.companions] == [1, 3]
    assert company.companions[1].measures["agrees"] == "payload"


def test_a_page_may_be_alone(clean: Path) -> None:
    found = webecho.why(echo(clean), "#2")
    assert found.stays and found.alone and found.comparison is None
    assert "it is alone" in done("why", echo(clean), "#2").stdout


def test_clusters_and_pairs_are_told_with_what_was_measured(clean: Path) -> None:
    webecho.clusters(echo(clean), "tokens")
    webecho.pairs(echo(clean), "similar")
    found = webecho.why(echo(clean), "#3")
    [tokens] = [each for each in found.companies if each.by == "clusters"]
    assert (tokens.rule, [each.page for each in tokens.companions]) == ("tokens", [0])
    [pairs] = [each for each in found.companies if each.by == "pairs"]
    # The nearest first.
    assert [each.page for each in pairs.companions] == [0, 1]
    assert pairs.companions[1].measures["resemblance"] == 191 / 201
    alone = webecho.why(echo(clean), "#2")
    assert [(each.by, each.count) for each in alone.companies] == [("clusters", 0), ("pairs", 0)]
    assert alone.alone


def test_an_output_given_for_a_workspace_is_its_workspace(clean: Path) -> None:
    found = run("why", clean, "doc-1")
    assert found.exit_code == 0
    assert f"{clean} is what a dedup wrote; this is about its workspace, {echo(clean)}" in (
        " ".join(found.stderr.split())
    )
    assert found.stdout == done("why", echo(clean), "doc-1").stdout
    assert "went with  #0  http://a.example/0: rule similar" in found.stdout
    told = json.loads(done("why", clean, "#1", "--format", "json").stdout)
    assert told["kept"]["page"] == 0 and told["comparison"]["resemblance"] == 191 / 201


def test_without_the_output_it_is_said_where_it_stands(clean: Path) -> None:
    clean.rename(clean.with_name("elsewhere"))
    found = webecho.why(echo(clean), "#1")
    assert found.stays is False and found.kept is None
    assert "duplicates.parquet of the dedup, which is not beside" in found.notes[0]


def test_of_inputs_nothing_was_found_yet(clean: Path) -> None:
    with pytest.raises(webecho.SettingsError, match="known of a workspace; give that, or another"):
        webecho.why(clean.with_name("pages.jsonl"), "#1")


def test_left_is_the_page_that_is_asked_about(tmp_path: Path) -> None:
    """Page 1 is page 0 and 40 words more: 196 shingles of 236."""
    texts = [TEXT, [*TEXT, *(f"more{n}" for n in range(40))]]
    file = tmp_path / "pages.jsonl"
    file.write_text("".join(json.dumps({"text": " ".join(text)}) + "\n" for text in texts))
    done("sketch", file, "-o", tmp_path / "pages.echo")
    done("pairs", tmp_path / "pages.echo", "--rule", "similar")
    for page, shares in (("#0", (1.0, 196 / 236)), ("#1", (196 / 236, 1.0))):
        found = webecho.why(tmp_path / "pages.echo", page)
        told = found.companies[0].companions[0].measures
        assert (told["left_containment"], told["right_containment"]) == shares
        assert found.comparison is not None
        compared = found.comparison.left_containment, found.comparison.right_containment
        assert compared == shares


def test_a_copy_tells_of_the_page_that_stands_for_it(clean: Path) -> None:
    """Page 0 stands for page 3, and is a pair of `b` with page 1; page 2 is with nobody."""
    done("pairs", echo(clean), "--rule", "b")
    companies = {page: webecho.why(echo(clean), f"#{page}").companies[-1] for page in range(4)}
    assert {page: (each.by, each.rule) for page, each in companies.items()} == dict.fromkeys(
        range(4), ("pairs", "b-2")
    )
    copy = companies[3]
    assert copy.stands is not None and copy.stands.url == "http://a.example/0"
    assert [each.page for each in copy.companions] == [1]
    assert (companies[0].stands, companies[0].stands_for) == (None, 1)
    assert (companies[1].stands, companies[1].stands_for) == (None, 0)
    assert companies[2].empty and not copy.empty
    shown = done("why", echo(clean), "#3").stdout
    assert (
        "pairs by b-2: in pairs with 1 page, beside #0  http://a.example/0, which has the same "
        "tokens and stands for it\n  #1  http://a.example/1: b similarity" in shown
    )
    assert "beside 1 page with the same tokens, for which it stands" in (
        done("why", echo(clean), "#0").stdout
    )
    assert "pairs,b-2,0,http://a.example/0" in (
        done("why", echo(clean), "#3", "--format", "csv").stdout
    )


def test_the_words_that_a_page_takes_along_are_told(clean: Path) -> None:
    found = webecho.why(echo(clean), "#1").comparison
    assert found is not None
    assert (found.left_only, found.right_only) == (("other",), ("word17",))
    shown = done("why", clean, "#1").stdout
    assert "left only     1 word: other\nright only    1 word: word17\n" in shown
    assert json.loads(done("why", clean, "#1", "--format", "json").stdout)["comparison"][
        "left_only"
    ] == ["other"]


def test_the_dedup_is_told_with_the_rule_it_went_by(clean: Path) -> None:
    """One word of 200 is changed: 6 of 195 shingles of either, a resemblance of 189 / 201."""
    file, out = clean.with_name("pages.jsonl"), clean.with_name("near")
    done("dedup", file, "-o", out, "--resemblance", 0.9)
    found = webecho.why(f"{out}.echo", "#1", "#0")
    assert found.dedup == "left was removed, and went with right, by similar"
    assert (
        webecho.why(f"{out}.echo", "#0", "#1").dedup
        == "right was removed, and went with left, by similar"
    )
    assert webecho.why(f"{out}.echo", "#0", "#2").dedup is None
    asked = {each.rule: each.together for each in found.verdicts}
    assert asked["similar-0.9"]
    # What is asked for goes before what the dedup went by.
    asked = {each.rule: each.together for each in webecho.why(f"{out}.echo", 0, 1, 0.99).verdicts}
    assert (asked["similar-0.99"], "similar-0.9" in asked) == (False, False)


def test_a_page_of_an_earlier_workspace_is_compared_too(clean: Path) -> None:
    row = {"url": "http://b.example/", "id": "new", "text": " ".join([*TEXT[:100], *TEXT[101:]])}
    file = clean.with_name("new.jsonl")
    file.write_text(json.dumps(row) + "\n")
    new = clean.with_name("new")
    done("dedup", file, "--against", echo(clean), "-o", new)
    found = webecho.why(f"{new}.echo", "new")
    assert found.kept is not None and found.kept.kept_in == str(echo(clean))
    assert found.comparison is not None
    assert (found.comparison.left.id, found.comparison.right.id) == ("new", "doc-0")
    assert (found.comparison.left_only, found.comparison.right_only) == ((), ("word100",))
    # By its name too, which no page here has.
    for name in ("doc-0", "http://a.example/0"):
        assert webecho.why(f"{new}.echo", "new", name).right_only == ("word100",)
    with pytest.raises(webecho.InputError, match="no page is called 'doc-2'"):
        webecho.why(f"{new}.echo", "new", "doc-2")
    shutil.rmtree(echo(clean))
    found = webecho.why(f"{new}.echo", "new")
    assert found.comparison is None
    assert found.notes == (f"{echo(clean)} is not there, so that the two pages are not compared",)
