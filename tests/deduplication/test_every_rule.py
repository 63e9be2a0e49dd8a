"""`webecho dedup` by every rule."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, many_pages, small_web
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import summary, table
from webecho.group.rules.registry import RULES


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_removes(tmp_path: Path, rule: str, link: str) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    # Pages of one line share no 15 chunks of four.
    given = ("--chunk", "words:3:sliding", "--shared", 2) if rule == "overlap" else ()
    done("dedup", file, "-o", out, "--rule", rule, "--link", link, *given)
    assert len(table(out, "clusters")) == 16
    rows = table(out, "duplicates")
    # Copies are found by what decides alone.
    copies = "chunks" if rule == "overlap" else "tokens"
    assert {row["rule"] for row in rows} <= {copies, rule}
    if rule == "overlap":
        # Page 13 has two words, as page 11: one chunk, and two are asked for, but it is a copy.
        assert {row["page"]: row["rule"] for row in rows} == {
            **{2: "chunks", 3: "chunks", 4: "overlap", 5: "overlap", 13: "chunks"},
        }
    # Page 3 is page 0 in other markup.
    assert {row["page"] for row in rows} >= ({2} if rule == "payload" else {2, 3})
    assert summary(out)["settings"]["rule"] == rule


def test_chunks_are_given_and_remembered(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out, "--rule", "overlap", "--chunk", "words:3:sliding", "--shared", 9)
    settings = summary(out)["settings"]
    asked = {name: settings[name] for name in ("rule", "chunk", "shared", "resemblance")}
    assert asked == {
        **{"rule": "overlap", "chunk": "words:3:sliding", "shared": 9, "resemblance": None},
    }
    # The same command finds that it is done.
    before = (out / "summary.json").stat().st_mtime_ns
    done("dedup", file, "-o", out, "--rule", "overlap", "--chunk", "words:3:sliding", "--shared", 9)
    assert (out / "summary.json").stat().st_mtime_ns == before
    failed = run("dedup", file, "-o", tmp_path / "other", "--rule", "overlap", "--chunk", "words:3")
    assert failed.exit_code == 2
    assert "how many chunks of words:3 must two pages share? Give --shared" in failed.stderr


def test_thresholds_are_given_and_remembered(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out, "--rule", "by-site", "--least-b", 1, "--least-c-across", 380)
    settings = summary(out)["settings"]
    assert settings["resemblance"] is None
    thresholds = {name: value for name, value in settings.items() if name.startswith("least")}
    assert thresholds == {"least_b": 1, "least_c": 355, "least_c_across": 380}
    failed = run("dedup", file, "-o", tmp_path / "other", "--least-b", 3)
    assert failed.exit_code == 2
    assert "the rule similar has no --least-b; that is for b, combined, by-site" in failed.stderr


@pytest.mark.parametrize(
    ("rule", "lacks"),
    [("c", "column projection"), ("paragraphs", None), ("overlap", "chunks-lines-4")],
)
def test_an_earlier_workspace_must_have_what_a_rule_needs(
    tmp_path: Path, rule: str, lacks: str | None
) -> None:
    old = as_jsonl(tmp_path / "a.jsonl", small_web())
    new = as_jsonl(tmp_path / "b.jsonl", many_pages(5))
    done("dedup", old, "-o", tmp_path / "old")
    command = ("dedup", new, "-o", tmp_path / "new", "--rule", rule, "--against")
    failed = run(*command, tmp_path / "old.echo")
    assert failed.exit_code == 1
    assert f"{tmp_path / 'old.echo'} has no {lacks or rule}; " in failed.stderr
    assert not (tmp_path / "new.echo").exists()
    if rule != "c":
        # What it advises helps.
        advised = failed.stderr.rpartition("with: webecho ")[2].replace("'", "").split()
        done(*advised)
        done(*command, tmp_path / "old.echo")
