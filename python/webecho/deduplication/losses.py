"""What each source, host and group loses by a dedup, refused where it is more than was allowed."""

import pyarrow as pa

from webecho.deduplication.run import Decided
from webecho.group.losses import check_losses, losses
from webecho.run import Run

LOSSES_FILE = "losses.parquet"


def checked_losses(found: Decided, run: Run) -> pa.Table:
    """What each loses; a `LossError` where that is too much."""
    by = found.plan.settings.by
    lost = losses(found.workspace, found.decision, by)
    most = found.plan.output.most_lost
    check_losses(found.workspace, found.decision, lost, most, by, run)
    return lost
