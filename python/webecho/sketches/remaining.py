"""What a run still has to read of a collection, given the parts that a workspace has."""

from collections.abc import Iterator
from dataclasses import dataclass

from webecho.read.collection import Collection
from webecho.read.pages import Source
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class RemainingSource:
    """A source by its number, to be read from beyond a place on."""

    number: int
    source: Source
    after: int = -1


@dataclass(frozen=True)
class RemainingInput:
    """An input by its number, and what is to be read of it."""

    number: int
    sources: tuple[RemainingSource, ...]


def remaining(
    workspace: Workspace, collection: Collection, first_input: int
) -> Iterator[RemainingInput]:
    """What is to be read of each input that is not complete; the first has this number."""
    manifest = workspace.manifest
    for number, each in enumerate(collection.inputs, first_input):
        last = manifest.parts[-1] if manifest.parts else None
        if last and (last.input > number or (last.input == number and last.ends_input)):
            continue
        first = manifest.inputs[number]["sources"][0]
        sources = [RemainingSource(*one) for one in enumerate(each.sources, first)]
        if last and last.input == number:
            begun = sources[last.source - first]
            rest = sources[last.source - first + 1 :]
            sources = [RemainingSource(begun.number, begun.source, last.place), *rest]
        yield RemainingInput(number, tuple(sources))
