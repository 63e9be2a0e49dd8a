"""The program `webecho`, also as `python -m webecho`."""

import atexit
import os
import sys

STANDARD_ERROR = 2
STOPPED = 130


class WithoutPandas:
    """An importer that does not find pandas.

    Arrow loads it, where it is installed, with the first list that becomes an array, to see whether
    that is one of its own. It takes a third of a second, and the command line never has any.
    """

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("the command line does without pandas", name=name)


def hush() -> None:
    """Lets what libraries print while the interpreter is taken down, such as DuckDB's notes of
    leaked references, go nowhere: all that is ours has been said."""
    sys.stderr.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), STANDARD_ERROR)


def run() -> None:
    try:
        _run()
    except KeyboardInterrupt:
        # Before the verb began, which says it by itself: the libraries take a while to load.
        print("\nwebecho: stopped", file=sys.stderr)
        sys.exit(STOPPED)


def _run() -> None:
    # What is registered first runs last.
    atexit.register(hush)
    # Spark asks for it before it hands rows to Python.
    if not {"spark", "--engine=spark"} & {*sys.argv}:
        sys.meta_path.insert(0, WithoutPandas())
    from webecho.cli.main import main

    main(prog_name="webecho")


if __name__ == "__main__":
    run()
