"""Which pairs a person is to label, drawn by chance."""
