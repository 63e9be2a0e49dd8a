"""The two faces of a verb: what can be set on the command line can be set in Python, and the other
way round."""

from dataclasses import fields
from inspect import signature
from typing import get_type_hints

import click
import pytest

import webecho
from tests.command import done
from webecho.api.dedup import DedupOptions
from webecho.api.reading import Reading
from webecho.cli.main import STUDIES, VERBS
from webecho.errors import option_of

# A page is labelled in a browser, which the command opens; Python programs read the labels.
# Shells complete commands.
WITHOUT_FUNCTION = {"label", "completion"}
# `overlap --show` gives something else than the verb, and so is a function of its own.
WITHOUT_VERB = {"passages"}
FACES = {
    **{command.name: command for command in VERBS if not isinstance(command, click.Group)},
    **{f"study_{command.name}": command for command in STUDIES},
}
# In Python the report of pairs has a function of its own.
FACES["pair_report"] = FACES["pairs"]
# What is printed, written beside the answer, or told by the exit code: Python gives it all.
PRINTED = {"output", "quiet", "strict", "log", "layout", "context", "all_tables"}
DRAWN = {"width", "title"}
# The parameters of a rule whose pairs have no report.
CHUNKS = ("chunk", "shared", "most_pages", "fingerprint")
WRITTEN = {
    **{f"study_{command.name}": {"out", "force"} | DRAWN for command in STUDIES},
    "pairs": {"report", "repetitions"} | DRAWN,
    # It is the report, and measures no resemblance by which a pair is one.
    "pair_report": {"report", "resemblance", "equal_words", "given", *CHUNKS} | DRAWN,
    "evaluate": DRAWN,
    "overlap": {"out", "show"},
    "genealogy": {"svg", "graphml"},
}
# A program that wants another Spark than that of its process hands over a session.
OF_SPARK = {"master", "spark_conf"}
# A command of a workspace goes by what it was sketched with; Python takes inputs in its place.
SKETCHING = {each.name for each in fields(Reading)} | {"recipe"}
OF_WORKSPACES = ("clusters", "overlap", "pairs", "pair_report", "savings", "why")
# Values that only a program has, and what a command shows unless it is to be quiet.
IN_MEMORY = {"study_duplicates": {"reachable"}}
WATCHED = {"report", "progress"}
# What a verb is about is called by what it can be.
ABOUT = {"inputs": "data", "workspace": "data"}


def test_every_verb_is_compared() -> None:
    functions = {name for name in webecho.__all__ if name.islower() and name != "__version__"}
    assert functions == FACES.keys() - WITHOUT_FUNCTION | WITHOUT_VERB


@pytest.mark.parametrize("name", sorted(FACES.keys() - WITHOUT_FUNCTION))
def test_a_verb_has_the_same_settings_in_both_faces(name: str) -> None:
    here = {*signature(getattr(webecho, name)).parameters}
    there = {each.name for each in FACES[name].params}
    there = {ABOUT.get(each, each) if each not in here else each for each in there if each}
    there -= OF_SPARK | PRINTED | WRITTEN.get(name, set())
    if name in OF_WORKSPACES:
        there |= SKETCHING
    assert here >= WATCHED
    assert here - WATCHED - IN_MEMORY.get(name, set()) == there - WATCHED


def test_the_version_is_the_program_s() -> None:
    assert done("--version").stdout.split()[-1] == webecho.__version__


def test_the_keywords_of_dedup_are_typed() -> None:
    # A dry run gives something else, and has a type of its own.
    dry = {"dry_run", "limit", "sample"}
    named = {*signature(webecho.dedup).parameters} - {"data", "out"} - dry
    assert named == get_type_hints(DedupOptions).keys()


# Spelt otherwise: words that Python reserves, one of several, or what another option has taken.
SPELT = {
    "output": "--format",
    "format": "--input-format",
    "inside": "--in",
    "form": "--as",
    "imported": "--import",
    "exported": "--export",
    "all_tables": "--all",
    "other": "--with",
    **{f"{one}s": f"--{one}" for one in ("rule", "sample", "type", "kind", "component", "pair")},
    **{"statuses": "--status", "families": "--family"},
}


@pytest.mark.parametrize("name", sorted(FACES))
def test_options_are_spelt_as_keywords_are(name: str) -> None:
    options = [each for each in FACES[name].params if isinstance(each, click.Option)]
    # A shell's script has nothing to set.
    assert name == "completion" or {each.name for each in options} - PRINTED
    for option in options:
        if option.name and option.name != "layout":
            assert SPELT.get(option.name, option_of(option.name)) in option.opts


def test_two_pages_are_shown_by_what_the_verb_has() -> None:
    here = {*signature(webecho.passages).parameters} - {"data", "one", "other"} - SKETCHING
    there = {each.name for each in FACES["overlap"].params}
    # The other collection is called by what it is to the first.
    assert here - WATCHED - {"beside"} <= there and "other" in there
