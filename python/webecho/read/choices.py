"""What is read of each input where there was a choice: columns of tables, files of folders."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from webecho.errors import FORMAT, InputError, Message
from webecho.formats import files
from webecho.formats.lines import UTF16
from webecho.formats.packing import DamagedError, unpacked
from webecho.read.pages import Choice, Input, Source

_HEAD_BLOCKS = 2
_PEEKING = 16


def choose_all(inputs: Sequence[Input]) -> tuple[tuple[str, ...], list[Source]]:
    """Chooses the columns of all tables, and says how; also those where there was nothing to."""
    tables = [source for given in inputs for source in given.sources if source.has_columns]
    # A stream may be silent for ever, and only the main thread can then be interrupted.
    streams = [table for table in tables if not table.rereadable]
    chosen = {id(table): table.choice() for table in streams}
    # A file far away takes a while to answer, and there may be thousands.
    rest = [table for table in tables if table.rereadable]
    with ThreadPoolExecutor(_PEEKING) as pool:
        found = pool.map(lambda table: table.choice(), rest)
        chosen |= dict(zip(map(id, rest), found, strict=True))
    lines = []
    for given in inputs:
        several = len(given.sources) > 1
        said: Counter[str] = Counter()
        only: dict[str, str] = {}
        for source in given.sources:
            choice = None
            if source.has_columns:
                choice = chosen[id(source)] or Choice(complaint(source).message)
            elif several:
                # That a folder of nothing else is read needs no telling.
                choice = source.choice()
            if choice is not None and choice.files:
                said[choice.words] += choice.files
                if choice.by_name:
                    only[choice.words] = source.name
        for line, count in said.items():
            name, counted = given.name, f" ({count} file{'s'[: count > 1]})" if several else ""
            if count == 1 and line in only:
                name, counted = only[line], ""
            lines.append(Message(f"{name}{counted}: ", line))
    return tuple(lines), [table for table in tables if chosen[id(table)] is None]


def complaint(source: Source) -> InputError:
    """Why no columns could be chosen, and what may help."""
    if source.format == "parquet":
        return InputError("not a Parquet file, or a broken one; check how it was made or copied")
    if not source.rereadable:
        return InputError(f"no {source.format} records in this stream")
    with files.open_file(source.name) as file:
        try:
            head = b"".join(islice(unpacked(file), _HEAD_BLOCKS))
        except DamagedError as error:
            return InputError(f"nothing in it can be read: {error}; copy it again")
    if head.startswith(UTF16):
        return InputError(f"is UTF-16; convert it: iconv -f utf-16 -t utf-8 {source.name}")
    if head.lstrip().startswith(b"["):
        return InputError(
            f"is one JSON array, not JSON lines; convert it: jq -c '.[]' {source.name}"
        )
    return InputError(f"no {source.format} records in it; say what it is with ", FORMAT)
