"""The first maximal independent set in keep order, by the kernel and by rounds."""

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.local.test_stars import slow_stars
from webecho.engine.spark.independent_sets import decided
from webecho.engine.spark.session import sibling

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
PAGES = 40


@pytest.mark.parametrize(("few", "fixed"), [(1000, 0), (0, 0), (10, 12)])
def test_rounds_give_what_going_through_in_order_gives(
    few: int, fixed: int, spark: "SparkSession"
) -> None:
    chance = random.Random(few)
    pairs = {(0, 1), (1, 2), (2, 3), (3, 4)}
    while len(pairs) < 70:
        one, other = chance.sample(range(PAGES), 2)
        pairs.add((min(one, other), max(one, other)))
    # Some ranks are the same: then the lower page comes first.
    ranks = [page if page < fixed else fixed + chance.randrange(30) for page in range(PAGES)]
    order = sorted(range(PAGES), key=lambda page: (ranks[page], page))
    expected = slow_stars(order, pairs, fixed)
    left, right = zip(*sorted(pairs), strict=True)
    frame = sibling(spark).createDataFrame(pa.table({"left": left, "right": right}))
    found = decided(frame, pa.array(ranks, pa.uint32()), fixed, Path(), few)
    gone = dict(zip(found.gone.to_pylist(), found.stay.to_pylist(), strict=True))
    assert gone == {page: stays for page, stays in expected.items() if page != stays}
    assert (found.rounds > 0) == (few < 70)
