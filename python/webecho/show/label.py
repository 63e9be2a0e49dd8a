"""Labels on the terminal: where they are given, and what became of them."""

import pyarrow as pa

from webecho.api.label import FromTruth, Guessed, Labelled, LabellingPage, Served, TakenIn
from webecho.evaluation.label.labellers import LabellerAgreement
from webecho.safe_text import plain
from webecho.show.evaluation import readable
from webecho.show.terminal import Format, say, show

# Problems of an import that are told one by one.
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
        case TakenIn():
            return show_taken_in(found, output, quiet)
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
        case LabellerAgreement():
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
    show(summary, None, output)
    return bool(rows.problems)


def show_agreement(found: LabellerAgreement, output: Format) -> None:
    """Prints how far labellers agree."""
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
    show(summary, pa.Table.from_pylist(rows) if rows else None, output)
