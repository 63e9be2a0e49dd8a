"""Which kernels do the searches of a rule."""

import pytest

from webecho.engine.local.comparing import only_supershingles
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO

LEAST = {"very-similar": 2, "virtually-identical": 6, "b": 2}


@pytest.mark.parametrize(
    "name",
    [
        "payload",
        "text",
        "tokens",
        "very-similar",
        "virtually-identical",
        "similar",
        "b",
        "c",
        "combined",
    ],
)
def test_rules_that_look_at_supershingles_alone(name: str) -> None:
    assert only_supershingles(rule(name), WEBECHO) == LEAST.get(name)
