webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho sketch "$WEBS/weeks/1/pages" -o week1.echo -q
webecho sketch "$WEBS/weeks/2/pages" -o week2.echo -q
webecho sketch "$WEBS/weeks/3/pages" -o week3.echo -q
