"""`exact`: identity sets."""

from webecho.group.rules.rule import RuleKind

RULE = RuleKind(
    name="exact",
    explanation="they have the same token sequence",
    paper="Henzinger 2006 (identity sets)",
)
