"""The command line: one file a verb, which parses, asks `api` and shows the result."""
