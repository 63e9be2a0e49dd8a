"""The options that several verbs have."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.command import webecho
from webecho.cli.options import (
    Option,
    block,
    common_options,
    difference_options,
    inputs_options,
    labels_option,
    resemblance_option,
    resource_options,
    rule_options,
    seed_option,
)


def given(options: Option, *arguments: str) -> dict[str, Any]:
    """What a command with these options is called with."""
    found: dict[str, Any] = {}

    def keep(**values: Any) -> None:
        found.update(values)

    result = CliRunner().invoke(click.command()(options(keep)), arguments)
    assert result.exit_code == 0, result.stderr
    return found


def refused(options: Option, *arguments: str) -> str:
    """What is said of wrong ones, in one line."""

    def never(**values: Any) -> None:
        raise AssertionError(values)

    result = CliRunner().invoke(click.command()(options(never)), arguments)
    assert result.exit_code == 2
    return " ".join(result.stderr.split())


def test_options_of_a_block_are_listed_in_their_order() -> None:
    both = block(click.option("--zebra"), click.option("--ape"))

    @click.command()
    @both
    def command(**_: object) -> None:
        pass

    assert [each.name for each in command.params] == ["zebra", "ape"]


def test_what_every_verb_has() -> None:
    assert given(common_options) == {
        **{"quiet": False, "output": "table", "strict": False, "log": None},
    }
    assert given(seed_option) == {"seed": 0}
    every = block(resource_options, common_options)
    found = given(every, "--memory", "1.5 GB", "--threads", "2", "-q", "--format", "csv")
    assert (found["memory"], found["threads"]) == (1_500_000_000, 2)
    assert (found["quiet"], found["output"]) == (True, "csv")
    assert "'much' is no size; try 500MB or 2GB" in refused(resource_options, "--memory", "much")
    assert "0 is not in the range x>=1" in refused(resource_options, "--threads", "0")


def test_how_inputs_are_read() -> None:
    found = given(
        inputs_options,
        *("a.warc", "b.warc", "--status", "200", "--status", "404", "--type", "text/html"),
        *("--convert", "application/pdf=pdftotext - -", "--convert", "a/b=sed s/x=y/z/"),
    )
    assert found["inputs"] == ("a.warc", "b.warc")
    assert (found["statuses"], found["types"]) == ((200, 404), ("text/html",))
    # A command may have further signs in it.
    assert found["convert"] == {"application/pdf": "pdftotext - -", "a/b": "sed s/x=y/z/"}
    assert (found["recipe"], found["format"], found["text"]) == ("webecho", None, None)


@pytest.mark.parametrize("wrong", ["application/pdf", "application/pdf=", "=pdftotext"])
def test_a_converter_is_a_type_and_a_command(wrong: str) -> None:
    assert "give TYPE=COMMAND, such as application/pdf='pdftotext - -'" in refused(
        inputs_options, "a.warc", "--convert", wrong
    )


def test_an_input_must_be_given() -> None:
    assert "Missing argument 'INPUT…'" in refused(inputs_options)


def test_a_rule_and_its_parameters() -> None:
    found = given(rule_options, "--rule", "by-site", "--least-b", "3", "--least-c-across", "380")
    assert found == {
        **{"rule": "by-site", "resemblance": None, "equal_words": None, "least_b": 3},
        **{"least_c": None, "least_c_across": 380, "pieces": None},
        **{"chunk": None, "shared": None, "most_pages": None, "fingerprint": None},
    }
    assert given(rule_options)["rule"] == "similar"
    assert "'same' is not one of 'payload', 'text', 'tokens', " in refused(
        rule_options, "--rule", "same"
    )


def test_help_names_the_rules_that_a_parameter_is_for() -> None:
    shown = " ".join(webecho("clusters", "--help").stdout.split())
    assert "--least-b INTEGER For b, combined, by-site: " in shown
    assert "--least-c-across INTEGER For by-site: " in shown


@pytest.mark.parametrize("wrong", ["0", "1.1", "-1"])
def test_a_resemblance_is_above_0_and_at_most_1(wrong: str) -> None:
    option = resemblance_option("How near.")
    assert given(option, "--resemblance", "1")["resemblance"] == 1
    assert "is not in the range 0<x<=1" in refused(option, "--resemblance", wrong)


def test_how_a_difference_is_shown() -> None:
    assert given(difference_options) == {"resemblance": None, "layout": "unified", "context": 8}
    found = given(difference_options, "--side-by-side", "--context", "0")
    assert (found["layout"], found["context"]) == ("side-by-side", 0)


def test_labels_are_read_from_a_file_and_added_to_any(tmp_path: Path) -> None:
    missing = tmp_path / "labels.jsonl"
    assert given(labels_option(exists=False), "--labels", str(missing)) == {"labels": missing}
    assert "does not exist" in refused(labels_option(exists=True), "--labels", str(missing))
    assert "is a directory" in refused(labels_option(exists=True), "--labels", str(tmp_path))
