"""`paragraphs`: the same shingle paragraphs."""

from webecho.group.rules.keys import Paragraphs
from webecho.group.rules.rule import RuleKind

# Documents have more characters than this (section 4).
LONGEST_LEFT_OUT = 450

RULE = RuleKind(
    name="paragraphs",
    explanation="they have more than 450 characters and the same shingle paragraphs",
    paper="Pereira 2006",
    sets=Paragraphs(LONGEST_LEFT_OUT),
)
