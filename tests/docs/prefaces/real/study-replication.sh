webecho sketch "$WEBECHO_DATA/debian_html.parquet" -o debian_html.echo -q
