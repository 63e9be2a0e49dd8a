"""Stage five: what people see."""
