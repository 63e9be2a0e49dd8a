"""What a crawler can act on: which addresses need not be visited."""
