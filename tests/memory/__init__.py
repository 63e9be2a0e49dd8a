"""Whether `--memory` is kept: commands in processes of their own, under a real limit."""
