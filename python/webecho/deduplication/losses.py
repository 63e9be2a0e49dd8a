"""What each source, host, group and value of a column loses by a dedup, refused where it is more
than was allowed."""

import pyarrow as pa

from webecho.deduplication.run import Decided
from webecho.group.losses import Counted, check_losses, losses
from webecho.run import Run

LOSSES_FILE = "losses.parquet"


def checked_losses(found: Decided, run: Run) -> pa.Table:
    """What each loses; a `LossError` where that is too much."""
    output = found.plan.output
    counted = Counted(found.plan.settings.by, output.losses_by)
    lost = losses(found.workspace, found.decision, counted)
    check_losses(found.workspace, found.decision, lost, output.most_lost, counted, run)
    return lost
