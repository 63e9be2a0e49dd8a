"""*Loose clusters*: large ones whose pages, on the whole, the rule does not hold together with the
one that stays. By chains, many unlike pages can come together."""

from webecho.engine.exact_sums import total, units
from webecho.errors import Message, setting
from webecho.group.decision import Decision, DedupSettings
from webecho.group.rules.rule import Rule
from webecho.group.stars import NEAR
from webecho.run import Run
from webecho.settings import Recipe

# A cluster of so many pages is large.
LARGE = 50
# Loose ones that are named.
NAMED = 10


def loose_clusters(decision: Decision, settings: DedupSettings, run: Run) -> list[str]:
    """The loose clusters of a decision, in words."""
    removed = decision.removed
    measure = closeness(settings.rule, decision.pages.recipe)
    if settings.link != "chain" or len(removed) < LARGE or measure is None:
        return []
    column, least = measure
    with run.database() as database:
        database.add("removed", removed)
        rows = database.table(loose(column, least)).to_pylist()
    return [
        Message(
            f"large and loose: {row['pages']:,} pages go with page {row['kept_page']} by chains, "
            f"their {column} to it is {row['average']:.2f} on average and {row['lowest']:.2f} at "
            "the lowest; ",
            *(setting("link").to("kept", repr("kept")), " removes only what is similar to it"),
        )
        for row in rows
    ]


def loose(column: str, least: float) -> str:
    """SQL for the large clusters of the new collection whose average is below the least."""
    return f"""
    WITH near AS (
        SELECT kept_page, {column}, {units(column)} AS units FROM removed
        WHERE agrees = '{NEAR}' AND kept_page >= 0
    )
    SELECT kept_page, count(*) AS pages, {total()} / count({column}) AS average,
        min({column}) AS lowest
    FROM near GROUP BY kept_page
    HAVING count(*) >= {LARGE}
        AND sum(units) < {units(f"CAST({least!r} AS DOUBLE)")} * count({column})
    ORDER BY pages DESC NULLS LAST, kept_page NULLS LAST LIMIT {NAMED}
    """


def closeness(chosen: Rule, recipe: Recipe) -> tuple[str, float] | None:
    """The measure that all checks of a rule ask for, and the least that any of them does; None for
    a rule that checks nothing."""
    asked = [search.check.asked for search in chosen.searches(recipe)]
    for name in asked[0] if asked else ():
        if all(name in each for each in asked):
            return name, min(each[name] for each in asked)
    return None
