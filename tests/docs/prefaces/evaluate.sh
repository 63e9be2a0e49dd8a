webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
for rule in b c; do webecho pairs crawl.echo --rule $rule -q; done
webecho label crawl.echo --rule b --rule c --sample 500 --from-truth "$WEBS/crawl" -q
cp crawl.echo/labels/sample-*.parquet a-sample.parquet
webecho pairs crawl.echo --resemblance 0.5 -q
webecho label crawl.echo --rule similar-0.5 --sample 500 --from-truth "$WEBS/crawl" -q
