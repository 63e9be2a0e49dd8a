"""Labels on the terminal: where they are given, and what became of them."""

import pyarrow as pa

from webecho.api.label import (
    Agreed,
    Exported,
    FromTruth,
    Guessed,
    Labelled,
    LabellingPage,
    Nothing,
    Served,
    TakenIn,
)
from webecho.evaluation.label.reasons import LABELS
from webecho.safe_text import plain
from webecho.show.evaluation import readable
from webecho.show.terminal import Format, print_json, print_rows, say, show

# Problems of an import, and pairs that are disputed, that are told one by one.
SHOWN = 20


def show_page(page: LabellingPage, quiet: bool) -> None:
    """Prints the address of the labelling page."""
    if not quiet:
        say(f"labels: {page.file}")
        if not page.is_loopback:
            say("webecho: who knows the address can read pages and label from other machines")
        say("open this address in a browser; end with Ctrl-C")
    print(page.url, flush=True)


def show_labelled(found: Labelled, output: Format, quiet: bool) -> bool:
    """Prints what was done instead of labelling, and gives whether rows were left out."""
    match found:
        case Served():
            return False
        case Nothing():
            say(f"webecho: there is nothing to label: {', '.join(found.rules)} found no pairs")
        case TakenIn():
            return show_taken_in(found, output, quiet)
        case Exported():
            if not quiet:
                say(f"fill in the label of each row ({', '.join(LABELS)}), then: --import")
            show({"pairs": found.pairs, "written to": str(found.file)}, None, output)
        case FromTruth():
            before = found.pairs - found.labelled
            rest = {"labelled before": before} if before else {}
            show({"pairs": found.pairs, "labelled": found.labelled} | rest, None, output)
        case Guessed():
            if not quiet:
                say(f"written: {found.file}")
            summary = {"rules": ", ".join(found.rules), "pairs": found.pairs, "labels": "guessed"}
            rows = readable(found.reasons) if output == "table" else found.reasons
            show(summary, rows, output, "Guesses, by nobody checked")
        case Agreed():
            show_agreement(found, output)
    return False


def show_taken_in(found: TakenIn, output: Format, quiet: bool) -> bool:
    """Prints what became of each row of an import, and gives whether some were left out."""
    rows = found.rows
    for problem in rows.problems[:SHOWN]:
        say(f"webecho: {plain(problem)}")
    if len(rows.problems) > SHOWN:
        say(f"webecho: and {len(rows.problems) - SHOWN:,} rows more like these")
    if not quiet:
        say(f"labels: {found.file}")
    summary = {
        "rows": rows.rows,
        "imported": rows.imported,
        "known already": rows.known,
        "left out": len(rows.problems),
        "pairs no rule found": rows.unfound,
    }
    if rows.unlabelled:
        summary["not labelled yet"] = rows.unlabelled
    show(summary, None, output)
    return bool(rows.problems)


def show_agreement(found: Agreed, output: Format) -> None:
    """Prints how far labellers agree, and on which pairs they do not; CSV has the first alone."""
    agreement, disputed = found.agreement, found.disputed
    rows = [
        {
            "one": two.one,
            "other": two.other,
            "pairs": two.pairs,
            "agreed": two.agreed,
            "share": two.share,
            "Cohen's kappa": two.kappa,
        }
        for two in agreement.two
    ]
    summary = {
        "pairs labelled by several": agreement.pairs,
        "Krippendorff's alpha": agreement.alpha,
        "pairs they disagree on": len(disputed),
    }
    if output == "json":
        print_json(summary | {"rows": rows, "disputed": [*disputed]})
        return
    show(summary, pa.Table.from_pylist(rows) if rows else None, output)
    if output == "table" and disputed:
        more = f"The first {SHOWN} of the" if len(disputed) > SHOWN else "The"
        print()
        print_rows(disputed_rows(found), f"{more} pairs they disagree on")


def disputed_rows(found: Agreed) -> pa.Table:
    """The first pairs that are disputed, with a column for what each labeller says."""
    labellers = sorted({who for each in found.disputed for who in each["said"]})
    rows = []
    for pair in found.disputed[:SHOWN]:
        named = {name: value for name, value in pair.items() if name != "said"}
        rows.append(named | {f"{who} says": pair["said"].get(who) for who in labellers})
    return pa.Table.from_pylist(rows)
