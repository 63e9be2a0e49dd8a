webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho dedup "$WEBS/crawl/pages" -o clean -q > made.txt
