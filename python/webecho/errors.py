"""The one exception tree: whatever webecho raises on purpose is a `WebechoError`.

A message names the input, the place in it, and what to do about it.
"""


class WebechoError(Exception):
    """Something webecho cannot go on with; the message says what to do."""


class InputError(WebechoError):
    """An input that is missing, empty, of an unknown format, or without a needed column."""


class SettingsError(WebechoError):
    """Settings that contradict each other, or that this webecho does not know."""


class WorkspaceError(WebechoError):
    """A workspace that is missing, damaged, made with other settings, or whose source changed."""


class MemoryBudgetError(WebechoError):
    """The memory that was allowed is below what the work needs at the least."""
