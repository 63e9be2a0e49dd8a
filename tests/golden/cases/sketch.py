"""`webecho sketch`: what it reads, how it is told to read it, and what it keeps."""

from tests.golden.case import case

CASES = [
    case(
        "sketch-tables",
        """
        webecho sketch in/small.parquet -o small.echo
        webecho sketch in/small.parquet -o small.echo
        webecho sketch in/small.jsonl in/small.csv -o two.echo --format json
        webecho sketch in/broken.jsonl -o broken.echo --strict
        webecho sketch in/odd.parquet -o odd.echo --html body --url meta.url --id doc_id \\
            --date meta.day --format csv
        """,
    ),
    case(
        "sketch-tables-more",
        """
        webecho sketch in/small.tsv -o tsv.echo
        webecho sketch in/small.jsonl.gz -o gz.echo
        webecho sketch in/small.jsonl.zst -o zst.echo
        webecho sketch - -o stdin.echo < in/small.jsonl
        cat in/broken.jsonl | webecho sketch - -o piped.echo -q
        webecho sketch - -o other.echo --input-format csv < in/small.csv
        webecho sketch 'in/f*.parquet' in/second.parquet -o glob.echo
        webecho sketch in/small.parquet -o text.echo --text html
        webecho sketch in/small.parquet -o id.echo --id url --url id
        webecho sketch in/odd.parquet -o odd.echo --text body
        webecho sketch in/no_rows.parquet -o none.echo
        webecho sketch in/lines.xyz -o xyz.echo --input-format jsonl
        webecho sketch in/what.xyz -o x.echo --input-format jsonl
        webecho sketch in/web/pages -o web.echo --threads 1
        webecho sketch in/many.parquet -o many.echo --part-pages 40
        """,
        pinned=False,
    ),
    case(
        "sketch-archives",
        """
        webecho sketch in/small.warc -o warc.echo
        webecho sketch in/broken.warc -o broken.echo --strict
        webecho sketch in/broken.warc -o other.echo --status 404 --status 200 --type 'text/*' \\
            --type application/pdf --convert application/pdf='tr a-z A-Z'
        webecho sketch in/small.arc in/small.wacz -o two.echo
        """,
    ),
    case(
        "sketch-archives-more",
        """
        webecho sketch in/small.warc.gz -o gz.echo
        webecho sketch in/small.warc.zst -o zst.echo
        webecho sketch in/whole.warc.gz -o whole.echo
        webecho sketch in/cut.warc.gz -o cut.echo
        webecho sketch in/cut.warc.gz -o cut.echo --strict -q
        webecho sketch in/small.arc.gz -o arc.echo
        webecho sketch in/small.warc.wet -o wet.echo
        webecho sketch in/small.warc.wet -o named.echo --input-format warc
        webecho sketch in/revisits.warc -o revisits.echo --format json
        webecho sketch in/copies -o copies.echo
        webecho sketch in/only_images.warc -o images.echo
        webecho sketch in/only_images.warc -o quiet.echo --quiet
        webecho sketch in/crawl/pages -o crawl.echo --links --paragraphs
        cat in/small.warc | webecho sketch - -o stream.echo --input-format warc
        """,
        pinned=False,
    ),
    case(
        "sketch-folders",
        """
        webecho sketch in/html in/texts -o folders.echo
        webecho sketch 'in/texts/**/*.txt' -o glob.echo
        webecho sketch in/old.html in/plain.txt -o files.echo
        """,
        pinned=False,
    ),
    case(
        "sketch-keeps",
        """
        webecho sketch in/many.parquet -o all.echo --paragraphs --links --keep-shingles \\
            --part-pages 64
        webecho sketch in/small.parquet -o none.echo --columns none
        webecho sketch in/small.parquet -o fetterly.echo --recipe fetterly2004 \\
            --columns supershingles,features
        webecho sketch in/small.parquet -o changed.echo --recipe henzinger2006+k=5,bits=192
        webecho sketch in/many.parquet -o chunks.echo --columns none \\
            --chunks lines:4,paragraph,sentence,words:8:sliding,page
        webecho sketch in/small.parquet -o paper.echo --columns none --recipe shivakumar1998 \\
            --chunks lines:4,lines:2
        """,
    ),
    case(
        "sketch-recipes",
        """
        webecho sketch in/many.parquet -o henzinger.echo --recipe henzinger2006
        webecho sketch in/many.parquet -o frequency.echo --recipe henzinger2006+frequency=true
        webecho sketch in/many.parquet -o shingles.echo --recipe webecho+project=shingles
        webecho sketch in/web/pages -o boilerplate.echo --recipe webecho+boilerplate=3
        webecho sketch in/small.jsonl --append -o boilerplate.echo --recipe webecho+boilerplate=3
        webecho sketch - -o stdin.echo --recipe webecho+boilerplate=3 < in/small.jsonl
        webecho sketch in/many.parquet -o x.echo --recipe webecho+k=0
        webecho sketch in/many.parquet -o x.echo --recipe webecho+k=five
        webecho sketch in/many.parquet -o x.echo --recipe webecho+wrap=maybe
        webecho sketch in/many.parquet -o x.echo --recipe webecho+m=80
        webecho sketch in/many.parquet -o x.echo --recipe webecho+bits=100
        webecho sketch in/many.parquet -o x.echo --recipe webecho+boilerplate=1
        webecho sketch in/many.parquet -o x.echo --recipe webecho+site=mine
        webecho sketch in/many.parquet -o x.echo --recipe webecho+colour=red
        webecho sketch in/many.parquet -o x.echo --recipe webecho+k
        """,
        pinned=False,
    ),
    case(
        "sketch-append",
        """
        webecho sketch in/first.parquet -o both.echo
        webecho clusters both.echo -q
        webecho sketch in/second.parquet -o both.echo --append
        webecho sketch in/second.parquet -o both.echo --append
        webecho sketch in/first.parquet -o both.echo --append
        webecho sketch in/second.parquet -o both.echo
        webecho sketch in/second.parquet -o new.echo --append
        webecho sketch in/small.parquet -o both.echo --append --recipe fetterly2004
        webecho sketch in/small.parquet -o both.echo --append --columns features
        webecho sketch in/small.parquet -o both.echo --append --keep-shingles
        webecho sketch in/odd.parquet -o both.echo --append --html body --id doc_id
        webecho sketch in/html in/texts -o both.echo --append --paragraphs
        """,
        pinned=False,
    ),
    case(
        "sketch-resumed",
        """
        webecho sketch in/many.parquet -o many.echo --part-pages 40 -q
        python -c "import json; f = open('many.echo/manifest.json', 'r+'); m = json.load(f); \\
            m['parts'] = m['parts'][:2]; m['complete'] = False; f.seek(0); f.truncate(); \\
            json.dump(m, f)"
        webecho clusters many.echo
        webecho why many.echo '#1' '#2'
        webecho sketch in/many.parquet -o many.echo --part-pages 41
        webecho sketch in/many.parquet -o many.echo --part-pages 40
        webecho clusters many.echo
        """,
    ),
    case(
        "sketch-refusals",
        """
        webecho sketch
        webecho sketch in/small.parquet
        webecho sketch in/nowhere.parquet -o x.echo
        webecho sketch in/what.xyz -o x.echo
        webecho sketch in/small.parquet -o x.echo --text nowhere
        webecho sketch in/small.parquet -o x.echo --text html --html html
        webecho sketch in/edges.csv -o x.echo
        webecho sketch in/small.parquet -o x.echo --columns features,colours
        webecho sketch in/small.parquet -o x.echo --chunks lines:4,lines
        webecho sketch in/small.parquet -o x.echo --recipe broder1997
        webecho sketch in/small.parquet -o x.echo --memory 100MB
        webecho sketch in/small.parquet -o x.echo --memory much
        webecho sketch in/small.warc -o x.echo --convert application/pdf
        webecho sketch in/small.warc -o x.echo --convert application/pdf=no_such_program
        webecho sketch in/small.parquet in/small.parquet -o x.echo
        webecho sketch in/small.parquet -o x.echo --format yaml
        webecho sketch in/small.parquet -o x.echo --colour
        webecho scetch in/small.parquet
        """,
    ),
    case(
        "sketch-refusals-more",
        """
        webecho sketch 'in/*.nothing' -o x.echo
        webecho sketch in/empty.jsonl -o x.echo
        webecho sketch in/not.parquet -o x.echo
        webecho sketch in/nothing.parquet -o x.echo
        webecho sketch in/odd.parquet -o x.echo --text meta
        webecho sketch in/small.parquet -o x.echo --input-format yaml
        webecho sketch in/small.parquet -o x.echo --threads 0
        webecho sketch in/small.parquet -o x.echo --part-pages 0
        webecho sketch in/small.warc -o x.echo --status ok
        webecho sketch nowhere://bucket/file.parquet -o x.echo
        touch file && webecho sketch in/small.parquet -o file
        """,
        pinned=False,
    ),
    case(
        "sketch-stopped",
        """
        cp in/many.parquet mine.parquet
        webecho sketch mine.parquet -o mine.echo --part-pages 40 -q
        python -c "import json; f = open('mine.echo/manifest.json', 'r+'); m = json.load(f); \\
            m['parts'] = m['parts'][:2]; m['complete'] = False; f.seek(0); f.truncate(); \\
            json.dump(m, f)"
        webecho sketch in/first.parquet -o mine.echo --part-pages 40
        webecho sketch mine.parquet -o mine.echo --part-pages 40 --text html
        webecho sketch mine.parquet -o mine.echo --part-pages 40 --append
        webecho study duplicates mine.echo
        webecho dedup in/small.parquet -o x --against mine.echo
        printf x > mine.echo/sketches/part-00001.parquet
        webecho sketch mine.parquet -o mine.echo --part-pages 40
        cp in/first.parquet mine.parquet
        webecho sketch mine.parquet -o mine.echo --part-pages 40
        webecho sketch mine.parquet in/small.jsonl -o mine.echo --part-pages 40
        touch file && webecho sketch in/small.parquet -o file/x.echo
        webecho sketch in/small.parquet -o busy.echo -q
        flock busy.echo/.lock webecho clusters busy.echo
        flock busy.echo/.lock webecho sketch in/first.parquet --append -o busy.echo
        flock -s busy.echo/.lock webecho clusters busy.echo -q --rule exact
        flock -s busy.echo/.lock webecho sketch in/first.parquet --append -o busy.echo
        webecho clusters busy.echo --rule exact --format json | head -n 3
        webecho --version | sed 's/[0-9].*/VERSION/'
        """,
        pinned=False,
    ),
]
