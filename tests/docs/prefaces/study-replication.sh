webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho sketch "$WEBS/weeks/1/pages" -o 2018.echo -q
webecho sketch "$WEBS/weeks/2/pages" -o 2020.echo -q
webecho sketch "$WEBS/weeks/3/pages" -o 2022.echo -q
