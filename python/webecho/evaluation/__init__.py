"""How far a rule can be trusted: pairs are sampled, a person labels them, and rules are judged.

`sample` and `label` know none of the other rooms, `guess` knows `label`, and `judge` knows `sample`
and `label`.
"""
