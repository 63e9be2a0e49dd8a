import sys

import pytest

from webecho.errors import InputError
from webecho.read.convert import ConvertError, check_converters, convert


def python(program: str) -> str:
    return f"{sys.executable} -c '{program}'"


def test_a_document_goes_through_the_command() -> None:
    upper = python("import sys; sys.stdout.write(sys.stdin.read().upper())")
    assert convert(upper, b"a page") == b"A PAGE"


def test_a_command_that_reads_nothing_may_still_give_something() -> None:
    assert convert(python("print(1)"), b"x" * 1_000_000) == b"1\n"


def test_a_failure_has_the_end_of_what_the_command_said() -> None:
    with pytest.raises(ConvertError, match=r"exit code 1: no frogs here$"):
        convert(python('import sys; sys.exit("no frogs\\n here")'), b"")
    with pytest.raises(ConvertError, match=r"exit code 3: no message$"):
        convert(python("import sys; sys.exit(3)"), b"")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "--convert a/b: empty command"),
        ("'open", "--convert a/b: 'open: not a command"),
        ("no-such-program -", "--convert a/b: there is no program 'no-such-program'"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_beforehand(command: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_converters({"a/b": command})


def test_a_program_that_is_there_is_taken() -> None:
    check_converters({"a/b": f"{sys.executable} -c pass"})
