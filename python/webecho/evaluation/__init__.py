"""How far a rule can be trusted: pairs are sampled, a person labels them, and rules are judged."""
