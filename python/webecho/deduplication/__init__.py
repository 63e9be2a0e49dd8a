"""The main job: read, sketch, group, decide what stays, write."""
