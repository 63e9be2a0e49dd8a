webecho sketch "$WEBECHO_DATA/snapshots/1.parquet" -o 2018.echo -q
webecho clusters 2018.echo -q > made.txt
webecho pairs 2018.echo -q > made.txt
