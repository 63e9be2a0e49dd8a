"""`webecho label`."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho import _core
from webecho.cli.run_record import run_of
from webecho.errors import SettingsError
from webecho.evaluation.guess.differences import guess
from webecho.evaluation.guess.guesses import write_guesses
from webecho.evaluation.judge.breakdown import breakdown
from webecho.evaluation.label.importing import import_labels, labels_of
from webecho.evaluation.label.labellers import agreement
from webecho.evaluation.label.labels import FILE, Lines, by_labeller
from webecho.evaluation.label.page_text import Reader
from webecho.evaluation.label.planted import label_from_truth
from webecho.evaluation.label.session import Desk, pairs_of
from webecho.evaluation.sample.drawing import Plan, draw, sample_file
from webecho.group.rule_names import rule_label, sampling
from webecho.show.terminal import many, plain, say, show
from webecho.workspace.locks import reading
from webecho.workspace.workspace import Workspace

# Problems of an import that are told one by one.
TOLD = 20


def run_label(path: Path, rules: tuple[str, ...], options: dict[str, Any]) -> bool:
    """Draws a sample and serves the page on which it is labelled, until it is stopped; or guesses,
    imports or tells the agreement instead. Tells whether rows of an import were left out."""
    check_alone(options)
    with reading(path) as workspace:
        file = options["labels"] or workspace.path / "labels" / FILE
        run = run_of(options)
        lines = labels_of(workspace, file, run)
        for line in lines.broken:
            say(f"webecho: {plain(line)}; the line is left out")
        if options["imported"] is not None:
            return take_in(workspace, file, options)
        if options["agreement"]:
            tell_agreement(workspace, lines, options)
            return False
        if not rules:
            raise SettingsError(f"say whose pairs to label, such as: {sampling(workspace)}")
        plan = Plan(
            tuple(dict.fromkeys(rule_label(workspace, name) for name in rules)),
            options["sample"],
            options["seed"],
        )
        sample = draw(workspace, plan, run)
        if not options["quiet"]:
            pairs = len(set(sample["number"].to_pylist()))
            say(f"sample: {sample_file(workspace, plan)}, {many(pairs, 'pair')}")
        if options["from_truth"] is not None:
            drawn = pairs_of(sample)
            count = label_from_truth(drawn, options["from_truth"], file, lines.labels)
            before = {"labelled before": len(drawn) - count} if count < len(drawn) else {}
            show({"pairs": len(drawn), "labelled": count} | before, None, options["output"])
            return False
        reader = Reader(workspace, _core.Sketcher(workspace.recipe.as_dict(), run.threads))
        if options["guess"]:
            tell_guesses(workspace, plan, sample, reader, options)
        else:
            serve_labels(Desk(pairs_of(sample), reader, file, options["labeller"], guess), options)
    return False


def check_alone(options: dict[str, Any]) -> None:
    """Refuses two things at once that each are done instead of labelling."""
    instead = {
        "--import": options["imported"],
        "--from-truth": options["from_truth"],
        "--guess": options["guess"],
        "--agreement": options["agreement"],
    }
    given = [name for name, value in instead.items() if value]
    if len(given) > 1:
        raise SettingsError(
            f"{' and '.join(given)}: each is done instead of labelling; give one after the other"
        )


def serve_labels(desk: Desk, options: dict[str, Any]) -> None:
    """Prints the address of the page, and answers until it is stopped."""
    try:
        from webecho.evaluation.label.server import bind, server_of
    except ImportError as error:
        raise SettingsError(
            f"labelling needs {error.name}, which is not installed: pip install 'webecho[label]'"
        ) from error
    listening, address = bind(options["host"], options["port"])
    if not options["quiet"]:
        say(f"labels: {desk.file}")
        if not address.is_loopback:
            say("webecho: who knows the address can read pages and label from other machines")
        say("open this address in a browser; end with Ctrl-C")
    print(address.url, flush=True)
    server_of(desk, address).run(sockets=[listening])


def tell_guesses(
    workspace: Workspace, plan: Plan, sample: pa.Table, reader: Reader, options: dict[str, Any]
) -> None:
    """Guesses all pairs of the sample, and prints how often which reason is the guess."""
    pairs = pairs_of(sample)
    file = workspace.path / "labels" / f"{plan.name.replace('sample', 'guesses', 1)}.jsonl"

    def done(number: int) -> None:
        if number % 100 == 0 and not options["quiet"]:
            say(f"{number:,} of {many(len(pairs), 'pair')}")

    found = write_guesses(pairs, reader, file, done)
    if not options["quiet"]:
        say(f"written: {file}")
    summary = {"rules": ", ".join(plan.rules), "pairs": len(pairs), "labels": "guessed"}
    show(summary, breakdown(sample, found), options["output"], "Guesses, by nobody checked")


def take_in(workspace: Workspace, file: Path, options: dict[str, Any]) -> bool:
    """Imports labels, and tells what became of each row."""
    run = run_of(options)
    source, labeller = options["imported"], options["labeller"]
    found = import_labels(workspace, source, file, labeller, run)
    for problem in found.problems[:TOLD]:
        say(f"webecho: {plain(problem)}")
    if len(found.problems) > TOLD:
        say(f"webecho: and {len(found.problems) - TOLD:,} rows more like these")
    if not options["quiet"]:
        say(f"labels: {file}")
    summary = {
        "rows": found.rows,
        "imported": found.imported,
        "known already": found.known,
        "left out": len(found.problems),
        "pairs no rule found": found.unfound,
    }
    show(summary, None, options["output"])
    return bool(found.problems)


def tell_agreement(workspace: Workspace, lines: Lines, options: dict[str, Any]) -> None:
    """Prints how far labellers agree."""
    said = list(by_labeller(lines.labels))
    labellers = sorted({labeller for _, labeller, _ in said})
    if len(labellers) < 2:
        alone = f"{labellers[0]} alone has" if labellers else "nobody has"
        raise SettingsError(
            f"{alone} labelled pairs here, and to agree takes two; another labels with: "
            f"{sampling(workspace)} --labeller NAME"
        )
    found = agreement(said)
    rows = [
        {
            "one": two.one,
            "other": two.other,
            "pairs": two.pairs,
            "agreed": two.agreed,
            "share": two.share,
            "Cohen's kappa": two.kappa,
        }
        for two in found.two
    ]
    summary = {"pairs labelled by several": found.pairs, "Krippendorff's alpha": found.alpha}
    show(summary, pa.Table.from_pylist(rows) if rows else None, options["output"])
