"""Labels made elsewhere, from CSV or JSON lines, into the file of labels.

A row names two pages and gives a label:

| column | |
| --- | --- |
| `left_url`, `right_url` | the addresses of the two pages, |
| `left_id`, `right_id` | or their ids, or both, |
| `left`, `right` | or what may be either, or the number of a page: `#12` |
| `label` | `correct`, `incorrect` or `undecided`; 1, true, yes and 0, false, no will do |
| `reasons` | codes of reasons, as a list or with `;` between them |
| `note`, `labeller`, `time` | if there are some |

Where several pages have one name, the number that stands beside it in `left` or `right` decides. A
row whose label is empty is not labelled yet.
"""

import csv
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from webecho.errors import MEMORY, InputError, SettingsError
from webecho.evaluation.label.labels import (
    LONGEST,
    NAMES,
    SIDES,
    Label,
    Lines,
    append,
    now,
    read_labels,
    standing,
)
from webecho.evaluation.label.matching import Name, Pair, match_pages
from webecho.evaluation.label.reasons import LABELS, LabelName, fitting
from webecho.evaluation.sample.drawing import sampled_pairs
from webecho.formats.delimited import delimiter_of
from webecho.read.names import number_of
from webecho.run import Run
from webecho.safe_text import formula_again
from webecho.workspace.lookup import page_values
from webecho.workspace.workspace import Workspace

