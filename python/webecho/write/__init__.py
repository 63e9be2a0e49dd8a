"""Writing what stays of a collection: each source in its own format, less what was left out."""
