"""A comparison of two pages, for people and for programs."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

from rich.console import Console
from rich.text import Text

from webecho.group.comparison import ComparedPage, Comparison
from webecho.group.difference import Kind
from webecho.group.memberships import Membership
from webecho.safe_text import plain
from webecho.show.terminal import Format, Row, number, print_csv, print_json, print_lines
from webecho.show.word_diff import side_by_side, unified

REWRITTEN: Kind = "rewritten"

DiffLayout = Literal["unified", "side-by-side"]

# Piped into a file nothing is known of the width it is read at.
WIDTH = 80
# Words of one page alone that are named; all are counted.
NAMED = 30
# Lines that are printed at once.
LINES = 500


def show_comparison(found: Comparison, output: Format, layout: DiffLayout, context: int) -> None:
    """Prints all measures and the difference; as CSV the difference alone."""
    if output == "json":
        print_json(record(found))
    elif output != "table":
        rows = (
            [row["kind"], row["left"], row["right"]]
            + [" ".join(row[name] or ()) for name in ("words", "right_words")]
            for row in stretches(found) or ()
        )
        print_csv(["kind", "left", "right", "words", "right_words"], rows, output)
    else:
        print_comparison(found, layout, context, Console(highlight=False, emoji=False))


def record(found: Comparison) -> Row:
    """Everything that is known, by names."""
    return {
        "left": asdict(found.left),
        "right": asdict(found.right),
        "recipe": found.recipe.name,
        "resemblance": found.resemblance,
        "estimated": found.estimated,
        "left_containment": found.left_containment,
        "right_containment": found.right_containment,
        "shared_shingles": found.shared_shingles,
        "equal_features": found.equal_features,
        "b_similarity": found.b_similarity,
        "agreeing_supershingles": found.agreeing_supershingles,
        "c_similarity": found.c_similarity,
        "equal_words": found.equal_words,
        "equal_words_estimated": found.equal_words_estimated,
        "same_tokens": found.same_tokens,
        "same_text": found.same_text,
        "same_bytes": found.same_bytes,
        "same_payload": found.same_payload,
        "rules": [asdict(verdict) for verdict in found.verdicts],
        "dedup": found.dedup,
        "clusters": [
            {"rule": each.rule, "together": each.together} | asdict(each) for each in found.clusters
        ],
        "left_only": found.left_only,
        "right_only": found.right_only,
        "notes": found.notes,
        "gone": found.gone,
        "difference": stretches(found),
    }


def stretches(found: Comparison) -> list[Row] | None:
    """The difference, each stretch with the number of tokens before it on either page, and as the
    right page writes it where the left one does otherwise."""
    if found.difference is None:
        return None
    rows: list[Row] = []
    left = right = 0
    for each in found.difference:
        row: Row = {"kind": each.kind, "left": left, "right": right, "words": list(each.words)}
        rows.append(row | {"right_words": list(each.right) if each.kind == REWRITTEN else None})
        left += len(each.left)
        right += len(each.right)
    return rows


def print_comparison(found: Comparison, layout: DiffLayout, context: int, console: Console) -> None:
    """Who, how alike, by which rules, and what differs."""
    coloured = console.is_terminal and console.color_system is not None and not console.no_color
    lines = [*names("left", found.left), *names("right", found.right), ""]
    lines += aligned([*measures(found), *([("dedup", found.dedup)] if found.dedup else [])])
    lines += ["", *aligned(rules(found))]
    if found.clusters:
        lines += ["", *aligned([("clusters by", "", ""), *map(cluster, found.clusters)])]
    print_lines(lines)
    if found.difference is None:
        return
    width = console.width if console.is_terminal else WIDTH
    draw = unified if layout == "unified" else side_by_side
    print()
    some: list[Text] = []
    for line in draw(found.difference, width, coloured, context):
        if not coloured:
            print(line.plain)
            continue
        some.append(line)
        if len(some) == LINES:
            console.print(Text("\n").join(some), soft_wrap=True)
            some = []
    if some:
        console.print(Text("\n").join(some), soft_wrap=True)


def names(side: str, page: ComparedPage) -> list[str]:
    """What a page is called, and how long it is."""
    known = [] if page.page is None else [f"page #{page.page}"]
    if page.id is not None and page.id != page.url:
        known.append(f"id {page.id}")
    if page.title is not None:
        known.append(f"“{page.title}”")
    if page.tokens is not None:
        known.append(f"{page.tokens:,} token{'s'[: page.tokens != 1]}")
    first = page.url if page.url is not None else "no url"
    return [f"{side:<5}  {plain(first)}", f"{'':<5}  {plain(', '.join(known))}"]


def measures(found: Comparison) -> Iterator[tuple[str, str]]:
    """Each measure with what was counted for it."""
    unknown = "not known"
    shared, share = found.shared_shingles, found.resemblance
    if share is None:
        yield "resemblance", unknown
    elif shared is None:
        yield "resemblance", f"{share:.4f}, estimated from features"
    else:
        total = (found.left.shingles or 0) + (found.right.shingles or 0) - shared
        yield "resemblance", f"{share:.4f}, {shared:,} of {total:,} distinct shingles are shared"
    if found.left_containment is not None and found.right_containment is not None:
        left, right = found.left_containment, found.right_containment
        yield "containment", f"{left:.4f} of left in right, {right:.4f} of right in left"
    equal, agreeing, bits = found.equal_features, found.agreeing_supershingles, found.c_similarity
    recipe = found.recipe
    yield "features", unknown if equal is None else f"{equal} of {recipe.m} are equal"
    if agreeing is None:
        yield "B-similarity", unknown
    else:
        which = f": {', '.join(map(str, agreeing))}" if agreeing else ""
        some = f"{len(agreeing)} of {recipe.supershingles} supershingles agree"
        yield "B-similarity", some + which
    yield "C-similarity", unknown if bits is None else f"{bits} of {recipe.bits} bits agree"
    least = "at least " if found.equal_words_estimated else ""
    share = found.equal_words
    of_both = "of the words of both, by a minimal diff"
    yield "equal words", unknown if share is None else f"{least}{share:.4f} {of_both}"
    yield "same tokens", number(found.same_tokens)
    yield "same text", number(found.same_text)
    yield "same bytes", number(found.same_bytes)
    yield "same payload", number(found.same_payload)
    counts = counted(found)
    if counts is not None:
        removed, added, equal = counts["removed"], counts["added"], counts["equal"]
        rewritten = f", {counts[REWRITTEN]:,} written differently" if counts[REWRITTEN] else ""
        yield "difference", f"{words(removed)} removed, {added:,} added, {equal:,} equal{rewritten}"
        for side, own in (("left", found.left_only), ("right", found.right_only)):
            if own:
                more = f" and {len(own) - NAMED:,} more" if len(own) > NAMED else ""
                yield f"{side} only", f"{words(len(own))}: {plain(' '.join(own[:NAMED]))}{more}"
    else:
        yield "difference", f"{unknown}: {plain(found.gone or 'a page has no content')}"


def words(count: int) -> str:
    return f"{count:,} word{'s'[: count != 1]}"


def counted(found: Comparison) -> dict[Kind, int] | None:
    if found.difference is None:
        return None
    counts: dict[Kind, int] = {"removed": 0, "added": 0, "equal": 0, REWRITTEN: 0}
    for each in found.difference:
        counts[each.kind] += len(each.words)
    return counts


def rules(found: Comparison) -> Iterator[tuple[str, str, str]]:
    yield "rule", "together", ""
    for each in found.verdicts:
        yield each.rule, number(each.together) or "not known", each.reason


def cluster(each: Membership) -> tuple[str, str, str]:
    """What the clusters of a rule say, and what holds the two together in one."""
    if not each.together:
        sizes = [f"{size:,} page{'s'[: size != 1]}" for size in (each.left_size, each.right_size)]
        return each.rule, "no", f"in clusters of {sizes[0]} and of {sizes[1]}"
    one = f"in one cluster of {each.left_size:,} pages"
    if each.chain is None:
        return each.rule, "yes", one
    if len(each.chain) <= 2:
        return each.rule, "yes", f"{one}, as a pair"
    return each.rule, "yes", f"{one}, by the pairs {' – '.join(f'#{page}' for page in each.chain)}"


def aligned(rows: Any) -> list[str]:
    """The columns under each other."""
    filled = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*filled, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in filled
    ]
