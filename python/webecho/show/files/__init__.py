"""What stays of a result as files: tables as Parquet, CSV and LaTeX, figures as
PDF, SVG and PNG."""
