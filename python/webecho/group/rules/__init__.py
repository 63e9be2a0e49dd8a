"""Rules: one file each; `registry.py` lists them."""
