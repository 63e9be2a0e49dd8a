"""What a Python program calls, a file for each group of functions."""
