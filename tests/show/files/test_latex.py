"""LaTeX that compiles: rows have as many cells as columns, and nothing of a crawl is a command."""

import re
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.show.files.latex import escaped, fragment

HOSTILE = r"\input{/etc/passwd} & 50 % of $x_1$ #~^{} [*] <a|b> “…” " + "\x1b\n"


def structure(text: str) -> list[tuple[str, list[int]]]:
    """Of each tabular its columns, and the cells of each row; fails where it is none."""
    found = []
    tables = re.findall(r"\\begin{(tabular|longtable)}{([lr]+)}\n(.*?)\n\\end{\1}", text, re.S)
    for kind, spec, body in tables:
        lines = body.split("\n")
        assert (lines[0], lines[2]) == ("\\toprule", "\\midrule")
        if kind == "longtable":
            assert lines[3:6] == ["\\endhead", "\\bottomrule", "\\endfoot"]
        else:
            assert lines[-1] == "\\bottomrule"
        rows = [lines[1], *(lines[6:] if kind == "longtable" else lines[3:-1])]
        assert all(row.endswith(r" \\") for row in rows)
        found.append((spec, [len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows]))
    assert text.count("\\begin{") == text.count("\\end{") == len(found)
    return found


def test_a_table_for_a_paper() -> None:
    table = pa.table(
        {
            "collection": ["2003", "a_b"],
            "documents": [2067278, 7],
            "share of duplicates": [0.389, 0],
        }
    )
    assert fragment(table, "Table 2. Duplicates,\n100 %", "duplicates.csv") == "\n".join(
        [
            "% Table 2. Duplicates, 100 %",
            r"% All digits: duplicates.csv. In the preamble: \usepackage{booktabs}",
            r"\begin{tabular}{lrr}",
            r"\toprule",
            r"collection & documents & \% of duplicates \\",
            r"\midrule",
            r"2003 & 2,067,278 & 38.9 \\",
            r"a\_b & 7 & 0.0 \\",
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def test_text_of_a_crawl_is_no_command() -> None:
    text = fragment(pa.table({"site": [HOSTILE], HOSTILE: [1]}), HOSTILE, "x.csv")
    assert structure(text) == [("lr", [2, 2])]
    body = text.partition("\\begin{tabular}")[2]
    assert "\\input" not in body and r"\textbackslash{}input\{/etc/passwd\}" in body
    # The caption is a comment, and stays one.
    assert all(line.startswith("%") for line in text.split("\\begin")[0].strip().split("\n"))


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_any_text_keeps_the_structure(values: list[str]) -> None:
    table = pa.table({"site": pa.array(values, pa.string()), "pages": [*range(len(values))]})
    assert structure(fragment(table, "A table", "x.csv")) == [("lr", [2] * (len(values) + 1))]


def test_signs_that_papers_have() -> None:
    assert escaped("−2.5 ± 0.1, ≥ 2–3 …") == r"$-$2.5 $\pm$ 0.1, $\geq$ 2--3 \ldots{}"


def test_coefficients_are_formulas() -> None:
    table = pa.table({"containment Φ₁ⁿ": [1.0], "similarity Ψ": [1.0], "containment Φₙ¹": [1.0]})
    text = fragment(table, "Figures 4, 5 and 7", "x.csv")
    assert r"containment $\Phi_1^n$ & similarity $\Psi$ & containment $\Phi_n^1$ \\" in text
    assert "webechosign" not in text
    # Words are no formulas.
    assert escaped("Ψυχή") == r"\webechosign{Ψυχή}"


def test_a_turned_table_has_a_heading_of_its_own_for_each_row() -> None:
    table = pa.table(
        {"rule": ["very-similar"] * 3, "snapshot": [1, 2, 3]}
        | {f"a rather long name {number}": [number] * 3 for number in range(12)}
    )
    text = fragment(table, "Snapshots", "x.csv")
    assert structure(text) == [("lrrr", [4] * 13)]
    assert "\nrule, snapshot & very-similar, 1 & very-similar, 2 & very-similar, 3 \\\\" in text


def test_a_wide_table_of_few_rows_is_turned() -> None:
    table = pa.table(
        {"collection": ["a", "b"], "part": ["complete"] * 2}
        | {f"a rather long name {number}": [number, 2] for number in range(12)}
    )
    text = fragment(table, "Statistics", "x.csv")
    assert structure(text) == [("lrr", [3] * 13)]
    assert " & a, complete & b, complete \\\\" in text
    assert "a rather long name 7 & 7 & 2 \\\\" in text


def test_a_wide_table_of_many_rows_becomes_several() -> None:
    names = [f"a rather long name {number}" for number in range(6)]
    columns = {name: [0.5] * 30 for each in names for name in (each, f"{each}, paper")}
    table = pa.table({"rule": ["b-2"] * 30, **columns})
    found = structure(fragment(table, "Precision", "x.csv"))
    assert len(found) == 2
    # Each has the rule, and the paper's numbers beside ours.
    assert all(spec[0] == "l" and len(spec) % 2 == 1 for spec, _ in found)
    assert sum(len(spec) - 1 for spec, _ in found) == 12


def test_long_text_is_cut_so_that_a_table_fits() -> None:
    urls = [f"http://example.org/{'a/' * 150}{number}" for number in range(3)]
    table = pa.table({"url": urls, "other": urls, "pages": [1, 2, 3]})
    text = fragment(table, "Largest", "x.csv")
    assert structure(text) == [("llr", [3] * 4)]
    assert "% Text of more than 32 signs is cut in its middle here." in text
    # 32 signs: 21, the dots, 10.
    row = r"http://example.org/a/\ldots{}/a/a/a/a/2"
    assert text.count(row) == 2
    # What fits stays as it is.
    short = pa.table({"url": [url[:60] for url in urls], "pages": [1, 2, 3]})
    assert "ldots" not in fragment(short, "Largest", "x.csv")


def test_tables_of_text_alone_become_several_too() -> None:
    table = pa.table({f"column {number}": ["some words " * 2] * 50 for number in range(9)})
    found = structure(fragment(table, "Texts", "x.csv"))
    assert len(found) > 1
    # The first says of what row the others are.
    assert sum(len(spec) - 1 for spec, _ in found) == 8


def test_what_is_longer_than_a_page_goes_on_on_the_next() -> None:
    def of(rows: int) -> str:
        return fragment(pa.table({"n": [*range(rows)]}), "Rows", "x.csv")

    assert "longtable" not in of(40)
    assert structure(of(41)) == [("r", [1] * 42)]
    assert r"\usepackage{booktabs,longtable}" in of(41) and r"\begin{longtable}{r}" in of(41)


def test_no_rows_are_a_table_too() -> None:
    wide = pa.table(
        {f"a rather long name {number}": pa.array([], pa.int64()) for number in range(9)}
    )
    found = structure(fragment(wide, "Nothing", "x.csv"))
    assert [(set(spec), len(rows)) for spec, rows in found] == [({"r"}, 1)] * 3
    assert sum(len(spec) for spec, _ in found) == 9
    assert structure(fragment(pa.table({"a": pa.array([], pa.int64())}), "", "")) == [("r", [1])]


# Signs of other scripts, some with their own marks, and such as the usual fonts lack.
SCRIPTS = "Què és “Debian”? „Größe“ «ą» 中文 Руководство Ελληνικά עברית हिन्दी 😀 → ≈ № €"


def test_signs_that_the_usual_fonts_lack_go_through_a_command() -> None:
    assert escaped("a中文b") == r"a\webechosign{中文}b"
    assert escaped('"Größe" – ąb') == "''Größe'' -- " + r"\webechosign{ą}b"
    text = fragment(pa.table({"site": [SCRIPTS]}), "One", "x.csv")
    assert text.count(r"\providecommand{\webechosign}") == 1
    assert structure(text) == [("l", [1, 1])]
    assert "webechosign" not in fragment(pa.table({"site": ["Größe"]}), "One", "x.csv")


@pytest.mark.parametrize("fonts", ["", r"\usepackage[T1]{fontenc}"])
def test_it_compiles(tmp_path: Path, fonts: str) -> None:
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("LATEX IS NOT HERE: that fragments compile is told by their structure alone")
    rows = {"site": [HOSTILE, SCRIPTS], "n": [-1.5, 2.0]}
    table = fragment(pa.table(rows), SCRIPTS, "x.csv")
    page = f"\\documentclass{{article}}{fonts}\\usepackage{{booktabs}}\n"
    (tmp_path / "a.tex").write_text(f"{page}\\begin{{document}}\n{table}\\end{{document}}\n")
    command = [latex, "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]
