"""All cases, a file for each kind of verb."""

from tests.golden.cases import comparing, dedup, groups, judging, others, sketch, studies

CASES = (
    *sketch.CASES,
    *groups.CASES,
    *dedup.CASES,
    *comparing.CASES,
    *judging.CASES,
    *studies.CASES,
    *others.CASES,
)
