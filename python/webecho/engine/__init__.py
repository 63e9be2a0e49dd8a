"""Engines: who runs the SQL and where."""
