"""The bytes of a format, for reading and for writing."""
