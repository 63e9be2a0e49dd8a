"""Stage two: pages become sketches, in a workspace."""
