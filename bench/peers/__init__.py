"""A script for each tool that is measured, run in an environment of its own."""
