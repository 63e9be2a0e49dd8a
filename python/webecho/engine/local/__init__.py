"""The default engine: Rust threads, and an embedded DuckDB for what is relational."""
