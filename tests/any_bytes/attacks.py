"""*Attack*: a mutated file through the functions of the verbs, in a folder of its own. It is read
or refused; whatever else is raised is a failure, and so are counts that do not add up."""

import random
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import webecho
from tests.any_bytes.mutations import BINARY, JSON, TEXT, any_of, parquet
from tests.any_bytes.seeds import Seed, beside, collections, pages
from tests.collections_made import as_jsonl, as_warc
from tests.command import counts
from webecho.api.label import LabelRequest, run_label
from webecho.api.runs import running_locally
from webecho.errors import WebechoError


@dataclass(frozen=True)
class Ready:
    """What is made once: a workspace with all tables, snapshots, and what a dedup wrote."""

    folder: Path

    @property
    def workspace(self) -> Path:
        return self.folder / "w.echo"

    @property
    def later(self) -> Path:
        """The same, as the next snapshot has it."""
        return self.folder / "later.echo"

    @property
    def output(self) -> Path:
        return self.folder / "out"

    def make(self) -> None:
        self.folder.mkdir()
        lines = as_jsonl(self.folder / "pages.jsonl", pages())
        webecho.sketch(lines, self.workspace, links=True, paragraphs=True, chunks="lines:2", **ONE)
        shutil.copytree(self.workspace, self.later)
        for rule in ("similar", "b"):
            webecho.clusters(self.workspace, rule=rule, **ONE)
            webecho.pairs(self.workspace, rule=rule, **ONE)
        label(self.workspace, guess=True, rules=("similar",))
        (self.folder / "one.html").write_text("<p>a page to compare others with")
        archive = as_warc(self.folder / "pages.warc.gz", pages())
        webecho.dedup(archive, self.output, revisit=True, **ONE)


def label(workspace: Path, **asked: Any) -> None:
    with running_locally(1, None, None, False) as run:
        run_label(LabelRequest(workspace, "somebody", **asked), run, lambda _: None)


ONE: dict[str, Any] = {"threads": 1}


@dataclass(frozen=True)
class Trial:
    """One try: the chance it goes by, where it may write, and what is ready."""

    by: random.Random
    folder: Path
    ready: Ready


def sketch(trial: Trial, file: Path) -> None:
    out = trial.folder / "w.echo" if trial.by.random() < 0.5 else None
    options: dict[str, Any] = {}
    if trial.by.random() < 0.3:
        options = {"links": True, "paragraphs": True, "sentences": True, "chunks": "sentence"}
    found = webecho.sketch(file, out, part_pages=trial.by.choice((2, 100_000)), **options, **ONE)
    if out is not None:
        told = counts(out)
        assert told.get("pages", 0) == len(found), told
        for kind in ("skipped", "failed"):
            of_kind = sum(n for name, n in told.items() if name.startswith(f"{kind}: "))
            assert told.get(kind, 0) == of_kind, told


def dedup(trial: Trial, file: Path) -> None:
    by = trial.by
    out = trial.folder / "out"
    options: dict[str, Any] = {
        "rule": by.choice(("similar", "similar", "exact", "payload", "tokens", "very-similar")),
        "annotate": by.random() < 0.1,
        "drop_empty": by.random() < 0.2,
        "min_words": by.choice((0, 0, 0, 5)),
        "drop_failed": by.random() < 0.1,
    }
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = webecho.dedup(file, out if by.random() < 0.8 else None, **options, **ONE)
    # Rows of a file of which another column is broken can be read and not be copied, which is told.
    told_lost = any("could not be passed on" in str(each.message) for each in said)
    told = found.summary["counts"]
    assert told["read"] == told["kept"] + told["removed"] + told["dropped"], told
    if out.exists() and not told_lost and told["kept"] and by.random() < 0.3:
        types = ["*"] if options["rule"] == "payload" else None
        again = webecho.sketch(out / "data", types=types, **ONE)
        expected = told["kept"] + (told["removed"] if options["annotate"] else 0)
        assert len(again) == expected, (len(again), told)


def revisit(trial: Trial, file: Path) -> None:
    """Records that go become revisits, which are brought back."""
    out = trial.folder / "out"
    told = webecho.dedup(file, out, revisit=True, rule="payload", **ONE).summary["counts"]
    assert told["read"] == told["kept"] + told["removed"] + told["dropped"], told
    webecho.restore(out / "data", trial.folder / "back")


def dry_run(trial: Trial, file: Path) -> None:
    webecho.dedup(file, dry_run=True, sample=trial.by.choice((None, 0.5)), **ONE)


def diff(trial: Trial, file: Path) -> None:
    webecho.diff(file, trial.ready.folder / "one.html")


def in_folder(trial: Trial, file: Path) -> None:
    """As a page of a folder, beside others."""
    folder = trial.folder / "site"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.html").write_bytes(b"<p>one page of a folder")
    file.rename(folder / "deep" / file.name)
    trial.by.choice((sketch, dedup))(trial, folder)


def query_log(trial: Trial, file: Path) -> None:
    pair = (trial.ready.workspace, trial.ready.later)
    webecho.study_querylog([pair], {"log": file}, drop=0, permutations=0, cases=0, **ONE)


