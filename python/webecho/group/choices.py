"""What a dedup can be asked for by a name."""

# How pages that a rule holds together become groups of which one page stays: see stars.py.
LINKS = ("kept", "chain")
# Which of them stays: see keeping.py.
KEEPS = (
    *("first", "longest", "shortest-url", "earliest", "latest"),
    *("max:COLUMN", "min:COLUMN", "rank:COLUMN=VALUE,…"),
)
# Among which pages: see partition.py.
WITHIN = ("host", "site", "collection")
