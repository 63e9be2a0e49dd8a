ln -s "$WEBECHO_DATA/snapshots" .
