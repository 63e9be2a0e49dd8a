"""Messages that name settings, as each face says them."""

import ast
import json
import pickle
import re
from pathlib import Path

import pytest

import webecho
from webecho.errors import (
    FORCE,
    FORMAT,
    OUT,
    InputError,
    Message,
    Setting,
    SettingsError,
    WebechoError,
    flag,
    in_python,
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


def test_a_note_is_a_text_that_each_face_reads_in_its_words() -> None:
    note = Message("none is known; ", flag("measure"), " reads them again")
    assert note == "none is known; --measure reads them again"
    assert json.dumps([note]) == '["none is known; --measure reads them again"]'
    assert in_python([note, "plain"]) == ["none is known; measure=True reads them again", "plain"]
    longer = Message("a: ", note)
    assert (longer, longer.for_python()) == (
        "a: none is known; --measure reads them again",
        "a: none is known; measure=True reads them again",
    )


def test_notes_come_whole_from_another_process() -> None:
    note = pickle.loads(pickle.dumps(Message("give ", FORCE)))
    assert (note, note.for_python()) == ("give --force", "give force=True")


PACKAGE = Path(webecho.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z]")
# Who speaks as the command line alone, and who puts commands for the shell together.
# Also what Spark calls its own, and what the program looks for before it parses.
SPELL_OPTIONS = (
    *("cli/", "show/", "group/rule_names.py", "api/label.py"),
    *("engine/spark/failures.py", "__main__.py"),
)


def test_no_text_for_both_faces_spells_an_option() -> None:
    """A setting is named by `setting` or `flag`, unless in a whole command."""
    files = {str(file.relative_to(PACKAGE)): file for file in PACKAGE.rglob("*.py")}
    spelt = [
        (name, text)
        for name, file in files.items()
        if not name.startswith(SPELL_OPTIONS)
        for text in texts(ast.parse(file.read_text(encoding="utf-8")))
        if OPTION.search(text) and "webecho " not in text
    ]
    assert len(files) > 100
    assert spelt == []


def texts(tree: ast.AST) -> list[str]:
    """The texts that a module may show: neither docstrings nor how `setting` spells an option."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [each for each in node.values if isinstance(each, ast.Constant)]
            found.append("".join(str(each.value) for each in parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
        elif not (is_docstring(node) or is_setting(node)):
            found += texts(node)
    return found


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_setting(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("setting", "Setting", "flag")
    )