MEANS: dict[str, LabelName] = {
    **{label: label for label in LABELS},
    **dict.fromkeys(("1", "true", "yes", "duplicate"), LABELS[0]),
    **dict.fromkeys(("0", "false", "no", "different"), LABELS[1]),
}
FORMATS = (".csv", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Row:
    """A row that names two pages, and where it stands."""

    number: int
    where: str
    left: Name
    right: Name
    label: LabelName
    reasons: tuple[str, ...]
    note: str
    labeller: str
    time: str


@dataclass(frozen=True)
class Imported:
    """What became of the rows of a file; the counts of all kinds add up to `rows`."""

    rows: int
    imported: int
    known: int  # the file of labels says the same already
    problems: tuple[str, ...]  # a row each
    # Of what was imported or known, pairs that no rule has found.
    unfound: int
    unlabelled: int = 0  # the label is empty


def import_labels(
    workspace: Workspace, source: Path, into: Path, labeller: str, run: Run
) -> Imported:
    """Adds the labels of a file to those of the workspace, and tells what became of each row."""
    rows: list[Row] = []
    problems: list[tuple[int, str]] = []
    count = unlabelled = 0
    # As much again, and more, is made of it.
    most = None if run.memory is None else run.memory // 16
    for where, values in read_rows(source, most):
        count += 1
        if is_unlabelled(values):
            unlabelled += 1
            continue
        try:
            rows.append(as_row(count, where, values, labeller))
        except (InputError, SettingsError) as error:
            problems.append((count, f"{where}: {error}"))
    if not rows and not unlabelled:
        why = problems[0][1] if problems else "it is empty, or has no row below its head"
        raise InputError(f"{source}: no row can be taken in; {why}")
    named = [(row.left, row.right) for row in rows]
    matches = match_pages(workspace, named, sampled_pairs(workspace), run)
    pages = [page for found in matches if found.pair is not None for page in found.pair]
    names = page_values(workspace, pages)
    there = standing(read_labels(into).labels)
    new: dict[tuple[Pair, str], Label] = {}
    known = unfound = 0
    for row, found in zip(rows, matches, strict=True):
        if found.pair is None:
            problems.append((row.number, f"{row.where}: {found.why}"))
            continue
        unfound += not found.rules
        label = as_label(row, found.pair, names)
        before = new.get((found.pair, row.labeller)) or there.get(found.pair, {}).get(row.labeller)
        if before is not None and said(before) == said(label):
            known += 1
        else:
            new[found.pair, row.labeller] = label
    imported = len(rows) - known - sum(found.pair is None for found in matches)
    if new:
        append(into, new.values())
    in_order = tuple(text for _, text in sorted(problems))
    return Imported(count, imported, known, in_order, unfound, unlabelled)


def labels_of(workspace: Workspace, file: Path, run: Run) -> Lines:
    """The lines of a file of labels with the page numbers of this workspace.

    A workspace may have been made anew, and its pages have other numbers: names decide.
    """
    lines = read_labels(file)
    names = page_values(workspace, [page for label in lines.labels for page in label.pair])
    strange = [label for label in lines.labels if not is_of(label, names)]
    if not strange:
        return lines
    named = [own_names(label) for label in strange]
    matches = match_pages(workspace, named, sampled_pairs(workspace), run)
    found = dict(zip(map(id, strange), matches, strict=True))
    labels, broken = [], list(lines.broken)
    for label in lines.labels:
        now_called = found.get(id(label))
        if now_called is None:
            labels.append(label)
        elif now_called.pair is None:
            broken.append(f"{file}: {label.left_url} and {label.right_url}: {now_called.why}")
        else:
            labels.append(replace(label, left=now_called.pair[0], right=now_called.pair[1]))
    return Lines(tuple(labels), tuple(broken))


def is_of(label: Label, names: dict[int, dict[str, Any]]) -> bool:
    """Whether the pages of a label are called as it says."""
    return all(
        page in names and names[page]["url"] == url and names[page]["id"] == id_
        for page, url, id_ in (
            (label.left, label.left_url, label.left_id),
            (label.right, label.right_url, label.right_id),
        )
    )


def own_names(label: Label) -> tuple[Name, Name]:
    return (
        Name(label.left_url, text(label.left_id)),
        Name(label.right_url, text(label.right_id)),
    )


def said(label: Label) -> tuple[Any, ...]:
    return label.label, label.reasons, label.note


def read_rows(
    source: Path, most: int | None = None, bare: Collection[str] = ()
) -> Iterator[tuple[str, Any]]:
    """Each row with its place; refused where they have more characters in all. Where a CSV file of
    two columns has none that is called as the `bare` ones are, its first line is a row too, and
    they are `left` and `right`."""
    suffix = source.suffix.lower()
    if suffix not in FORMATS:
        what = "pairs" if bare else "labels"
        also = ", .parquet" if bare else ""
        raise InputError(f"{source}: {what} are read from {', '.join(FORMATS)}{also} files")
    try:
        with source.open(encoding="utf-8-sig", newline="") as file:
            lines = short_lines(source, file, most)
            if suffix == ".csv":
                top = next(lines, "")
                reader = csv.DictReader(chain((top,), lines), delimiter=delimiter_of(top))
                first = [*(reader.fieldnames or ())]
                if bare and len(first) == 2 and not {*bare} & {*first}:
                    reader.fieldnames = ["left", "right"]
                    yield f"{source}, line 1", dict(zip(reader.fieldnames, first, strict=True))
                for values in reader:
                    yield f"{source}, line {reader.line_num}", values
                return
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"{source}, line {number}", parsed(line)
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is not UTF-8; save it as UTF-8") from error
    except (OSError, csv.Error) as error:
        raise InputError(f"{source} cannot be read ({error})") from error


def short_lines(source: Path, file: TextIO, most: int | None) -> Iterator[str]:
    """The lines of a file, which may have so many characters in all, and each as many as any line
    of labels."""
    number = size = 0
    while line := file.readline(LONGEST):
        number += 1
        size += len(line)
        if len(line) == LONGEST:
            raise InputError(f"{source}, line {number}: has over {LONGEST:,} characters; mend it")
        if most is not None and size > most:
            raise InputError(
                f"{source}: has over {most:,} characters, more than the memory allows; import it "
                "in parts, or give more ",
                MEMORY,
            )
        yield line


def parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def is_unlabelled(values: Any) -> bool:
    """Whether a row has a place for a label, and nothing in it."""
    return isinstance(values, dict) and "label" in values and text(values["label"]) is None


def as_row(number: int, where: str, values: Any, labeller: str) -> Row:
    """A row's values, checked."""
    if not isinstance(values, dict):
        raise InputError("the line is no JSON object")
    given = {name: text(value) for name, value in values.items() if name is not None}
    for name in (f"{side}_{kind}" for side in SIDES for kind in NAMES):
        exact = values.get(name)
        # As we write them beside the number of the page; others may have put blanks around them.
        if isinstance(exact, str) and exact.strip() and given.get(name.split("_")[0]):
            given[name] = exact
    label = (given.get("label") or "").lower()
    if label not in MEANS:
        raise InputError(f"the label is {label!r}; write {', '.join(LABELS)}")
    reasons = values.get("reasons") or ()
    if isinstance(reasons, str):
        reasons = [reason.strip() for reason in reasons.split(";") if reason.strip()]
    elif not isinstance(reasons, list | tuple):
        raise InputError(f"reasons is {reasons!r}; write them with a semicolon between them")
    return Row(
        number,
        where,
        name_of(given, "left"),
        name_of(given, "right"),
        MEANS[label],
        fitting(MEANS[label], map(str, reasons)),
        given.get("note") or "",
        given.get("labeller") or labeller,
        given.get("time") or now(),
    )


def name_of(given: dict[str, str | None], side: str) -> Name:
    url, id_ = (
        None if name is None else formula_again(name)
        for name in (given.get(f"{side}_url"), given.get(f"{side}_id"))
    )
    # Numbers are of the workspace that they were made in, so names come first.
    other = given.get(side)
    name = Name(url, id_, number=number_of(other or "")) if url or id_ else Name(any=other)
    if not name.given:
        raise InputError(f"it does not name the {side} page; give {side}_url or {side}_id")
    return name


def text(value: Any) -> str | None:
    """A value as text; nothing where there is none."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return value.strip() if isinstance(value, str) else str(value)


def as_label(row: Row, pair: Pair, names: dict[int, dict[str, Any]]) -> Label:
    left, right = pair
    return Label(
        left_url=names[left]["url"],
        right_url=names[right]["url"],
        left_id=names[left]["id"],
        right_id=names[right]["id"],
        left=left,
        right=right,
        label=row.label,
        reasons=row.reasons,
        note=row.note,
        labeller=row.labeller,
        time=row.time,
    )
