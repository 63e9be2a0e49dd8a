"""Fuzzing of the readers in Python by coverage, with atheris:

    python -m tests.any_bytes.fuzz_readers SEEDS [libFuzzer's options]

The seeds are written to the folder SEEDS first, in which what covers more is added.
"""

import sys
from pathlib import Path

import atheris

# Only what is imported here is looked into: all there is would take minutes.
with atheris.instrument_imports(include=["webecho.read", "webecho.formats"]):
    from tests.any_bytes.guided import as_input, read, seeds


def one(data: bytes) -> None:
    if data:
        read(data)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(len(seeds())):
        (folder / f"{number}").write_bytes(as_input(number))
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
