"""*Engine*: what does the work of a stage, and where. Stages are written once and never ask which
engine runs them."""

from typing import Protocol


class Engine(Protocol):
    """What an engine does for the stages."""

    @property
    def name(self) -> str:
        """What a person calls it by."""
