"""What the papers have of quantities that we have too: each number, and where it stands.

Only what is the same quantity: of numbers that a paper gives for each of its collections the least
and the most, for its collections are not ours; of those that it gives for all of them, or of which
it has one, that alone. What follows from a paper's numbers and does not stand in it is left out, as
is what its own tables contradict (the 48.9 % of unique documents of Pereira 2006, section 4.1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

PEREIRA, BAEZA_YATES, HENZINGER = "Pereira 2006", "Baeza-Yates 2007", "Henzinger 2006"
SHIVAKUMAR = "Shivakumar 1998"
FETTERLY = "Fetterly 2004"
TITLE = "Beside the paper"
BESIDE = pa.schema(
    {
        "collection": pa.string(),
        "fact": pa.string(),
        "value": pa.float64(),
        "paper, low": pa.float64(),
        "paper, high": pa.float64(),
        "where": pa.string(),
    }
)


@dataclass(frozen=True)
class Published:
    """A number of a paper, or the least and the most of several, and where they stand."""

    where: str
    low: float
    high: float


def one(where: str, value: float) -> Published:
    return Published(where, value, value)


# Pereira 2006: three crawls of the Chilean web.
DUPLICATES = {
    "share of duplicates": Published(f"{PEREIRA}, Table 2", 0.358, 0.431),
    "share near at 90%": Published(f"{PEREIRA}, Table 3", 0.370, 0.445),
    "share near at 70%": Published(f"{PEREIRA}, Table 3", 0.432, 0.479),
    "share near at 50%": Published(f"{PEREIRA}, Table 3", 0.499, 0.534),
    "share of clusters of two among clusters": one(f"{PEREIRA}, section 4.1, about", 0.63),
    "share of clusters of two among duplicates": one(f"{PEREIRA}, section 4.1, about", 0.19),
    "share of clusters of ten or fewer among clusters": one(f"{PEREIRA}, section 4.1, 2003", 0.957),
    "share of clusters of ten or fewer among clustered documents": one(
        f"{PEREIRA}, section 4.1, 2003", 0.633
    ),
    "share of clusters of ten or fewer among duplicates": one(
        f"{PEREIRA}, section 4.1, 2003", 0.405
    ),
    "share of duplicates in clusters over 10,000": one(f"{PEREIRA}, section 4.1, 2004", 0.071),
}
# Baeza-Yates 2007 has a fourth crawl, but no clusters, unique and useful documents reached.
GRAPH = {
    "share of documents reached": Published(f"{BAEZA_YATES}, section 3.2", 0.516, 0.639),
    "share of duplicates, complete": Published(f"{BAEZA_YATES}, Table 4", 0.319, 0.431),
    "share of duplicates, reachable": Published(f"{BAEZA_YATES}, Table 4", 0.189, 0.293),
    "share of duplicates, unreachable": Published(f"{BAEZA_YATES}, Table 4", 0.382, 0.504),
    "share of clusters in the reachable part": Published(f"{PEREIRA}, Table 5", 0.718, 0.816),
    "share of unique in the reachable part": Published(f"{PEREIRA}, Table 6", 0.603, 0.719),
    "share of useful documents reached": Published(f"{PEREIRA}, section 4.1", 0.626, 0.736),
}
GRAPH_MEANS = {
    "mean share complete higher": one(f"{BAEZA_YATES}, section 3.2", 0.509),
    "mean share unreachable higher": one(f"{BAEZA_YATES}, section 3.2", 0.746),
}
GROWTH = {"share of duplicates in 50% of the steps": one(f"{PEREIRA}, section 4.2", 0.90)}
# Section 4.2: after which share of the steps the duplicates of 2005, estimated by the growth of
# 2004, were so many percentage points off: 34.4 and 35.6 % for 35.8 %.
ESTIMATE_ERRORS = {0.2: -1.4, 0.5: -0.2}

# Baeza-Yates 2007, Tables 7 and 8, by the table and the distance of the two collections.
DESCENDANTS: dict[tuple[int, int], dict[str, float]] = {
    (7, 1): {"parents": 5900, "children": 13_500, "equivalents": 13_900},
    (7, 2): {"parents": 4900, "children": 8900, "equivalents": 10_700},
    (7, 3): {"parents": 4300, "children": 9700, "equivalents": 6800},
    (8, 1): {"parents": 5300, "children": 33_200, "equivalents": 19_300},
    (8, 2): {"parents": 5000, "children": 29_100, "equivalents": 10_500},
}

# Section 5.2: from 2003–2004 to 2003–2005.
FALL_OFF: dict[tuple[int, int], dict[str, float]] = {
    (8, 1): {"share fewer children": 0.125, "share fewer equivalents": 0.455}
}
QUERYLOG_COLLECTIONS = {
    "share of documents considered": one(f"{BAEZA_YATES}, section 2.2, about", 0.75),
}
QUERYLOG_LOGS = {"share of requests covered": one(f"{BAEZA_YATES}, section 4.2, about", 0.14)}

# Shivakumar 1998: 24 million pages, 150 GB.
REPLICATION = {
    "share of pages with one replica, page": one(f"{SHIVAKUMAR}, section 3, about", 0.64),
    "share of pages with two replicas, page": one(f"{SHIVAKUMAR}, section 3, about", 0.18),
    "share of pages with 10 to 100 replicas, page": one(f"{SHIVAKUMAR}, section 3, about", 0.05),
    "share of pages replicated, page": one(f"{SHIVAKUMAR}, section 3", 0.36),
    "share of pages replicated, lines:2": one(f"{SHIVAKUMAR}, section 3, about", 0.48),
    "share of pages saved, page": one(f"{SHIVAKUMAR}, section 3", 0.22),
    "share of pages saved, lines:4": one(f"{SHIVAKUMAR}, section 3", 0.29),
    "share of pages saved, lines:2": one(f"{SHIVAKUMAR}, section 3", 0.33),
    "share of bytes saved, page": one(f"{SHIVAKUMAR}, section 3, 33 of 150 GB, about", 0.22),
    "share of bytes saved, lines:2": one(f"{SHIVAKUMAR}, section 3, 50 of 150 GB, almost", 0.33),
}
# Table 1, by the chunking: megabytes, and seconds.
SPACE: dict[str, dict[str, int]] = {
    "fingerprints": {"page": 800, "lines:4": 2400, "lines:2": 4600},
    "server map": {"page": 750, "lines:4": 750, "lines:2": 750},
    "URL map": {"page": 1500, "lines:4": 1500, "lines:2": 1500},
}
TIME: dict[str, dict[str, int]] = {
    "read and fingerprint": {"page": 158_400, "lines:4": 158_400, "lines:2": 158_400},
    "sort": {"page": 3120, "lines:4": 9780, "lines:2": 25_704},
    "overlap": {"page": 2700, "lines:4": 5100, "lines:2": 8712},
}

# Fetterly 2004, section 3: week 1, by the label of the rule.
CLUSTERS: dict[str, dict[str, float]] = {
    "very-similar": {
        "pages": 150_836_209,
        "pages in clusters": 57_305_947,
        "pages alone": 93_530_262,
        "clusters": 13_283_856,
        "duplicates": 44_022_091,
        "share of duplicates": 0.292,
    },
    "virtually-identical": {
        "pages": 150_836_209,
        "pages in clusters": 45_492_400,
        "pages alone": 105_343_809,
        "clusters": 12_019_235,
        "duplicates": 33_473_165,
        "share of duplicates": 0.222,
    },
}
# "Roughly"; that of the virtually identical is "visibly smaller".
EXPONENTS = {"very-similar": {"exponent": -2.5, "exponent of the log-log line": -2.5}}
# Tables 1 and 2: the URLs of the largest clusters, by their ranks.
_LARGEST = {
    "very-similar": (
        *(921_374, 315_788, 201_869, 118_530, 100_428, 92_629, 91_207, 84_421, 75_766, 70_081),
        *(69_589, 64_297, 63_714, 63_298, 61_318, 60_923, 59_848, 59_358, 57_870, 53_555),
    ),
    "virtually-identical": (
        *(118_529, 92_629, 75_766, 70_081, 69_588, 64_297, 63_714, 63_298, 61_318, 60_923),
        *(59_848, 57_870, 51_399, 48_267, 47_461, 41_092, 39_888, 39_338, 38_398, 36_792),
    ),
}
LARGEST = {
    (rule, rank): {"urls": urls}
    for rule, ranked in _LARGEST.items()
    for rank, urls in enumerate(ranked, 1)
}
CLUSTER_FACTS = {
    "share of duplicates, very-similar": one(f"{FETTERLY}, section 3", 0.292),
    "share of duplicates, virtually-identical": one(f"{FETTERLY}, section 3", 0.222),
    "exponent of the trend, very-similar": one(f"{FETTERLY}, section 3, roughly", -2.5),
    "of the 20 largest that differ in words, very-similar": one(f"{FETTERLY}, section 3", 3),
    "of the 20 largest that differ in words, virtually-identical": one(
        f"{FETTERLY}, section 3, none", 0
    ),
    "share on one set of hosts at an outlying size, most, very-similar": one(
        f"{FETTERLY}, section 3, over, at size 108", 0.90
    ),
}

# Fetterly 2004, by the label of the rule: 150,836,209 pages, eleven weeks. Retention is that of
# each class of sizes in each week, but for single pages and for more than 100,000.
_RETENTION = Published(f"{FETTERLY}, section 3, Figure 4", 0.78, 0.95)
EVOLUTION: dict[str, dict[str, Published]] = {
    "very-similar": {
        "share of duplicates": one(f"{FETTERLY}, section 3", 0.292),
        "exponent of the log-log line, first": one(
            f"{FETTERLY}, section 3, Figure 1, roughly", -2.5
        ),
        "exponent of the log-log line, last": one(
            f"{FETTERLY}, section 3, Figure 2, roughly", -2.5
        ),
        "exponent of the power law, first": one(f"{FETTERLY}, section 3, Figure 1, roughly", -2.5),
        "exponent of the power law, last": one(f"{FETTERLY}, section 3, Figure 2, roughly", -2.5),
        "average containment, 1 page": one(f"{FETTERLY}, section 3, Figure 4", 1.0),
        "average containment, 2–10 pages": _RETENTION,
        "average containment, 11–100 pages": _RETENTION,
        "average containment, 101–1,000 pages": _RETENTION,
        "average containment, 1,001–10,000 pages": _RETENTION,
        "average containment, 10,001–100,000 pages": _RETENTION,
        "share of hosts unchanged": one(f"{FETTERLY}, section 3", 0.918),
    },
    "virtually-identical": {"share of duplicates": one(f"{FETTERLY}, section 3", 0.222)},
}
# Section 3, of the first week.
FIRST_WEEK: dict[tuple[str, int], dict[str, float]] = {
    ("very-similar", 1): {
        "addresses": 150_836_209,
        "single": 93_530_262,
        "in clusters": 57_305_947,
        "clusters": 13_283_856,
        "duplicates": 44_022_091,
        "share of duplicates": 0.292,
    },
    ("virtually-identical", 1): {
        "addresses": 150_836_209,
        "single": 105_343_809,
        "in clusters": 45_492_400,
        "clusters": 12_019_235,
        "duplicates": 33_473_165,
        "share of duplicates": 0.222,
    },
}

# Fetterly 2004, section 4: mirrors of the first week, by the step of the funnel; the last arc does
# not confirm 5,559 pairs, 17 of them equal but for www.
FUNNEL: dict[str, dict[str, float]] = {
    "raw pairs": {"host pairs": 231_709},
    "auto-mirrors": {"host pairs": 118_119},
    "aliases": {"host pairs": 71_246},
    "unresolved": {"host pairs": 4_977},
    "remaining": {"host pairs": 37_367},
    "confirmed by the last arc": {"host pairs": 31_808, "share of remaining": 0.851},
    "confirmed by the last four": {"host pairs": 27_309, "share of remaining": 0.731},
    "equal but for www., disjoint IPs": {"host pairs": 4_351},
    "not confirmed, equal but for www.": {"host pairs": 17},
    "not confirmed, others": {"host pairs": 5_542},
}
# Of URL first it is what Bharat and Broder 1999 found, as section 1 and section 4 tell it.
METHODS: dict[str, dict[str, float]] = {
    "content first": {"candidates": 37_367, "confirmed": 27_309, "share effective": 0.731},
    "URL first": {"candidates": 30_000, "confirmed": 17_000, "share effective": 0.577},
}
MIRRORS = {
    "share of pairs confirmed by the last arc": one(f"{FETTERLY}, section 4", 0.851),
    "share of pairs confirmed by the last four": one(f"{FETTERLY}, section 4", 0.731),
    "share of pairs valid, URL first": one(f"{FETTERLY}, section 4", 0.577),
    "share of pages mirrored": one(f"{FETTERLY}, abstract", 0.049),
}
# Of the exponent the paper says that of clusters it is about 2.5, and that mirrors have a power law
# too, which stays.
MIRROR_EXPONENT = {"exponent, size": one(f"{FETTERLY}, section 3, of clusters, about", -2.5)}
# Between the first snapshot and another: that of clusters, by their size, over ten weeks.
MIRROR_RETENTION = {
    "share of mirrored pages still mirrored": Published(
        f"{FETTERLY}, section 3, of clusters", 0.78, 0.95
    ),
}
HOSTS_UNCHANGED = {
    "share of hosts in as many clusters, all pages": one(
        f"{FETTERLY}, section 3, of the same addresses", 0.918
    ),
}

# Henzinger 2006, by the label of the rule: Alg. B and Alg. C.
PAIR_FACTS: dict[str, dict[str, float]] = {
    "b-2": {
        "pairs": 1_831e6,  # 3.3
        "share on the same site": 0.919,  # 3.2
        "average C-similarity": 341,  # 3.4.4, "almost"
        "share with C-similarity ≥ 372": 0.04,  # 3.4.4, "about"
        "pages with a near-duplicate": 27.4e6,  # 3.2
        "share with a near-duplicate": 0.017,  # 3
        "average degree": 135,  # 3.2, "about"
        "share of degree ≥ 100": 0.108,  # 3.4.1
        "exponent of the log-log line, degrees": -1.3,  # 3.2, "about"
        "hosts": 46.2e6,  # 3
        "pages per host": 36.5,  # 3
        "average term difference": 24,  # 3.2
        "median term difference": 11,  # 3.2, there "mean"
        "share of term difference 2": 0.21,  # 3.2
    },
    "c-372": {
        "pairs": 1_630e6,  # 3.3
        "share on the same site": 0.74,  # 3.3
        "share with B-similarity ≥ 2": 0.04,  # 3.4.4, "about"
        "share with B-similarity 0": 0.95,  # 3.4.4
        "pages with a near-duplicate": 35.5e6,  # 3.3
        "share with a near-duplicate": 0.022,  # 3
        "average degree": 92,  # 3.3, "almost"
        "share of degree ≥ 100": 0.075,  # 3.4.1
        "exponent of the log-log line, degrees": -1.4,  # 3.3, "about"
        "hosts": 46.2e6,  # 3
        "pages per host": 36.5,  # 3
        "average term difference": 94,  # 3.3
        "median term difference": 7,  # 3.3, there "mean"
        "share of term difference 2": 0.24,  # 3.3
    },
}
# Tables 1 and 9: for each B-similarity pairs, their share and the average C-similarity.
BY_B = {
    "b-2": {
        2: {"pairs": 958_899_366, "share": 0.524, "average C-similarity": 331.5},
        3: {"pairs": 383_076_019, "share": 0.209, "average C-similarity": 342.4},
        4: {"pairs": 225_454_277, "share": 0.123, "average C-similarity": 352.4},
        5: {"pairs": 158_989_276, "share": 0.087, "average C-similarity": 358.9},
        6: {"pairs": 104_628_248, "share": 0.057, "average C-similarity": 370.9},
    }
}
# Table 10: for the range of C-similarity from here on the average B-similarity; of 384 bits.
BY_C = {
    "c-372": {
        372: {"average B-similarity": 0.10},
        376: {"average B-similarity": 0.22},
        379: {"average B-similarity": 0.32},
        382: {"average B-similarity": 0.32},
    }
}


def beside_table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows of `beside_rows` as a table."""
    return pa.Table.from_pylist([dict(row) for row in rows], BESIDE)