def edges(trial: Trial, file: Path) -> None:
    level = trial.by.choice(("page", "site"))
    webecho.study_graph(trial.ready.workspace, edges=file, repetitions=0, level=level, **ONE)


def labels(trial: Trial, file: Path) -> None:
    """Taken in, and what is there then judged by."""
    into = trial.folder / "all.jsonl"
    label(trial.ready.workspace, imported=file, labels=into)
    if into.exists():
        webecho.evaluate(trial.ready.workspace, labels=into)


def own_labels(trial: Trial, file: Path) -> None:
    """The file of labels itself."""
    webecho.evaluate(trial.ready.workspace, labels=file)


Use = Callable[[Trial, Path], None]


def of_file(seed: Seed, uses: tuple[Use, ...]) -> Callable[[Trial], None]:
    def run(trial: Trial) -> None:
        file = trial.folder / seed.file
        file.write_bytes(seed.mutated(trial.by))
        trial.by.choice(uses)(trial, file)

    return run


def change_file(file: Path, by: random.Random) -> None:
    data = file.read_bytes()
    if file.suffix == ".parquet":
        file.write_bytes(parquet(data, by))
    elif file.suffix in (".json", ".jsonl"):
        file.write_bytes(any_of(JSON)(data, by))
    else:
        file.write_bytes(any_of((*TEXT, *BINARY))(data, by))


def own_copy(of: Path, trial: Trial) -> Path:
    """A copy in which one file is another, or is gone."""
    copy = trial.folder / of.name
    shutil.copytree(of, copy)
    files = sorted(file for file in copy.rglob("*") if file.is_file() and file.name != ".lock")
    chosen = trial.by.choice(files)
    if trial.by.random() < 0.05:
        chosen.unlink()
    else:
        change_file(chosen, trial.by)
    return copy


def own_workspace(trial: Trial) -> None:
    """A workspace of which a file was changed."""
    there, by = own_copy(trial.ready.workspace, trial), trial.by
    lines = trial.ready.folder / "pages.jsonl"
    uses: tuple[Callable[[], object], ...] = (
        lambda: webecho.clusters(there, rule=by.choice(("similar", "b", "exact", "c")), **ONE),
        lambda: webecho.pairs(there, rule=by.choice(("similar", "b", "combined")), **ONE),
        lambda: webecho.verify(there, **ONE),
        lambda: webecho.why(there, "http://h0.example.org/0", "http://h0.example.org/2"),
        lambda: webecho.sketch(lines, there, append=True, **ONE),
        lambda: webecho.sketch(lines, there, **ONE),
        lambda: webecho.dedup(lines, trial.folder / "d", against=there, **ONE),
        lambda: webecho.overlap(there, chunk="lines:2", **ONE),
        lambda: webecho.savings(there, **ONE),
        lambda: webecho.study_clusters(there, repetitions=0, **ONE),
    )
    by.choice(uses)()


def own_output(trial: Trial) -> None:
    """What a dedup wrote, of which a file was changed."""
    there, by = own_copy(trial.ready.output, trial), trial.by
    archive = trial.ready.folder / "pages.warc.gz"
    uses: tuple[Callable[[], object], ...] = (
        lambda: webecho.restore(there / "data", trial.folder / "back"),
        lambda: webecho.verify(there, **ONE),
        lambda: webecho.dedup(there / "data", trial.folder / "again", **ONE),
        lambda: webecho.dedup(archive, there, revisit=True, force=by.random() < 0.5, **ONE),
    )
    by.choice(uses)()


# What is done with a file of pages, the cheapest most often.
READ: tuple[Use, ...] = (sketch, sketch, sketch, sketch, sketch, dedup, dedup, dry_run)
ARCHIVE: tuple[Use, ...] = (*READ, revisit)
PAGE: tuple[Use, ...] = (in_folder, in_folder, in_folder, diff)
BESIDE: dict[str, tuple[Use, ...]] = {
    "query": (query_log,),
    "edges": (edges,),
    "labels, csv": (labels,),
    "labels, jsonl": (labels, own_labels),
}


def uses_of(name: str, seed: Seed) -> tuple[Use, ...]:
    """What is done with the file of an attack."""
    if name in ("html", "text"):
        return PAGE
    archive = any(kind in seed.file for kind in ("warc", "arc", "wacz"))
    known = (uses for kind, uses in BESIDE.items() if name.startswith(kind))
    return next(known, ARCHIVE if archive else READ)


def attacks() -> dict[str, Callable[[Trial], None]]:
    """All of them by name."""
    seeds = {**collections(), **beside()}
    found = {name: of_file(seed, uses_of(name, seed)) for name, seed in seeds.items()}
    return found | {"own workspace": own_workspace, "own output": own_output}


def attempt(run: Callable[[Trial], None], name: str, seed: int, folder: Path, ready: Ready) -> str:
    """What became of it: `read` or `refused`."""
    trial = Trial(random.Random(f"{name} {seed}"), folder, ready)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(trial)
    except WebechoError:
        return "refused"
    return "read"
