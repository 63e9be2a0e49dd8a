"""`webecho why` and `webecho diff`."""

from tests.golden.case import case

CASES = [
    case(
        "why",
        """
        webecho sketch in/small.parquet -o small.echo -q
        webecho why small.echo doc-0 doc-4
        webecho clusters small.echo -q --format csv
        webecho pairs small.echo -q --format csv
        webecho why small.echo http://a.example.org/0.html '#4' --format json
        webecho why small.echo 0 2 --side-by-side --context 2
        webecho why small.echo doc-0
        webecho why small.echo doc-0 --format csv
        webecho why small.echo doc-7
        """,
    ),
    case(
        "why-more",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho clusters web.echo -q --resemblance 0.5
        webecho pairs web.echo -q --resemblance 0.5
        webecho clusters web.echo -q --rule very-similar
        webecho clusters web.echo -q --rule paragraphs
        webecho pairs web.echo -q --rule combined
        webecho clusters web.echo -q --rule combined
        webecho why web.echo '#0' '#1'
        webecho why web.echo '#3' '#200' --resemblance 0.3
        webecho why web.echo '#10' '#11' --format csv
        webecho why web.echo '#10' '#11' --format json --threads 1
        webecho why web.echo '#7' '#7'
        webecho sketch in/first.parquet in/second.parquet -o twice.echo -q --columns features
        webecho why twice.echo doc-25 doc-25
        webecho why twice.echo doc-25 doc-30
        webecho why twice.echo doc-25 doc-30 -q
        webecho sketch in/revisits.warc -o revisits.echo -q
        webecho why revisits.echo '#0' '#1'
        webecho why revisits.echo '#0' '#2'
        """,
        pinned=False,
    ),
    case(
        "why-refusals",
        """
        webecho why nowhere.echo a b
        webecho why in/html a b
        cp in/small.parquet gone.parquet
        webecho sketch gone.parquet -o small.echo -q
        webecho why small.echo doc-0 doc-99
        webecho why small.echo '#0' '#16'
        webecho why small.echo doc-0
        webecho why small.echo doc-0 doc-1 --context -1
        webecho why small.echo doc-0 doc-1 --memory 10MB
        cp in/small.csv gone.parquet
        webecho why small.echo doc-0 doc-4
        rm gone.parquet
        webecho why small.echo doc-0 doc-4
        webecho why small.echo doc-0 doc-4 --strict --format json
        webecho pairs small.echo -q --rule exact
        printf 'no parquet' > small.echo/pairs/exact.parquet
        webecho clusters small.echo -q --rule exact
        webecho why small.echo doc-0 doc-2
        """,
        pinned=False,
    ),
    case(
        "diff",
        """
        webecho diff in/old.html in/new.html
        webecho diff in/old.html in/copy.html --format json
        webecho diff in/old.html in/plain.txt --side-by-side --recipe fetterly2004
        webecho diff in/old.html - --context 1 < in/new.html
        webecho diff --in in/small.warc http://a.example.org/0.html '#4'
        """,
    ),
    case(
        "diff-more",
        """
        webecho diff in/old.html in/new.html --format csv
        webecho diff in/old.html in/new.html --side-by-side --context 0
        webecho diff in/old.html in/new.html --recipe henzinger2006+k=3 --resemblance 0.5
        webecho diff in/old.html in/hostile.html
        webecho diff in/old.html in/old.html
        webecho diff --in in/small.parquet doc-0 doc-4
        webecho diff --in in/html 00000.html 00004.html
        webecho diff --in in/first.parquet --in in/second.parquet doc-25 doc-25 --format json
        webecho diff --in in/small.wacz '#0' '#2'
        webecho diff - in/old.html --input-format text < in/new.html
        webecho diff in/html/00006.html in/html/00007.html
        webecho diff in/html/00008.html in/html/00010.html
        webecho diff --in in/revisits.warc '#0' '#1'
        webecho diff --in in/small.parquet doc-0 doc-99
        webecho diff in/small.parquet in/old.html
        webecho diff in/empty.jsonl in/old.html
        webecho diff in/what.xyz in/old.html
        webecho diff in/small.wacz in/old.html
        webecho diff in/nowhere.html in/old.html
        webecho diff in/html in/old.html
        webecho diff in/old.html
        webecho diff in/old.html in/new.html --memory 10MB
        webecho diff in/old.html in/new.html --recipe nobody
        webecho diff - - < in/old.html
        """,
        pinned=False,
    ),
]
