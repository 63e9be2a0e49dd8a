webecho sketch "$WEBS/years/1/pages" -o 2013.echo -q
webecho sketch "$WEBS/years/2/pages" -o 2014.echo -q
webecho sketch "$WEBS/years/3/pages" -o 2015.echo -q