def beside_rows(
    collection: str | None, facts: Mapping[str, Any], published: Mapping[str, Published]
) -> list[dict[str, Any]]:
    """What a collection has of that which a paper has, and what that has."""
    return [
        {
            "collection": collection,
            "fact": fact,
            "value": facts[fact],
            "paper, low": paper.low,
            "paper, high": paper.high,
            "where": paper.where,
        }
        for fact, paper in published.items()
        if facts.get(fact) is not None
    ]


def with_paper(
    table: pa.Table, keys: Sequence[str], known: Mapping[Any, Mapping[str, float]]
) -> pa.Table:
    """The table with a column `…, paper` behind each of which a paper has numbers for some of these
    rows; a row is told by the values of `keys`, one or several."""
    values = [table[key].to_pylist() for key in keys]
    rows = values[0] if len(keys) == 1 else [*zip(*values, strict=True)]
    for column in table.column_names:
        paper = [known.get(row, {}).get(column) for row in rows]
        if any(each is not None for each in paper):
            at = table.column_names.index(column) + 1
            # Behind its interval.
            while at < table.num_columns and is_end(table.column_names[at], column):
                at += 1
            kind = pa.int64() if pa.types.is_integer(table[column].type) else pa.float64()
            table = table.add_column(at, f"{column}, paper", pa.array(paper, kind))
    return table


def is_end(name: str, column: str) -> bool:
    """Whether a column has an end of another's interval."""
    return name in {f"{column}{sign}{end}" for sign in ("_", ", ") for end in ("low", "high")}
