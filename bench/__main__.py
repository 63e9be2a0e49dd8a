"""Speed, memory and quality, measured here and now, beside the tools people would pick instead.

    make bench                                  all parts
    python -m bench peers html                  some of them
    python -m bench peers --only webecho,gaoya  some libraries

Real pages come from WEBECHO_DATA, made-up ones without it. Machines are shared and noisy: short
runs are repeated, and the best counts. Results are added to `bench/results.json`, `plot` draws them
as `bench/results.png`. Parts that take long are commands of their own: `python -m bench.NAME` with
budget, scale, paragraphs, overlap, evolution, mirrors, genealogy, querylog or spark.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from bench import contest, corpora, html, kernels, plot, quality, results, startup, warcs
from bench.measure import Row, machine, print_table


@dataclass(frozen=True)
class Asked:
    """How often, and which peers."""

    repeat: int
    peers: tuple[contest.Peer, ...]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--repeat", type=int, default=3, help="repetitions; the best counts")
    parser.add_argument("--only", metavar="LIBRARIES", help="peers of these libraries alone")
    given = parser.parse_args()
    unknown = [name for name in given.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part is called {unknown[0]!r}; there are {', '.join(PARTS)}")
    libraries = given.only.split(",") if given.only else [peer.library for peer in contest.PEERS]
    peers = tuple(peer for peer in contest.PEERS if peer.library in libraries)
    print(machine())
    for name in given.parts or PARTS:
        print(f"\n{name}")
        PARTS[name](Asked(given.repeat, peers))


def measure_docs(asked: Asked) -> None:
    measure_peers("peers", corpora.docs(), asked)


def measure_million(asked: Asked) -> None:
    measure_peers("million", corpora.million(), asked)


def measure_peers(part: str, corpus: corpora.Corpus, asked: Asked) -> None:
    print(f"{corpus.name}: {corpus.documents:,} documents, {corpus.bytes / 1e6:,.0f} MB of text")
    entries: list[contest.Entry] = []
    for entries in contest.compare(corpus, asked.repeat, asked.peers):
        ours = results.ours_among(entries)
        # After each round: a bench that is stopped keeps what it has.
        results.keep(part, [results.as_row(entry, ours) for entry in entries])
    results.print_entries(entries)


def measure_quality(asked: Asked) -> None:
    sample = corpora.docs().sample(quality.SAMPLE)
    print(f"{sample.name}; pairs at Jaccard {float(quality.LEAST)} or above")
    found = list(quality.marks(sample, asked.peers))
    results.print_marks(found)
    results.keep("quality", [results.as_marks_row(one) for one in found])


def measure_html(asked: Asked) -> None:
    rows, found = html.rows(asked.repeat)
    print_table(rows)
    results.keep("html", found)


def measure_kernels(asked: Asked) -> None:
    tell("kernels", list(kernels.rows(asked.repeat)))


def measure_warcs(asked: Asked) -> None:
    tell("warcs", list(warcs.rows(asked.repeat)))


def tell(part: str, rows: list[Row]) -> None:
    print_table(rows)
    results.keep(part, [vars(row) | {"mb_per_second": row.speed} for row in rows])


def measure_startup(_: Asked) -> None:
    found = startup.rows()
    startup.print_seconds(found)
    results.keep("startup", found)


def draw(_: Asked) -> None:
    print(plot.draw(results.kept()))


PARTS: dict[str, Callable[[Asked], None]] = {
    "peers": measure_docs,
    "quality": measure_quality,
    "million": measure_million,
    "html": measure_html,
    "kernels": measure_kernels,
    "warcs": measure_warcs,
    "startup": measure_startup,
    "plot": draw,
}


if __name__ == "__main__":
    main()
