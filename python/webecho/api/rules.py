"""The rule that a user asks for, before it is known which recipe it is about."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.group.rules.parameters import Value
from webecho.group.rules.registry import has, is_name, kind_with, parsed, rule
from webecho.group.rules.rule import Rule, RuleKind
from webecho.settings import WEBECHO, Recipe


@dataclass(frozen=True)
class RuleChoice:
    """A rule by its name, and those of its parameters that are not as the papers have them; a
    label, such as `similar-0.9`, is a name with parameters."""

    name: str = "similar"
    resemblance: float | None = None
    equal_words: float | None = None
    least_b: int | None = None
    least_c: int | None = None
    least_c_across: int | None = None
    pieces: int | None = None
    chunk: str | None = None
    shared: int | None = None
    most_pages: int | None = None
    fingerprint: int | None = None

    def __post_init__(self) -> None:
        self._take_label()
        given = [name for name, value in self.parameters.items() if value is not None]
        kind = kind_with(self.name, given)
        # What is asked of supershingles and bits can be checked when the recipe is known.
        of_text = {"resemblance", "equal_words", "chunk", "shared", "most_pages", "fingerprint"}
        if set(given) <= of_text:
            rule(kind.name, recipe=WEBECHO, **self.parameters)

    def _take_label(self) -> None:
        """Takes apart a name that is a label."""
        if not isinstance(self.name, str):
            raise SettingsError(
                *(setting("rule").to(self.name), ": give one, such as similar; pairs takes several")
            )
        label, found = self.name, parsed(self.name)
        if found is None or is_name(label):
            return
        kind, values = found
        object.__setattr__(self, "name", kind.name)
        for name, value in values.items():
            told = str(value) if isinstance(value, Chunking) else value
            given = getattr(self, name)
            if given not in (None, told):
                raise SettingsError(
                    *("the rule ", label, " says it already; give ", setting(name).to(given)),
                    *(" with ", setting("rule").to(kind.name)),
                )
            object.__setattr__(self, name, told)

    @classmethod
    def several(cls, names: Sequence[str], **parameters: Any) -> "tuple[RuleChoice, ...]":
        """Several rules, each with those of the parameters that it has; one that none has is
        refused, and a rule that is named twice."""
        kinds = [cls(name).kind for name in names]
        for kind in kinds:
            if kinds.count(kind) > 1:
                raise SettingsError(f"the rule {kind.name} is given twice; give each once")
        if not kinds:
            raise SettingsError("no rule is given; give one, such as similar")
        given = [name for name, value in parameters.items() if value is not None]
        for name in given:
            if not any(has(kind, name) for kind in kinds):
                kind_with(names[0], [name])
        return tuple(
            cls(name, **{each: parameters[each] for each in given if has(kind, each)})
            for name, kind in zip(names, kinds, strict=True)
        )

    @property
    def kind(self) -> RuleKind:
        return kind_with(self.name, ())

    @property
    def parameters(self) -> dict[str, Value | None]:
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        chunk = {} if self.chunk is None else {"chunk": Chunking.parse(self.chunk)}
        return {name: value for name, value in named.items() if name != "name"} | chunk

    def of(self, recipe: Recipe) -> Rule:
        """The rule with what the recipe's sketches have of its parameters."""
        return rule(self.name, recipe=recipe, **self.parameters)
