"""What may differ from run to run, and the words that stand for it.

Two runs of one tree differ in times, speeds and memory, in names of temporary files, and in the
size of files that hold such things; two trees also in where their code stands. All of it is
replaced before anything is compared; nothing else is.
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

# Names whose values hang on what libraries make of the same rows; see `files.py`.
SIZES = ("bytes saved", "bytes of inputs", "bytes written")

# A line now and then while sketching takes long.
_PROGRESS = re.compile(
    r"^(?:[a-z ]+: )?[\d,]+ pages(?:, .* pages/s, .* MB/s.*|, \d+% done.*)\n", re.MULTILINE
)
_REREADING = re.compile(r"^\S+: \S.* of [\d,]+ of [\d,]+ pages\n", re.MULTILINE)
# What Python's tempfile makes up, and a process number in a name that is written aside.
_TEMPORARY = re.compile(r"\bwebecho-[a-z0-9_]{8}\b")
_ASIDE = re.compile(r"(/\.[^/\s]+)\.\d+\b")
# Where in the code an error that nobody expected was raised.
_FRAMES = re.compile(r"(Traceback \(most recent call last\):\n)(?:[ ].*\n)+")
_SAID_AT = re.compile(rb'("time": ")\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ')


def output(text: str) -> str:
    """What a command printed, without what differs from run to run."""
    text = without_progress(text)
    text = _TEMPORARY.sub("webecho-‹temporary›", text)
    text = _ASIDE.sub(r"\1.‹process›", text)
    text = _FRAMES.sub(r"\1", text)
    return blanked(text, MEASURED)


def without_progress(text: str) -> str:
    """What a command printed, without lines that come only if it takes long."""
    return _REREADING.sub("", _PROGRESS.sub("", text))


def blanked(text: str, names: tuple[str, ...]) -> str:
    """A summary as lines, JSON or CSV without the values of these names."""
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    text = re.sub(rf"^( *(?:{either}))(: | {{2,}})\S.*$", rf"\1\2{GONE}", text, flags=re.MULTILINE)
    text = re.sub(rf'("(?:{either})": )[-+.\de]+', rf'\1"{GONE}"', text)
    head = text.partition("\n")[0]
    if "," not in head or not any(name in head for name in names):
        return text
    columns, *rows = csv.reader(io.StringIO(text))
    if len(rows) != 1 or len(rows[0]) != len(columns):
        return text
    values = dict(zip(columns, rows[0], strict=True)) | dict.fromkeys(names, GONE)
    return f"{head}\n{','.join(values[name] for name in columns)}\n"


def labels(data: bytes) -> bytes:
    """A file of labels, without when they were given."""
    return _SAID_AT.sub(rb"\1then", data)
