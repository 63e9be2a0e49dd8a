ln -s "$WEBECHO_DATA/policies" .
