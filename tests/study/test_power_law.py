"""Power laws are found in sizes drawn from them, and not in others; numbers are the library's."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from webecho.errors import SettingsError
from webecho.study.power_law import FitSettings, PowerLaw, histogram, over_all, power_law

NONE, SOME = FitSettings(0), FitSettings(100)


def sizes(drawn: np.ndarray) -> Counter[int]:
    return Counter(drawn.astype(np.int64).tolist())


def planted(exponent: float, count: int, seed: int = 1) -> np.ndarray:
    drawn = np.random.default_rng(seed).zipf(exponent, count)
    return drawn[drawn < 10**9]


def log_normal(count: int, seed: int = 1) -> np.ndarray:
    drawn = np.exp(np.random.default_rng(seed).normal(1.5, 1.0, count))
    return np.maximum(1, np.round(drawn))


def law_of(counts: Counter[int], settings: FitSettings = NONE) -> PowerLaw:
    found = power_law(counts, settings)
    assert found is not None
    return found


@pytest.mark.parametrize("exponent", [1.5, 2.0, 2.5, 3.5])
def test_planted_exponents_are_recovered(exponent: float) -> None:
    found = law_of(sizes(planted(exponent, 20_000)), SOME)
    assert found.exponent == pytest.approx(-exponent, abs=4 * found.error)
    assert found.error < 0.05
    assert found.p is not None and found.p > 0.1 and not found.misses


def test_the_lower_cut_off_is_where_the_law_begins() -> None:
    """Below 10 there are as many of each size; from there on a law holds."""
    law = planted(2.5, 400_000)
    body = np.random.default_rng(2).integers(1, 10, 10_000)
    found = law_of(sizes(np.concatenate([body, law[law >= 10]])), SOME)
    assert 9 <= found.least <= 13
    assert found.exponent == pytest.approx(-2.5, abs=0.15)
    assert not found.misses
    assert found.tail < found.things


def test_a_log_normal_is_no_power_law_and_that_is_said() -> None:
    """Its last per cents look like one; all of it does not."""
    found = law_of(sizes(log_normal(20_000)), SOME)
    assert found.tail < 0.1 * found.things
    assert found.ratio < 0
    assert found.whole_ratio < -10 and found.whole_ratio_p < 1e-6


def test_what_follows_no_law_misses() -> None:
    """As the degrees of near-duplicates do where one template has made hundreds of pages."""
    found = law_of(sizes(planted(2.5, 5_000)) + Counter({500: 400}), SOME)
    assert found.misses


def test_a_law_of_all_sizes_is_compared_once() -> None:
    found = law_of(sizes(planted(2.5, 5_000)))
    assert found.tail == found.things
    assert (found.whole_ratio, found.whole_ratio_p) == (found.ratio, found.ratio_p)


def test_the_law_of_all_sizes_has_an_error_too() -> None:
    counts = {size: round(1000 * size**-2.5) for size in range(1, 12)}
    law = power_law(counts, FitSettings(repetitions=0))
    assert law is not None and law.least == 1
    assert over_all(histogram(counts)).error == pytest.approx(law.error) and law.error > 0.01


def test_p_is_even_where_the_law_holds() -> None:
    """Of sizes that follow the law one in ten has a p below 0.1, and half one below 0.5."""
    laws = [law_of(sizes(planted(2.2, 300, seed)), SOME) for seed in range(40)]
    found = [law.p for law in laws if law.p is not None]
    assert sum(p < 0.1 for p in found) <= 10
    assert 8 <= sum(p < 0.5 for p in found) <= 32


def test_what_a_law_expects() -> None:
    found = law_of(sizes(planted(2.0, 5_000)))
    expected = [found.count(size) for size in range(found.least, found.least + 20_000)]
    assert sum(expected) == pytest.approx(found.tail, rel=1e-3)
    assert found.at_least(found.least) == pytest.approx(found.tail)
    assert found.at_least(7) - found.at_least(8) == pytest.approx(found.count(7))


def test_the_same_seed_gives_the_same_p() -> None:
    counts = sizes(planted(2.2, 500))
    one, again, other = (law_of(counts, FitSettings(60, seed)).p for seed in (1, 1, 2))
    assert one == again
    assert other is not None and one is not None and abs(one - other) < 0.3
    assert law_of(counts).p is None
    with pytest.raises(SettingsError, match="--repetitions -1"):
        FitSettings(-1)


def test_a_hundred_million_things_cost_no_more_than_their_sizes() -> None:
    shares = np.arange(1.0, 3000.0) ** -2.3
    counts = np.round(1e8 * shares / shares.sum())
    found = law_of(Counter(dict(enumerate(counts.astype(int).tolist(), 1))), FitSettings(5))
    assert found.things == pytest.approx(1e8, rel=1e-3)
    assert found.exponent == pytest.approx(-2.3, abs=0.01)


@pytest.mark.parametrize(
    "counts", [{}, {3: 1000}, {1: 30, 2: 10, 5: 1}, {0: 500, 1: 40, 2: 5}], ids=str
)
def test_too_few_things_make_no_law(counts: dict[int, int]) -> None:
    assert power_law(counts, NONE) is None


def library(drawn: np.ndarray, least: int | None = None) -> object:
    powerlaw = pytest.importorskip(
        "powerlaw",
        reason="THE POWER LAWS ARE NOT HELD AGAINST THE LIBRARY powerlaw: pip install it",
    )
    options = {"discrete": True, "estimate_discrete": False, "verbose": False}
    # By default it looks for exponents up to 3.
    options["parameter_ranges"] = {"alpha": [1.01, 10]}
    return powerlaw.Fit(drawn, **options | ({} if least is None else {"xmin": least}))


def same_as_library(drawn: np.ndarray) -> None:
    found = law_of(sizes(drawn))
    theirs = library(drawn, found.least)
    assert -found.exponent == pytest.approx(theirs.power_law.alpha, abs=1e-3)
    assert found.tail == int((drawn >= found.least).sum())
    ratio, p = theirs.distribution_compare("power_law", "lognormal", normalized_ratio=True)
    assert found.ratio == pytest.approx(ratio, abs=0.02)
    assert found.ratio_p == pytest.approx(p, abs=0.01)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "drawn",
    [planted(2.5, 2_000), planted(1.8, 2_000), log_normal(3_000)],
    ids=["2.5", "1.8", "log"],
)
def test_numbers_are_the_librarys(drawn: np.ndarray) -> None:
    same_as_library(drawn)
    found, theirs = law_of(sizes(drawn)), library(drawn)
    # Where both choose the same least size; between sizes it does not look.
    assert found.least == theirs.power_law.xmin
    assert found.distance == pytest.approx(theirs.power_law.D, abs=0.002)


@pytest.mark.data
@pytest.mark.filterwarnings("ignore")
def test_numbers_are_the_librarys_on_real_sizes(data: Path) -> None:
    """How many pages directories of real sites have."""
    urls = pq.read_table(data / "snapshots" / "3.parquet", columns=["url"])["url"].to_pylist()
    folders = Counter(url.rpartition("/")[0] for url in urls)
    same_as_library(np.array([*folders.values()]))
