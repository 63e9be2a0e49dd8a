"""The columns that pairs of pages have as an engine finds them."""

import pyarrow as pa

PAIR = [pa.field(name, pa.int64(), nullable=False) for name in ("left", "right")]

# Of pairs whose shingles or words were counted: how many both have, and how many either has.
RESEMBLANCES = pa.schema(
    [
        *PAIR,
        *(
            pa.field(name, pa.int64(), nullable=False)
            for name in ("shared", "left_size", "right_size")
        ),
        pa.field("estimated", pa.bool_(), nullable=False),
    ]
)

# Of pairs that are told by similarities, null where the sketches do not have what tells one;
# `weight` is for how many pairs one stands.
SIMILARITIES = pa.schema(
    [
        *PAIR,
        pa.field("b_similarity", pa.int64()),
        pa.field("c_similarity", pa.int64()),
        pa.field("same_site", pa.bool_(), nullable=False),
        pa.field("weight", pa.float64(), nullable=False),
    ]
)
