"""The rule that a user asks for, before it is known which recipe it is about."""

from dataclasses import dataclass

from webecho.group.rules import Rule, rule
from webecho.settings import Recipe


@dataclass(frozen=True)
class RuleChoice:
    """A rule by its name, and those of its parameters that are not as the papers have them."""

    name: str = "similar"
    resemblance: float | None = None
    least_b: int | None = None
    least_c: int | None = None
    least_c_across: int | None = None
    pieces: int | None = None

    def __post_init__(self) -> None:
        Rule(
            *(self.name, self.resemblance, self.least_b, self.least_c),
            *(self.least_c_across, self.pieces),
        )

    def of(self, recipe: Recipe) -> Rule:
        """The rule with what the recipe's sketches have of its parameters."""
        return rule(
            self.name,
            self.resemblance,
            recipe,
            least_b=self.least_b,
            least_c=self.least_c,
            least_c_across=self.least_c_across,
            pieces=self.pieces,
        )
