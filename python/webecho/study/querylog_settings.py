"""What the study of query logs can be told, and the pairs of collections that it is of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from webecho.errors import SettingsError, setting
from webecho.study.query_logs import LogSettings, QueryLog
from webecho.study.query_periods import Crawl, crawl_of
from webecho.study.similar_documents import MOST
from webecho.workspace.workspace import Workspace

MINIMAL = (5, 10, 15, 20, 25, 30)
# The minimal number that tests and cases are of, and parents and children (section 5.1).
TESTED = 10


@dataclass(frozen=True)
class QuerylogSettings:
    """How queries are taken from logs, how many answers each has, the minimal numbers of paragraphs
    and the one that is tested, how often, how many cases are shown, and on how many old documents a
    paragraph may stand."""

    logs: LogSettings = field(default_factory=LogSettings)
    answers: int = 100
    minimal: tuple[int, ...] = MINIMAL
    tested: int = TESTED
    permutations: int = 1000
    cases: int = 20
    most: int = MOST
    seed: int = 0

    def __post_init__(self) -> None:
        limits = (("answers", 1), ("tested", 1), ("permutations", 0), ("cases", 0), ("most", 1))
        for name, least in limits:
            if getattr(self, name) < least:
                raise SettingsError(
                    setting(name).to(getattr(self, name)), f": give {least} or more"
                )
        if not self.minimal or min(self.minimal) < 1:
            given = ",".join(map(str, self.minimal))
            raise SettingsError(
                setting("minimal").to(given), ": give numbers from 1 on, as 5,10,15"
            )

    @property
    def least(self) -> int:
        """The fewest paragraphs that anything here asks for."""
        return min(*self.minimal, self.tested)


@dataclass(frozen=True)
class CollectionPair:
    """An old collection and a new one, what a search engine elsewhere gave for queries over the old
    one, and which log is the real one, if that is said."""

    name: str
    old: Workspace
    new: Workspace
    ranking: str | None = None
    real: str | None = None


def real_log(pair: CollectionPair, logs: Sequence[QueryLog]) -> QueryLog | None:
    """The log whose period lies between the two crawls, or the one that is named."""
    crawls = crawl_of(pair.old), crawl_of(pair.new)
    between = [log for log in logs if lies_between(log, *crawls)]
    if pair.real is not None:
        # A log that was cut at the crawls has the name of its file, and then its months.
        named = [log for log in logs if f"{log.name} ".startswith(f"{pair.real} ")]
        within = [log for log in named if log in between]
        chosen = within if len(named) > 1 else named
        if named and not chosen:
            raise SettingsError(
                setting("real").to(pair.real),
                f": no part of it lies between the crawls of {pair.name}; name another, or none",
            )
        if not chosen:
            known = ", ".join(log.name for log in logs)
            raise SettingsError(setting("real").to(pair.real), f" is none of the logs: {known}")
        return chosen[0]
    if len(between) > 1:
        found = ", ".join(log.name for log in between)
        raise SettingsError(
            f"several logs lie between the crawls of {pair.name}: {found}; name one with ",
            setting("real"),
        )
    return between[0] if between else None


def lies_between(log: QueryLog, old: Crawl | None, new: Crawl | None) -> bool:
    if log.first is None or log.last is None or old is None or new is None:
        return False
    return old.last < log.first and log.last < new.first
