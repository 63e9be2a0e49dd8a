webecho synth linked --graph --pages 200 -q
webecho sketch linked/pages -o crawl.echo --links --paragraphs -q
