webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
