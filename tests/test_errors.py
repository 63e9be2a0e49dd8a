"""Messages that name settings, as each face says them."""

import pickle

import pytest

from webecho.errors import (
    FORCE,
    FORMAT,
    OUT,
    InputError,
    Setting,
    SettingsError,
    WebechoError,
    flag,
    setting,
)

WORDS = {
    "a value": (setting("keep"), "--keep", "keep="),
    "two words": (setting("least_c_across"), "--least-c-across", "least_c_across="),
    "another name": (FORMAT, "--input-format", "format="),
    "a short name": (OUT, "-o", "out="),
    "a flag": (FORCE, "--force", "force=True"),
    "a flag of two words": (flag("append_kept"), "--append-kept", "append_kept=True"),
    "with a value": (setting("by").to("lang"), "--by lang", "by=lang"),
    "with a value of Python's": (
        setting("convert").to("TYPE=COMMAND", "{TYPE: COMMAND}"),
        "--convert TYPE=COMMAND",
        "convert={TYPE: COMMAND}",
    ),
}


@pytest.mark.parametrize(("named", "option", "argument"), WORDS.values(), ids=WORDS)
def test_each_face_has_its_own_name_for_a_setting(
    named: Setting, option: str, argument: str
) -> None:
    error = SettingsError("leave out ", named, ", or not")
    assert error.for_command_line() == f"leave out {option}, or not"
    assert error.for_python() == f"leave out {argument}, or not"


def test_a_message_may_hold_another_error() -> None:
    inner = InputError("a.bin: name it with ", FORMAT)
    outer = InputError(inner, ", and its links were not kept; sketch it with ", flag("links"))
    rest = ", and its links were not kept; sketch it with "
    assert str(outer) == f"a.bin: name it with --input-format{rest}--links"
    assert outer.for_python() == f"a.bin: name it with format={rest}links=True"


def test_a_command_for_the_shell_is_the_same_for_everybody() -> None:
    error = WebechoError("find them with: webecho pairs w.echo --rule b")
    assert error.for_python() == error.for_command_line() == str(error)


def test_said_in_python_it_stays_so() -> None:
    error = SettingsError("give ", FORCE)
    error.say_in_python()
    assert (str(error), error.args) == ("give force=True", ("give force=True",))


def test_errors_come_whole_from_another_process() -> None:
    error = pickle.loads(pickle.dumps(InputError("a.bin: name it with ", FORMAT)))
    assert isinstance(error, InputError)
    assert error.for_python() == "a.bin: name it with format="
