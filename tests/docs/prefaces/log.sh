cp "$WEBS/crawl/pages/pages-00000.warc.gz" crawl.warc.gz
