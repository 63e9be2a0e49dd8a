webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho sketch "$WEBS/years/1/pages" -o 2003.echo -q
webecho sketch "$WEBS/years/2/pages" -o 2004.echo -q
webecho sketch "$WEBS/years/3/pages" -o 2005.echo -q
