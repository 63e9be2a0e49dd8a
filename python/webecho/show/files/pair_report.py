"""The report of pairs: its tables as Parquet, its figures as SVG and PNG, in `studies/`."""

from collections.abc import Mapping
from pathlib import Path

from webecho.show.files.figures import Labels, Span, lines, log_log, save
from webecho.study.pair_report import PairReport, by_size
from webecho.study.term_differences import LARGE
from webecho.workspace.listed import LIST, write_list
from webecho.workspace.table_files import write_table


def write_report(folder: Path, report: PairReport) -> list[Path]:
    """Writes the tables and figures of a report into a folder, and gives their files."""
    (folder / LIST).unlink(missing_ok=True)
    written = []
    for name, table in report.tables.items():
        file = folder / f"{name}.parquet"
        write_table(file, [table])
        written.append(file)
    written += draw(folder, report)
    write_list(folder, written)
    return written


def draw(folder: Path, report: PairReport) -> list[Path]:
    label = report.label
    degrees = log_log(
        by_size(report.tables["degrees"], "degree", "pages"),
        report.fits.get("degrees"),
        Labels(f"Near-duplicates a page, {label}", "near-duplicates of a page", "pages"),
    )
    hosts = log_log(
        by_size(report.tables["hosts"], "pages", "hosts"),
        report.fits.get("hosts"),
        Labels("Pages a host", "pages of a host", "hosts"),
    )
    shares: dict[str, dict[int, float]] = {}
    for row in report.tables["c_by_b"].to_pylist():
        name = f"B-similarity {row['b_similarity']}"
        shares.setdefault(name, {})[row["c_similarity"]] = row["share"]
    similarities = lines(
        {name: filled(own, min(own) - 1, max(own)) for name, own in shares.items()},
        Labels(f"C-similarity for each B-similarity, {label}", "C-similarity", "share of pairs"),
    )
    written = [*save(degrees, folder / "degrees"), *save(hosts, folder / "hosts")]
    written += save(similarities, folder / "c_by_b")
    if "differences" in report.tables:
        named = {"differences": "all terms", "differences_without_images": "without image terms"}
        series = {named[name]: differing(report, name) for name in named}
        if series["all terms"] == series["without image terms"]:
            del named["differences_without_images"], series["without image terms"]
        # Their intervals, where they were counted of some pairs and scaled.
        spans = {title: estimated(report, name) for name, title in named.items()}
        counted = report.facts.get("pairs measured")
        of = f"pairs, estimated from {counted:,} (95 %)" if counted else "pairs"
        drawn = lines(
            series,
            Labels(f"Term differences, {label}", "term difference", of),
            (0, max(1.0, *(points[-1][0] for points in series.values()))),
            spans=spans,
        )
        written += save(drawn, folder / "differences")
    return written


def differing(report: PairReport, name: str) -> list[tuple[float, float]]:
    """How many pairs have each term difference up to the largest there is, or that is drawn."""
    counts = by_size(report.tables[name], "difference", "pairs")
    there = [difference for difference in counts if difference is not None]
    return filled(counts, 0, min(LARGE, max(there, default=0)))


def estimated(report: PairReport, name: str) -> list[Span]:
    """The intervals of how many pairs have each term difference that is drawn."""
    return [
        Span(row["difference"], row["pairs_low"], row["pairs_high"])
        for row in report.tables[name].to_pylist()
        if row["estimated"] and row["difference"] is not None and row["difference"] <= LARGE
    ]


def filled(counts: Mapping[int, float], first: int, last: int) -> list[tuple[float, float]]:
    """Points for all whole numbers from the first to the last: of some nothing was found."""
    return [(value, counts.get(value, 0.0)) for value in range(first, last + 1)]
