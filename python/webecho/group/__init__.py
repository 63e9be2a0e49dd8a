"""Stage three: sketches become clusters and pairs."""
