"""`payload`: the same bytes, of any content type."""

from webecho.group.rules.keys import PAYLOAD
from webecho.group.rules.rule import RuleKind

RULE = RuleKind(
    name=PAYLOAD.name,
    explanation="the same bytes are stored as their bodies, of whatever type",
    paper="",
    sets=PAYLOAD,
    any_type=True,
)
