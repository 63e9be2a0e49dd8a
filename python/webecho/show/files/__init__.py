"""What stays of a result as files: tables as Parquet, figures as SVG and PNG."""
