"""`tokens`: identity sets."""

from webecho.group.rules.keys import IDENTITY
from webecho.group.rules.rule import RuleKind

RULE = RuleKind(
    name=IDENTITY.name,
    explanation="they have the same token sequence",
    paper="Henzinger 2006 (identity sets)",
)
