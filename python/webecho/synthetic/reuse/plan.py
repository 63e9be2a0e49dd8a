"""The plan of a web over time: what stands in each snapshot, who copied what from whom, and what
was asked for between two snapshots."""

from dataclasses import dataclass, field
from random import Random

from webecho.synthetic.reuse.births import copied, duplicates, old_pages, own_texts, through_query
from webecho.synthetic.reuse.conditions import Case, sow
from webecho.synthetic.reuse.lives import Page, World
from webecho.synthetic.reuse.logs import Asked, ask_for
from webecho.synthetic.web import Web

# So many more pages, by this share, has each snapshot than the one before.
GROWTH = 0.05


@dataclass(frozen=True)
class Reaped:
    """A case with its new pages."""

    case: Case
    new: tuple[Page, ...]


@dataclass
class Plan:
    """All snapshots, each with its pages in the order of the crawl."""

    snapshots: list[list[Page]] = field(default_factory=list)
    topics: dict[int, int] = field(default_factory=dict)  # of texts
    asked: list[Asked] = field(default_factory=list)  # between each snapshot and the next
    cases: list[Reaped] = field(default_factory=list)


def plan_reuse(web: Web) -> Plan:
    """Every page of every snapshot."""
    world = World(web, Random(web.seed))
    plan = Plan(topics=world.topics)
    cases = born_first(world)
    while True:
        plan.snapshots.append(world.shuffled(world.pages.values()))
        if world.snapshot == web.snapshots:
            return plan
        plan.asked.append(ask_for(world, cases))
        world.grow_older(rewritten(cases))
        for case in cases:
            new = tuple(case.reap(world, case.old))
            plan.cases.append(Reaped(case, new))
            world.reserved |= {page.document for page in new}
        cases = born_later(world, plan.asked[-1])


def born_first(world: World) -> list[Case]:
    """The pages of the first snapshot."""
    web = world.web
    cases = sown(world)
    again = round(web.pages * web.duplicates)
    own_texts(world, web.pages - again - len(world.pages))
    duplicates(world, again)
    return cases


def born_later(world: World, asked: Asked) -> list[Case]:
    """The pages that a later snapshot has and the one before had not."""
    web = world.web
    count = round(len(world.before) * (1 + GROWTH)) - len(world.pages)
    copies = round(count * web.copies)
    again = round(count * web.duplicates)
    through = round(copies * web.through_queries)
    old = old_pages(world)
    for number in range(through if asked.topics else 0):
        through_query(world, old, asked.topics[number % len(asked.topics)], number)
    for number in range(copies - through):
        copied(world, old, number, asked.every)
    before = len(world.pages)
    cases = sown(world) if world.snapshot < web.snapshots else []
    own = count - copies - again - (len(world.pages) - before)
    own_texts(world, max(0, own))
    duplicates(world, again)
    world.reserved = {page.document for case in cases for page in case.old}
    return cases


def sown(world: World) -> list[Case]:
    """The old pages of all cases, where copies through queries are wanted."""
    if not (world.web.copies and world.web.through_queries):
        return []
    cases = list(sow(world))
    world.reserved |= {page.document for case in cases for page in case.old}
    return cases


def rewritten(cases: list[Case]) -> list[int]:
    """The documents that must be there in the next snapshot too."""
    return [page.document for case in cases for page in case.old if case.condition == 4]
