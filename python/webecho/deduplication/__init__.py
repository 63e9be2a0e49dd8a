"""The main job: read, sketch, group, decide what stays, and hand it to where it goes: a folder,
tables in memory, or the estimate of a dry run."""
