"""What labels tell of rules."""
