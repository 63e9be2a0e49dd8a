"""What a page goes with, as people read it."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console

from webecho.group.companions import Companion, Companions, Company
from webecho.safe_text import plain
from webecho.show.compared import DiffLayout, print_comparison, record
from webecho.show.layout import cell, decimals
from webecho.show.terminal import Format, print_csv, print_json, print_lines

HEADS = {
    "dedup": "{} went with it",
    "clusters": "in one cluster with {}",
    "pairs": "in pairs with {}",
}
COLUMNS = ["by", "rule", "page", "url", "id", "measures"]


def show_companions(found: Companions, output: Format, layout: DiffLayout, context: int) -> None:
    """Prints what a page goes with, and how it differs from what it went with, or the nearest."""
    if output == "json":
        values = {name: value for name, value in asdict(found).items() if name != "comparison"}
        compared = None if found.comparison is None else record(found.comparison)
        print_json(values | {"alone": found.alone, "comparison": compared})
        return
    if output != "table":
        print_csv(COLUMNS, rows(found), output)
        return
    print_lines(lines(found))
    if found.comparison is not None:
        print()
        print_comparison(found.comparison, layout, context, Console(highlight=False, emoji=False))


def rows(found: Companions) -> Iterator[list[Any]]:
    if found.kept is not None:
        yield ["kept", found.kept.measures["rule"], *cells(found.kept)]
    for company in found.companies:
        same = () if company.stands is None else (company.stands,)
        for each in (*same, *company.companions):
            yield [company.by, company.rule, *cells(each)]


def cells(each: Companion) -> list[Any]:
    return [each.page, each.url, each.id, told(each)]


def lines(found: Companions) -> Iterator[str]:
    """Who it is, what became of it, and with whom it is by which rule."""
    yield f"#{found.page}  {plain(found.url or str(found.id or 'no url'))}"
    if found.stays is not None:
        yield f"dedup: it {'stays' if found.stays else 'was removed'}"
    if found.kept is not None:
        elsewhere = "" if found.kept.kept_in is None else f" of {found.kept.kept_in}"
        yield f"  went with  {called(found.kept)}{elsewhere}: {told(found.kept)}"
    for company in found.companies:
        yield from company_lines(company)
    if not found.companies and found.stays is None:
        yield "nothing was found here yet: find clusters or pairs, or dedup the collection"
    elif found.alone:
        yield "it is alone: nothing that was found holds it together with another page"


def company_lines(company: Company) -> Iterator[str]:
    same = same_tokens(company)
    if not company.count:
        but = f" but {same}" if same else ""
        yield f"{company.by} by {company.rule}: no other page{but}"
        return
    pages = f"{company.count:,} page{'s'[: company.count != 1]}"
    by = f" by {company.rule}" if company.rule else ""
    beside = f", beside {same}" if same else ""
    yield f"{company.by}{by}: {HEADS[company.by].format(pages)}{beside}"
    for each in company.companions:
        measures = told(each)
        yield f"  {called(each)}" + (f": {measures}" if measures else "")
    if company.count > len(company.companions):
        yield f"  and {company.count - len(company.companions):,} more"


def same_tokens(company: Company) -> str | None:
    """Which pages have the same tokens, where one stands for all in the pairs."""
    if company.stands is not None:
        return f"{called(company.stands)}, which has the same tokens and stands for it"
    if not company.stands_for:
        return None
    pages = f"{company.stands_for:,} page{'s'[: company.stands_for != 1]}"
    return f"{pages} with the same tokens, for which it stands"


def called(each: Companion) -> str:
    return f"#{each.page}  {plain(each.url or str(each.id or ''))}".rstrip()


def told(each: Companion) -> str:
    """What was measured, such as `resemblance 0.9051`; what holds is only named, and of pairs that
    stand for themselves alone no weight is told."""
    found = {name.replace("_", " "): value for name, value in each.measures.items()}
    return ", ".join(
        name if value is True else f"{name} {shown(value)}"
        for name, value in found.items()
        if value is not False and (name, value) != ("weight", 1)
    )


def shown(value: Any) -> str:
    """A value, a share with four digits and no more than it needs."""
    return cell(value, decimals([value])) if isinstance(value, float) else str(value)
