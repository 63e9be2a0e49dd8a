for number in 1 2 3 4 5 6; do webecho sketch "$WEBECHO_DATA/policies/$number.parquet" -o "p$number.echo" -q; done
