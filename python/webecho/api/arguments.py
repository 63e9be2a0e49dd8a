"""What arguments mean that many functions have, so that each is described once; `help()` of a
function shows it among its own."""

from inspect import getdoc, signature
from typing import Any

HEADING, EXAMPLE = "Arguments:", "Example:"

RULE = {
    "rule": "when two pages belong together: payload, text (or exact), tokens, "
    "virtually-identical, very-similar, similar, edited, b, c, combined, by-site, paragraphs or "
    "overlap.",
    "resemblance": "for `similar`: the resemblance that is asked for, by default 0.8.",
    "equal_words": "for `edited`: the share of words that a diff must leave equal, by default 0.9.",
    "least_b": "for `b`, `combined` and `by-site`: how many of 6 supershingles must agree.",
    "least_c": "for `c`, `combined` and `by-site`: how many of 384 bits must agree.",
    "least_c_across": "for `by-site`: how many bits must agree on different sites.",
    "pieces": "for `c` and `by-site`: find what so many pieces of the bits find; None: all.",
    "chunk": "for `overlap`: what pages are cut into, such as `lines:4` or `words:8:sliding`.",
    "shared": "for `overlap`: how many chunks two pages must share.",
    "most_pages": "for `overlap`: chunks that stand on more pages do not count; None: all do.",
    "fingerprint": "for `overlap`: the bits of a chunk's fingerprint, 64 or the paper's 32.",
}
READING = {
    "data": "a path, several, a workspace, a table, or a list of texts or of dictionaries.",
    "recipe": "how bytes become tokens and tokens a sketch: webecho, fetterly2004, henzinger2006.",
    "text": "the column that has texts, where it is not recognised.",
    "html": "the column that has HTML.",
    "url": "the column that has addresses.",
    "id": "the column that has your names of pages.",
    "date": "the column that has dates.",
    "statuses": "of archives: the responses that are read; by default 200.",
    "types": "of archives: the media types that are read; by default HTML and plain text.",
    "convert": "commands by media type that turn documents into HTML or text.",
    "format": "of what the paths have, such as jsonl, where their names do not tell.",
}
RUNNING = {
    "threads": "how many are used; by default all cores.",
    "memory": 'what to keep within, as a number of bytes or a text such as "2GB".',
    "engine": "what does the work: local, spark, or a Spark session.",
    "report": "is called with a `Progress` (phase, share, pages, bytes) now and then.",
    "progress": "show how far it is: a bar on a terminal, elsewhere a line each ten seconds.",
}
STUDIES = {
    "workspaces": "a workspace, or several; of snapshots the oldest first.",
    "seed": "for what is random.",
    "repetitions": "drawn samples that tell how good a power law is; 0: none.",
    "force": "replace what an earlier run wrote.",
}
SHARED = RULE | READING | RUNNING | STUDIES


def described(function: Any) -> str:
    """The docstring of a function with the arguments described that it shares with others, after
    its own and in the order of its signature."""
    text = getdoc(function) or ""
    before, heading, after = text.partition(f"\n{HEADING}\n")
    own, example, rest = (after if heading else before).partition(f"\n{EXAMPLE}\n")
    if not heading:
        before, own = own, ""
    described_there = {line.strip().partition(":")[0] for line in own.split("\n") if ":" in line}
    lines = [own.rstrip("\n")] if own.strip() else []
    lines += [
        f"    {name}: {SHARED[name]}"
        for name in signature(function).parameters
        if name in SHARED and name not in described_there
    ]
    shared = "\n".join(lines)
    return f"{before.rstrip()}\n\n{HEADING}\n{shared}\n" + (
        f"\n{EXAMPLE}\n{rest}" if example else ""
    )
