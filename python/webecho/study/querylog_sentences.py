"""What the study of query logs says in sentences: the paper's hypothesis, with these numbers."""

from collections.abc import Iterator, Sequence

from webecho.study.permutation import PermutationTest
from webecho.study.querylog_pair import LAST_TWO, PairFound
from webecho.study.querylog_settings import QuerylogSettings

# As is usual.
SIGNIFICANT = 0.05


def sentences(found: Sequence[PairFound], settings: QuerylogSettings) -> Iterator[str]:
    """The hypothesis for each pair, and how new documents fall off with each condition."""
    for each in found:
        yield from conditions(each, settings)
        yield from hypothesis(each, settings)
        yield from ages(each, settings)


def documents(count: int) -> str:
    return f"{count:,} new document{'' if count == 1 else 's'}"


def conditions(each: PairFound, settings: QuerylogSettings) -> Iterator[str]:
    """How many are left of new similar documents."""
    minimal = settings.tested
    for log in each.logs:
        if minimal not in log.conditions:
            continue
        similar, *_, left = log.conditions[minimal]
        yield (
            f"{each.pair.name}: of {each.documents[1]:,} new documents {similar:,} have at least "
            f"one paragraph of what queries of {log.log.name} give; {left:,} are left after all "
            f"six conditions with at least {minimal} identical paragraphs."
        )


def hypothesis(each: PairFound, settings: QuerylogSettings) -> Iterator[str]:
    """Whether people use search engines to find pages and publish their content anew."""
    name, real = each.pair.name, each.real
    if real is None:
        yield (
            f"{name}: no log is of the time between the two crawls, so that nothing can be said of "
            "whether people used what a search engine gave."
        )
        return
    for own, other, part, test in each.tests:
        of = "" if part == "whole" else f", {LAST_TWO}"
        yield (
            f"{name}: the queries of {own}{of}, the real log, leave {documents(test.real)}, and "
            f"those of {other} leave {test.other:,}, at {settings.tested} identical paragraphs; of "
            f"{test.permutations:,} permutations {test.as_far:,} are at least as far apart "
            f"(p = {test.p:.3f}), which {verdict(test)}."
        )
        yield from every_number(each, own, other, part)


def verdict(test: PermutationTest) -> str:
    if test.p <= SIGNIFICANT:
        return "speaks for people having used a search engine to make new pages from old"
    if test.real > test.other:
        return "may be chance, and does not show that people used a search engine"
    return "does not speak for people having used a search engine"


def every_number(each: PairFound, real: str, other: str, part: str) -> Iterator[str]:
    """Whether that is so for each minimal number, as in the paper's Figure 3."""
    if part != "whole":
        return
    numbers = each.left[real]
    more = [minimal for minimal in numbers if numbers[minimal] > each.left[other][minimal]]
    at = ", ".join(map(str, more)) or "none"
    yield (
        f"{each.pair.name}: {real} leaves more than {other} at {len(more)} of {len(numbers)} "
        f"minimal numbers ({at})."
    )


def ages(each: PairFound, settings: QuerylogSettings) -> Iterator[str]:
    """Whether recent periods leave more, as in the paper's Figure 4."""
    if each.real is None or len(each.real.periods) < 2:
        return
    left = [each.left[period.name].get(settings.tested) for period in each.real.periods]
    if None in left:
        return
    told = ", ".join(f"{count:,}" for count in left)
    yield (
        f"{each.pair.name}: from the oldest to the most recent, the periods of {each.real.name} "
        f"leave {told} new documents at {settings.tested} identical paragraphs."
    )
