"""What may differ from run to run, and the words that stand for it.

Two runs of one tree differ in times, speeds and memory, in names of temporary files, and in the
size of files that hold such things. All of it is replaced before anything is compared; nothing else
is.
"""

import csv
import io
import re

# Names of a summary whose values are measured.
MEASURED = (
    "seconds",
    "seconds, about",
    "bytes of memory at most",
    "bytes of memory, about",
    # With the workspace's `run.json`, which has times in it.
    "bytes of disk, about",
)
GONE = "‹measured›"

_NAMES = "|".join(re.escape(name) for name in sorted(MEASURED, key=len, reverse=True))
_AS_TABLE = re.compile(rf"^({_NAMES})( {{2,}})\S.*$", re.MULTILINE)
_AS_JSON = re.compile(rf'("(?:{_NAMES})": )[-+.\de]+')
# A line now and then while sketching takes long.
_PROGRESS = re.compile(r"^[\d,]+ pages, .* pages/s, .* MB/s.*\n", re.MULTILINE)
_REREADING = re.compile(r"^\S+: \S.* of [\d,]+ of [\d,]+ pages\n", re.MULTILINE)
# What Python's tempfile makes up, and a process number in a name that is written aside.
_TEMPORARY = re.compile(r"\bwebecho-[a-z0-9_]{8}\b")
_ASIDE = re.compile(r"(/\.[^/\s]+)\.\d+\b")
_SAID_AT = re.compile(rb'("time": ")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ')


def output(text: str) -> str:
    """What a command printed, without what is measured."""
    text = _AS_TABLE.sub(rf"\1\2{GONE}", text)
    text = _AS_JSON.sub(rf'\1"{GONE}"', text)
    text = _PROGRESS.sub("", text)
    text = _REREADING.sub("", text)
    text = _TEMPORARY.sub("webecho-‹temporary›", text)
    text = _ASIDE.sub(r"\1.‹process›", text)
    return _without_columns(text)


def _without_columns(text: str) -> str:
    """The same of a summary as CSV, which is a head and one row."""
    head, _, rest = text.partition("\n")
    if "," not in head or not any(name in head for name in MEASURED):
        return text
    names, *rows = csv.reader(io.StringIO(text))
    if len(rows) != 1 or len(rows[0]) != len(names):
        return text
    values = [
        GONE if name in MEASURED else value for name, value in zip(names, rows[0], strict=True)
    ]
    return f"{head}\n{','.join(values)}\n"


def labels(data: bytes) -> bytes:
    """A file of labels, without when they were given."""
    return _SAID_AT.sub(rb"\1then", data)
