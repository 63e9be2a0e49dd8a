"""Which kernels do the searches of a rule."""

import pytest

from webecho.engine.local.comparing import only_supershingles
from webecho.engine.local.similarities import kernel_settings
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO

LEAST = {"very-similar": 2, "virtually-identical": 6, "b": 2}


@pytest.mark.parametrize(
    "name", ["exact", "very-similar", "virtually-identical", "similar", "b", "c", "combined"]
)
def test_rules_that_look_at_supershingles_alone(name: str) -> None:
    assert only_supershingles(rule(name), WEBECHO) == LEAST.get(name)


def test_what_the_kernel_is_asked_for() -> None:
    across, same = (kernel_settings(each) for each in rule("by-site").searches(WEBECHO))
    assert across == {
        "by": "projections",
        "least_b": 0,
        "least_c": 372,
        "sites": "different",
        "pieces": 13,
        "asked": None,
    }
    assert same == {
        "by": "supershingles",
        "least_b": 2,
        "least_c": 355,
        "sites": "same",
        "pieces": 0,
        "asked": None,
    }
    with pytest.raises(TypeError, match="is not about similarities"):
        kernel_settings(rule("similar").searches(WEBECHO)[0])
