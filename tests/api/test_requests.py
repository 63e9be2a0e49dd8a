"""Requests are checked when they are made: what is wrong is refused before anything is opened."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from webecho.api.dedup import DedupRequest, FolderRequest
from webecho.api.diff import DiffRequest
from webecho.api.evaluate import EvaluateRequest
from webecho.api.label import LabelRequest
from webecho.api.pairs import PairsRequest
from webecho.api.reading import Reading
from webecho.api.rules import RuleChoice
from webecho.api.sketch import SketchRequest
from webecho.api.study_duplicates import StudyDuplicatesRequest
from webecho.api.study_graph import StudyGraphRequest
from webecho.api.study_growth import StudyGrowthRequest
from webecho.api.synth import SynthRequest
from webecho.errors import SettingsError

NOWHERE = Path("nowhere.echo")
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a status": (lambda: Reading(statuses=(20,)), "20 is no HTTP status; give one such as 200"),
    "a rule": (lambda: RuleChoice("same"), "no rule is called 'same'; there are exact"),
    "another rule's threshold": (
        lambda: RuleChoice("exact", least_b=2),
        "the rule exact has no least-b; that is for b, combined, by-site",
    ),
    "a column": (
        lambda: SketchRequest((), NOWHERE, columns=("colours",)),
        "there is no sketch column colours; there are features",
    ),
    "which page stays": (
        lambda: DedupRequest(("a.jsonl",), keep="best"),
        "'best' does not say which page stays; give one of first",
    ),
    "a link": (lambda: DedupRequest((), link="loose"), "link cannot be 'loose'; it is kept or"),
    "nothing to add to": (
        lambda: DedupRequest(("a.jsonl",), append_kept=True),
        "--append-kept adds to the workspace of --against; name one",
    ),
    "a table to write": (
        lambda: FolderRequest(DedupRequest((pa.table({"text": ["a"]}),)), Path("out")),
        "a table in memory is not written; leave out `out`",
    ),
    "what only some rules have": (
        lambda: PairsRequest(NOWHERE, hot=3, report=True),
        "the rule similar has no --hot, --report; that is for b, c, combined, by-site",
    ),
    "a hot bucket": (
        lambda: PairsRequest(NOWHERE, RuleChoice("b"), hot=1),
        "hot = 1: a bucket with a pair has 2 pages; give 2 or more",
    ),
    "measured what": (
        lambda: PairsRequest(NOWHERE, RuleChoice("b"), measured=9),
        "--measured says of how many pairs; say what with --measure difference",
    ),
    "one stream twice": (lambda: DiffRequest("-", "-"), "standard input is one page; give a file"),
    "two at once": (
        lambda: LabelRequest(NOWHERE, "me", guess=True, imported=Path("labels.csv")),
        "--import and --guess: each is done instead of labelling; give one after the other",
    ),
    "a share": (lambda: EvaluateRequest(NOWHERE, least_r=2), "--least-r 2 is no share; give 0 to"),
    "how near": (
        lambda: StudyDuplicatesRequest((NOWHERE,), near=(2.0,)),
        "near 2.0 is not above 0 and at most 1; try 0.9",
    ),
    "a level": (
        lambda: StudyGraphRequest(NOWHERE, level="host"),
        "--level host is for --edges, which is not given",
    ),
    "kinds of edges": (
        lambda: StudyGraphRequest(NOWHERE, edges=Path("edges.csv"), kinds=("a",)),
        "edges.csv does not tell of which kind links are; leave out --kind and --obey-nofollow",
    ),
    "steps": (lambda: StudyGrowthRequest(NOWHERE, steps=0), "0 steps cannot be run; give 1 or"),
    "families of documents": (
        lambda: SynthRequest(Path("web"), graph=True, families=(("shop", 1.0),)),
        "--family is not for --graph, which has families of its own; give one of them",
    ),
}


@pytest.mark.parametrize(("made", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_refused_at_once(made: Callable[[], object], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        made()
    assert error.value.for_command_line().startswith(message)
