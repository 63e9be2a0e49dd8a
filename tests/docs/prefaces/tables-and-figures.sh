webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
for rule in b c; do webecho pairs crawl.echo --rule $rule -q; done
webecho label crawl.echo --rule b --rule c --sample 500 --from-truth "$WEBS/crawl" -q
webecho sketch "$WEBS/weeks/1/pages" -o 2003.echo -q
webecho sketch "$WEBS/weeks/2/pages" -o 2004.echo -q
