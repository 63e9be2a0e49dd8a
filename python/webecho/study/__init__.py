"""What the papers report of a collection: tables and figures of pairs, clusters and their like."""
