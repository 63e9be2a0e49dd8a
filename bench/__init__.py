"""Speed and memory, measured here and now; `python -m bench` prints a table."""
