"""Converters: commands that turn a document of some other type into text or HTML.

A *converter* is a command such as `pdftotext - -` that takes the document on its standard input
and gives UTF-8 text (or HTML) on its standard output. It is run without a shell, once a document.
"""

import atexit
import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from typing import IO

from webecho.errors import InputError, Setting, WebechoError, setting
from webecho.read.pages import MAX_PAGE_BYTES

CONVERT = setting("convert")
# What each face takes as its value.
CONVERTER = ("TYPE=COMMAND", "{TYPE: COMMAND}")
TIMEOUT = 60
_TAIL = 200


class ConvertError(WebechoError):
    """A document that the converter could not convert; the message has the end of its stderr."""


def check_converters(converters: Mapping[str, str]) -> None:
    """Refuses a command that cannot be run, before it fails for each document."""
    for kind, command in converters.items():
        try:
            program = _arguments(command)[0]
        except ConvertError as error:
            raise InputError(CONVERT.to(kind), ": ", error) from error
        if shutil.which(program) is None:
            raise InputError(
                CONVERT.to(kind),
                f": there is no program {program!r}; install it, or give its path",
            )


def _arguments(command: str) -> list[str]:
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise ConvertError(f"{command}: not a command ({error}); check its quotes") from error
    if not arguments:
        raise ConvertError(
            *("empty command; give ", Setting(*CONVERTER)),
            ", e.g. application/pdf='pdftotext - -'",
        )
    return arguments


def convert(command: str, body: bytes, longest: int = MAX_PAGE_BYTES) -> bytes:
    """What the command writes when it is given the body; at most 60 seconds are allowed, and so
    many bytes."""
    arguments = _arguments(command)
    # Into a file, not a pipe: a small document may become any number of bytes.
    with tempfile.TemporaryFile(prefix="webecho-") as out:
        _run(arguments, body, out)
        if out.seek(0, io.SEEK_END) > longest:
            raise ConvertError(f"{arguments[0]}: gave more than {longest >> 20} MiB")
        out.seek(0)
        return out.read()


def _run(arguments: list[str], body: bytes, out: IO[bytes]) -> None:
    try:
        child = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ConvertError(
            f"{arguments[0]}: cannot be run ({error}); install it or change ", CONVERT
        ) from error

    def end() -> None:
        # With all that it started, as a shell does: they are a group of their own.
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)

    # A run that is stopped ends while this thread still waits.
    atexit.register(end)
    try:
        with child:
            try:
                _, complaint = child.communicate(body, TIMEOUT)
            except subprocess.TimeoutExpired as error:
                raise ConvertError(f"{arguments[0]}: not done after {TIMEOUT} s") from error
            finally:
                end()
    finally:
        atexit.unregister(end)
    if child.returncode != 0:
        tail = " ".join(complaint.decode("utf-8", "replace").split())[-_TAIL:]
        raise ConvertError(f"{arguments[0]}: exit code {child.returncode}: {tail or 'no message'}")
