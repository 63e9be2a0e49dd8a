"""*Engine*: what does the work of a stage, and where. Stages are written once and never ask which
engine runs them; an engine turns the errors of its libraries into ours.

SQL that stages hand to an engine is in the subset that DuckDB and Spark SQL share: scalar columns
only, no arithmetic or order on fingerprints, `NULLS FIRST` or `LAST` always said, averages from
sums of whole numbers, plain `FILTER (WHERE …)`.
"""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import pyarrow as pa

from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from webecho import _core
    from webecho.group.clusters import Clusters
    from webecho.group.hot_buckets import HotSettings
    from webecho.group.overlaps import FoundOverlaps, OverlapSearch, Units
    from webecho.group.pairs import FoundPairs
    from webecho.group.rules.rule import Rule
    from webecho.group.stars import Stars
    from webecho.read.collection import Collection, ReadOptions
    from webecho.run import Run
    from webecho.workspace.reread import Reread
    from webecho.workspace.resume import SketchSettings
    from webecho.workspace.union import Pages
    from webecho.workspace.workspace import Workspace

Item = TypeVar("Item")
Result = TypeVar("Result")

# What a database takes: rows in memory, rows that come once, or a table that lies on the disk.
Rows: TypeAlias = "pa.Table | pa.RecordBatchReader | Stored"


class Database(Protocol):
    """Tables by name, and queries over them. They are gone when it is closed.

    A name that is given again is from then on that of the new rows.
    """

    def add(self, name: str, rows: Rows) -> None:
        """Gives rows a name. What goes wrong while they come is raised by the query over them."""

    def view(self, name: str, query: str) -> None:
        """Gives a query a name; it runs whenever it is asked for."""

    def keep(self, name: str, query: str) -> None:
        """Runs a query, which may be over what has the name now, and gives its rows the name."""

    def columns(self, name: str) -> list[str]:
        """The names of the columns of a table."""

    def table(self, query: str) -> pa.Table:
        """The rows of a query, in memory."""

    def batches(self, query: str, rows: int) -> pa.RecordBatchReader:
        """The rows of a query, so many at a time. It must be read before the next query is run."""

    def row(self, query: str) -> dict[str, Any]:
        """The only row of a query, by the names of its columns."""


class Engine(Protocol):
    """What an engine does for the stages."""

    @property
    def name(self) -> str:
        """What a person calls it by."""

    def each(
        self, work: "Callable[[Item], Result]", items: "Sequence[Item]", run: "Run"
    ) -> "list[Result]":
        """What the work gives for each of the items, in their order. It is done by whoever has
        time, on another machine too: work, items and results can be pickled. It may be done twice
        for one item, so that only what its result names counts of what it writes."""

    def database(self, run: "Run") -> AbstractContextManager[Database]:
        """A database of its own, on the run's threads and within its memory."""

    def sketch(
        self,
        collection: "Collection",
        options: "ReadOptions",
        path: "Path",
        settings: "SketchSettings",
        run: "Run",
        *,
        append: bool = False,
        temporary: bool = False,
        shelf: "_core.Shelf | None" = None,
    ) -> "Workspace":
        """Sketches all pages of a collection into the workspace at `path`."""

    def clusters(
        self, workspace: "Workspace", rule: "Rule", run: "Run", reread: "Reread | None" = None
    ) -> "Clusters":
        """For every page its cluster: the sets of a rule, and what its searches join of them."""

    def pairs(
        self,
        workspace: "Workspace",
        rule: "Rule",
        wanted: pa.Array,
        hot: "HotSettings",
        run: "Run",
        reread: "Reread | None" = None,
    ) -> "FoundPairs":
        """The pairs that the searches of a rule find, among the wanted pages (a flag for each page
        that there is). Only rules whose pairs are of sets know hot buckets."""

    def overlaps(
        self,
        pages: "Pages",
        search: "OverlapSearch",
        run: "Run",
        *,
        units: "Units | None" = None,
        right: int | None = None,
    ) -> "FoundOverlaps":
        """The pairs of pages, or of the units that they belong to, that share enough chunks, and of
        pages the copies; with `right`, one of a pair is below that number and one is not, and
        copies are pairs as others are."""

    def stars(
        self,
        pages: "Pages",
        rule: "Rule",
        link: str,
        ranks: pa.Array,
        run: "Run",
        *,
        partition: pa.Array | None = None,
        fixed: int = 0,
        reread: "Reread | None" = None,
    ) -> "Stars":
        """For every page the one it goes with by a rule and a link, in the order of `ranks`, one
        for each page. With `partition`, a number for each page, only pages of the same number are
        compared; pages below number `fixed` always stay."""

    def lost_words(
        self, pages: "Pages", page: pa.Array, kept: pa.Array, reread: "Reread", run: "Run"
    ) -> tuple[pa.Array, str | None]:
        """How many different words of each `page` stand nowhere in the one that is `kept` for it,
        null where one of the two cannot be read again; and why it cannot, if so."""
