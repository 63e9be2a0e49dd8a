"""`text`: the same visible text; `exact` means this."""

from webecho.group.rules.keys import TEXT
from webecho.group.rules.rule import RuleKind

RULE = RuleKind(
    name=TEXT.name,
    explanation="they have the same visible text, white space folded; `exact` is this rule",
    paper="",
    sets=TEXT,
    aliases=("exact",),
)
