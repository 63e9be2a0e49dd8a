"""*Follower*: a URL that shows the text of its family, with each snapshot goes away from it at a
planted rate, and comes back.

Hosts have one rate each. A family has one follower of each rate, and an *anchor*, which always has
the family's text; its text may change, and then that of all who follow. So the chance that a
follower has the text of the anchor in the next snapshot is one less its rate.
"""

from collections.abc import Iterator
from itertools import count
from math import ceil, isqrt

from webecho.synthetic.evolving.lives import FOLLOWED, PACES, Address
from webecho.synthetic.web import EVOLVING_KINDS, KINDS, Web

# Of 1000: in the middle of each of ten bins of the probability to stay.
RATES = (50, 150, 250, 350, 450, 550, 650, 750, 850, 950)
FOLLOWER = len(KINDS) + EVOLVING_KINDS.index("follower")
# So that no two hosts look like mirrors: they have few families in common.
LEAST_HOSTS = 13


def plant_followers(web: Web, number: int, host: int) -> Iterator[Address]:
    """The URLs of all families, with numbers and hosts from these on."""
    families = ceil(web.followers / (len(RATES) + 1))
    hosts = hosts_a_rate(families)
    numbers = count(number)
    for family in range(families):
        anchor = next(numbers)
        row, column = divmod(family, hosts)
        home = host + column
        place = row + 1
        if anchor - number >= web.followers:
            return
        pace = PACES.index(FOLLOWED)
        yield Address(*(anchor, anchor, 0, 0, 0, home, place, home, place), machine=home, pace=pace)
        for member, rate in enumerate(RATES, 1):
            follower = next(numbers)
            if follower - number >= web.followers:
                return
            # Every two hosts of different rates meet equally often, for the hosts are a prime.
            at = host + member * hosts + (column + member * row) % hosts
            yield Address(
                *(follower, anchor, 0, member, FOLLOWER, at, place, home, place),
                machine=at,
                rate=rate,
                pace=pace,
            )


def hosts_a_rate(families: int) -> int:
    """A prime, so that hosts have at most four families in common, or five."""
    found = max(LEAST_HOSTS, isqrt(families) // 2)
    while any(found % divisor == 0 for divisor in range(2, isqrt(found) + 1)):
        found += 1
    return found
