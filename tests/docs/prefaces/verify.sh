webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho dedup "$WEBS/crawl/pages" -o clean -q > made.txt
webecho study growth crawl.echo -o figures -q > made.txt
