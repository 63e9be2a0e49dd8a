"""Stage one: files of any kind become pages."""
