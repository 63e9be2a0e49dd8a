"""Converters: commands that turn a document of some other type into text or HTML.

A *converter* is a command such as `pdftotext - -` that takes the document on its standard input
and gives UTF-8 text (or HTML) on its standard output. It is run without a shell, once a document.
"""

import io
import shlex
import subprocess
import tempfile
from typing import IO

from webecho.errors import WebechoError
from webecho.read.pages import MAX_PAGE_BYTES

TIMEOUT = 60
_TAIL = 200


class ConvertError(WebechoError):
    """A document that the converter could not convert; the message has the end of its stderr."""


def convert(command: str, body: bytes) -> bytes:
    """What the command writes when it is given the body; at most 60 seconds are allowed."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise ConvertError(f"{command}: not a command ({error}); check its quotes") from error
    if not arguments:
        raise ConvertError("empty command; give TYPE=COMMAND, e.g. application/pdf='pdftotext - -'")
    # Into a file, not a pipe: a small document may become any number of bytes.
    with tempfile.TemporaryFile(prefix="webecho-") as out:
        _run(arguments, body, out)
        if out.seek(0, io.SEEK_END) > MAX_PAGE_BYTES:
            raise ConvertError(f"{arguments[0]}: gave more than {MAX_PAGE_BYTES >> 20} MiB")
        out.seek(0)
        return out.read()


def _run(arguments: list[str], body: bytes, out: IO[bytes]) -> None:
    try:
        done = subprocess.run(
            arguments,
            input=body,
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ConvertError(f"{arguments[0]}: not done after {TIMEOUT} s") from error
    except (OSError, ValueError) as error:
        raise ConvertError(
            f"{arguments[0]}: cannot be run ({error}); install it or change --convert"
        ) from error
    if done.returncode != 0:
        tail = " ".join(done.stderr.decode("utf-8", "replace").split())[-_TAIL:]
        raise ConvertError(f"{arguments[0]}: exit code {done.returncode}: {tail or 'no message'}")
