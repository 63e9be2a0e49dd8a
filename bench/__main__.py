"""Speed, memory and quality, measured here and now, beside the tools people would pick instead.

    make bench                     all parts
    python -m bench peers html     some of them

Real pages come from WEBECHO_DATA, made-up ones without it. Machines are shared and noisy: short
runs are repeated, and the best counts. Two parts are commands of their own, since they take long:
`python -m bench.budget` and `python -m bench.scale`.
"""

import argparse
from collections.abc import Callable

from bench import contest, corpora, kernels, results, warcs
from bench.measure import Row, machine, print_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, []], metavar="part", help=", ".join(PARTS)
    )
    parser.add_argument("--repeat", type=int, default=3, help="repetitions; the best counts")
    given = parser.parse_args()
    print(machine())
    for name in given.parts or PARTS:
        print(f"\n{name}")
        PARTS[name](given.repeat)


def peers(repeat: int) -> None:
    measure_peers("peers", corpora.docs(), repeat)


def million(repeat: int) -> None:
    measure_peers("million", corpora.million(), repeat)


def measure_peers(part: str, corpus: corpora.Corpus, repeat: int) -> None:
    print(f"{corpus.name}: {corpus.documents:,} documents, {corpus.bytes / 1e6:,.0f} MB of text")
    entries = contest.compare(corpus, repeat)
    results.print_entries(entries)
    ours = results.ours_among(entries)
    results.keep(part, [results.as_row(entry, ours) for entry in entries])


def measure_kernels(repeat: int) -> None:
    tell("kernels", list(kernels.rows(repeat)))


def measure_warcs(repeat: int) -> None:
    tell("warcs", list(warcs.rows(repeat)))


def tell(part: str, rows: list[Row]) -> None:
    print_table(rows)
    results.keep(part, [vars(row) | {"mb_per_second": row.speed} for row in rows])


PARTS: dict[str, Callable[[int], None]] = {
    "peers": peers,
    "million": million,
    "kernels": measure_kernels,
    "warcs": measure_warcs,
}


if __name__ == "__main__":
    main()
