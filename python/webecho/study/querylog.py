"""Whether new pages are made from what search engines give: Baeza-Yates 2007, section 4, of other
collections and other query logs.

| here | in the paper |
| --- | --- |
| `collections` | section 2.2: which documents are considered |
| `logs`, `periods`, `period_means` | Table 5; the periods of each log; Table 6, their means |
| `answers` | section 4.1: what the queries give, and what new documents have of it |
| `conditions` | section 4.1: the six conditions, with new documents before and after each |
| `left` | Figures 3 to 5: new documents left, for each log and minimal number |
| `tests` | whether the real log finds more than another, which the paper leaves to the eye |
| `cases` | every new document that is left, with the query and its sources |
| `beside_paper` | shares of these collections beside the paper's |

Documents and paragraphs: similar_documents.py; the conditions: reuse_conditions.py; logs:
query_logs.py and query_periods.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from webecho.errors import Message, setting
from webecho.read.query_logs import QueryLogFile
from webecho.run import Run
from webecho.study.query_logs import ReadLogs, read_logs
from webecho.study.query_periods import crawl_of, distinct_crawls
from webecho.study.querylog_figures import figures, shown_names
from webecho.study.querylog_pair import PairFound, study_pair
from webecho.study.querylog_sentences import sentences
from webecho.study.querylog_settings import CollectionPair, QuerylogSettings
from webecho.study.querylog_tables import TITLES, by_number, tables
from webecho.study.result import Study

# Cases that people are shown in the table; they are told at length besides.
SHOWN = 20


@dataclass(frozen=True)
class QuerylogStudy:
    """The study, and what was found in each pair of collections."""

    study: Study
    found: tuple[PairFound, ...]


def study_querylog(
    pairs: Sequence[CollectionPair],
    files: Sequence[QueryLogFile],
    settings: QuerylogSettings,
    run: Run,
) -> QuerylogStudy:
    """The study of these pairs of collections (see `study_pair` for what they must have) by these
    query logs."""
    crawls = distinct_crawls([crawl_of(each) for pair in pairs for each in (pair.old, pair.new)])
    read = read_logs(files, crawls, settings.logs, run)
    found = tuple(study_pair(pair, read.logs, settings, run) for pair in pairs)
    every = tables(found, read.logs, settings)
    study = Study(
        "querylog",
        every,
        TITLES,
        sentences=tuple(sentences(found, settings)),
        notes=tuple(notes(found, read)),
        facts=facts(found, read),
        main="left",
        settings=settings_row(settings, pairs, files),
        figures=figures(found, read.logs, settings),
        short={
            "conditions": by_number(every["conditions"], ["pair", "log", "condition"], "after"),
            "left": by_number(every["left"], ["pair", "queries of", "real"], "new documents"),
            "cases": every["cases"].slice(0, SHOWN),
        },
        collections=tuple(every["collections"]["collection"].to_pylist()),
        curves=tuple(shown_names(read.logs)),
    )
    return QuerylogStudy(study, found)


def with_files(found: QuerylogStudy, files: dict[str, str]) -> QuerylogStudy:
    """The same with other files to be written."""
    return replace(found, study=replace(found.study, files=files))


def facts(found: Sequence[PairFound], read: ReadLogs) -> dict[str, Any]:
    """What was left out, and how much of it."""
    return {
        "rows of logs that say nothing": read.bad,
        "requests around crawls": read.around,
        "paragraphs on very many old documents": sum(each.left_out.paragraphs for each in found),
        "rows of rankings for no page": sum(each.unknown for each in found),
        "rows of rankings that say nothing": sum(each.bad for each in found),
        "old documents of too many kinds": sum(each.left_out_kinds for each in found),
    }


def notes(found: Sequence[PairFound], read: ReadLogs) -> list[Message]:
    """What a reader should know."""
    said = [
        Message(
            f"{each.pair.name}: no log lies between the two crawls, so that none is the real one; "
            "name it with ",
            setting("real"),
            " if there is one",
        )
        for each in found
        if each.real is None
    ]
    for each in found:
        old, new = crawl_of(each.pair.old), crawl_of(each.pair.new)
        if old is not None and new is not None and old.first > new.first:
            said.append(
                Message(
                    f"{each.pair.name}: the old collection was fetched from {old.first:%Y-%m-%d} "
                    f"on, after the new one, from {new.first:%Y-%m-%d} on; give the earlier first"
                )
            )
    topics = [log.name for log in read.logs if log.requests is None]
    if topics:
        told = ", ".join(topics)
        said.append(
            Message(f"{told}: how often queries were asked is not known; the first are taken")
        )
    return said


def settings_row(
    settings: QuerylogSettings, pairs: Sequence[CollectionPair], files: Sequence[QueryLogFile]
) -> dict[str, Any]:
    logs = settings.logs
    return {
        "pairs": [[pair.old.name, pair.new.name] for pair in pairs],
        "rankings": [pair.ranking for pair in pairs],
        "real": [pair.real for pair in pairs],
        "queries": {file.name: file.file for file in files},
        "drop": logs.drop,
        "take": logs.take,
        "period": str(logs.period),
        "period_take": logs.period_take,
        "around": str(logs.around),
        "answers": settings.answers,
        "minimal": list(settings.minimal),
        "tested": settings.tested,
        "permutations": settings.permutations,
        "most": settings.most,
        "seed": settings.seed,
    }
