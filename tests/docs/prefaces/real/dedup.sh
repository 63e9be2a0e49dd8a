ln -s "$WEBECHO_DATA/debian_docs.parquet" "$WEBECHO_DATA/snapshots" .
