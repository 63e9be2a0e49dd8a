webecho sketch "$WEBECHO_DATA/snapshots/1.parquet" -o 2018.echo -q
webecho sketch "$WEBECHO_DATA/snapshots/3.parquet" -o 2022.echo -q
webecho sketch "$WEBECHO_DATA/policies/1.parquet" -o policies-2013.echo -q
webecho sketch "$WEBECHO_DATA/policies/6.parquet" -o policies-2018.echo -q
webecho sketch "$WEBECHO_DATA/debian_html.parquet" -o debian_html.echo -q
