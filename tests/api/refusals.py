"""What a request that is refused says, in the words of each face."""

from collections.abc import Callable

import pytest

from webecho.errors import SettingsError


def on_command_line(make: Callable[[], object]) -> str:
    return refused(make).for_command_line()


def in_python(make: Callable[[], object]) -> str:
    return refused(make).for_python()


def refused(make: Callable[[], object]) -> SettingsError:
    with pytest.raises(SettingsError) as error:
        make()
    return error.value
