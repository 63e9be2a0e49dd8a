webecho sketch "$WEBS/crawl/pages" -o crawl.echo --links -q
webecho synth corpus --pages 100 --questions 20 -q
webecho sketch corpus/questions.jsonl -o questions.echo -q
webecho sketch corpus/pages -o corpus.echo -q
