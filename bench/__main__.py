"""How fast pages become sketches, beside what reading them costs alone.

    make bench        (real pages from WEBECHO_DATA, made-up ones without)

Machines are shared and noisy: each figure is the best of some repetitions.
"""

import argparse

from bench import kernels, warcs
from bench.measure import Row, machine, print_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="repetitions; the best counts")
    repeat = parser.parse_args().repeat
    print(machine())
    rows: list[Row] = [*kernels.rows(repeat), *warcs.rows(repeat)]
    print_table(rows)


if __name__ == "__main__":
    main()
