"""Cases of new pages made from old ones as a page for a browser: one file, without scripts. What
comes from a crawl or a log is text in it, never markup, and no address is a link that one click
follows."""

from collections.abc import Iterator, Sequence
from html import escape

from webecho.study.reuse_passages import MarkedCase, MarkedPage, Passage

# Nothing in the page may be loaded or run, whatever it says.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = """
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
section { border-top: 1px solid #999; margin-top: 2em; }
.pages { display: flex; gap: 1em; align-items: flex-start; }
.pages > div { flex: 1 1 0; min-width: 0; overflow-wrap: anywhere; }
.s1 { background: #cfe5f5; } .s2 { background: #fbdcc4; } .s12 { background: #d9d2e9; }
.gap { color: #777; } code { overflow-wrap: anywhere; }
"""
# So much of what is not shared is shown on either side of what is, and of what is shared; and so
# many passages of a page.
BESIDE, LONGEST, PASSAGES = 80, 2000, 100


def cases_page(cases: Sequence[MarkedCase]) -> str:
    """The page with these cases."""
    parts = [section(number, case) for number, case in enumerate(cases, 1)]
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
            "<title>New pages, and what they were perhaps made from</title>",
            f"<style>{STYLE}</style></head><body>",
            "<h1>New pages, and what they were perhaps made from</h1>",
            '<p>Shared <span class="s1">with the first old page</span>, '
            '<span class="s2">with the second</span>, <span class="s12">with both</span>.</p>',
            *parts,
            "</body></html>\n",
        ]
    )


def section(number: int, each: MarkedCase) -> str:
    case = each.case
    columns = []
    for place, old in enumerate(each.old):
        told = f"rank {case.ranks[place]}, {case.shared[place]} identical paragraphs"
        columns.append(column(f"Old page {place + 1}: {told}", old, {1: f"s{place + 1}"}))
    columns.insert(1, column("New page", each.new, {1: "s1", 2: "s2"}))
    return (
        f"<section><h2>{number}. {escape(case.query)}</h2>"
        f"<p>{escape(each.pair)}, queries of {escape(case.log)}</p>"
        f'<div class="pages">{"".join(columns)}</div></section>'
    )


def column(title: str, page: MarkedPage, classes: dict[int, str]) -> str:
    address = escape(page.url or f"#{page.page}")
    text = "".join(marked(page.passages, classes))
    return f"<div><h3>{escape(title)}</h3><p><code>{address}</code></p><p>{text}</p></div>"


def marked(passages: Sequence[Passage], classes: dict[int, str]) -> Iterator[str]:
    for place, passage in enumerate(passages):
        if place == PASSAGES:
            yield '<span class="gap">…</span>'
            return
        if passage.sources:
            both = len(passage.sources) > 1
            name = "s12" if both else classes[passage.sources[0]]
            yield f'<mark class="{name}">{escape(cut(passage.text, LONGEST))}</mark> '
        else:
            first, last = place == 0, place == len(passages) - 1
            yield f'<span class="gap">{escape(beside(passage.text, first, last))}</span> '


def cut(text: str, longest: int) -> str:
    """The beginning and the end of a long text."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]} […] {text[-longest // 2 :]}"


def beside(text: str, first: bool, last: bool) -> str:
    """What stands next to something shared."""
    if len(text) <= 2 * BESIDE:
        return text
    if first and last:
        return cut(text, 2 * BESIDE)
    if first:
        return f"… {text[-BESIDE:]}"
    return f"{text[:BESIDE]} …" if last else f"{text[:BESIDE]} […] {text[-BESIDE:]}"
