"""`webecho dedup` and `webecho restore`: what goes and what stays, in every format."""

from tests.golden.case import case

CASES = [
    case(
        "dedup",
        """
        webecho dedup in/small.parquet -o clean
        webecho dedup in/small.parquet -o clean
        webecho dedup in/small.parquet -o clean --force --rule exact --format json
        webecho dedup in/small.jsonl in/small.csv -o two --format csv
        webecho dedup in/broken.warc -o broken --strict
        webecho why clean.echo '#0' '#4'
        """,
    ),
    case(
        "dedup-corpora",
        """
        webecho dedup in/broken.jsonl -o short --min-words 3 --drop-empty --drop-failed \\
            --removed gone --dropped left
        webecho dedup in/odd.parquet -o keep --html body --url meta.url --id doc_id --by lang \\
            --keep rank:lang=en,de --keep max:score --keep longest
        webecho dedup in/small.csv -o told --annotate --counts
        webecho dedup in/small.warc -o archive --annotate --counts
        webecho dedup in/small.jsonl -o lost --most-lost 30%
        webecho dedup in/odd.parquet -o langs --html body --url meta.url --losses-by lang
        webecho dedup in/small.jsonl -o first --keep first --keep longest
        webecho verify told
        """,
    ),
    case(
        "dedup-tables",
        """
        webecho dedup in/small.tsv -o tsv
        webecho dedup in/small.jsonl.gz in/small.jsonl.zst -o packed
        webecho dedup in/broken.jsonl -o broken
        webecho dedup - -o stdin < in/small.jsonl
        webecho dedup in/many.parquet in/first.parquet in/second.parquet -o three -q
        webecho dedup 'in/f*.parquet' -o glob
        webecho dedup in/odd.parquet -o odd --html body --url meta.url --id doc_id
        webecho dedup in/no_rows.parquet -o none
        webecho dedup in/web/pages -o web --threads 1
        webecho dedup in/small.csv -o web --force
        webecho dedup in/small.csv -o web --force --by id
        """,
        pinned=False,
    ),
    case(
        "dedup-archives",
        """
        webecho dedup in/small.warc -o warc
        webecho dedup in/small.warc.gz -o gz
        webecho dedup in/small.warc.zst in/whole.warc.gz -o packed
        webecho dedup in/cut.warc.gz -o cut --strict
        webecho dedup in/small.arc in/small.arc.gz -o arc
        webecho dedup in/small.wacz -o wacz
        webecho dedup in/small.warc.wet -o wet
        webecho dedup in/revisits.warc -o revisits
        webecho dedup in/only_images.warc -o images
        webecho dedup in/crawl/pages -o crawl --rule exact
        webecho dedup in/broken.warc -o types --status 404 --type 'text/*' --type application/pdf \\
            --convert application/pdf=cat
        """,
        pinned=False,
    ),
    case(
        "dedup-folders",
        """
        webecho dedup in/html -o html
        webecho dedup in/texts in/html -o both
        webecho dedup in/copies in/small.warc -o mixed
        """,
        pinned=False,
    ),
    case(
        "dedup-rules",
        "\n".join(
            f"webecho dedup in/web/pages -o {name} {options}"
            for name, options in (
                ("exact", "--rule exact"),
                ("very", "--rule very-similar"),
                ("virtually", "--rule virtually-identical --link chain"),
                ("low", "--resemblance 0.4"),
                ("chain", "--resemblance 0.4 --link chain"),
                ("high", "--resemblance 0.97 --recipe fetterly2004"),
                ("host", "--within host"),
                ("site", "--within site --rule very-similar"),
                ("longest", "--keep longest"),
                ("shortest", "--keep shortest-url --link chain"),
                ("earliest", "--keep earliest"),
                ("latest", "--keep latest --rule exact"),
                ("small", "--memory 700MB"),
            )
        ),
        pinned=False,
    ),
    case(
        "dedup-by-columns",
        """
        webecho dedup in/odd.parquet -o by --html body --by lang
        webecho dedup in/odd.parquet -o most --html body --keep max:score
        webecho dedup in/odd.parquet -o least --html body --keep min:meta.day --by lang
        webecho dedup in/small.parquet -o undecided --keep latest
        webecho dedup in/small.jsonl -o lines --by url --keep max:id
        """,
        pinned=False,
    ),
    case(
        "dedup-against",
        """
        webecho dedup in/first.parquet -o first -q
        webecho dedup in/second.parquet -o second --against first.echo
        webecho dedup in/second.parquet -o kept --against first.echo --append-kept
        webecho dedup in/second.parquet -o kept --against first.echo --append-kept
        webecho dedup in/second.parquet -o more --against first.echo
        webecho dedup in/small.parquet -o more --against first.echo --link chain --keep longest
        webecho sketch in/first.parquet -o sketched.echo -q
        webecho dedup in/second.parquet -o other --against sketched.echo
        webecho dedup in/small.parquet -o x --against sketched.echo --append-kept
        webecho dedup in/small.parquet -o x --against nowhere.echo
        webecho dedup in/small.parquet -o x --append-kept
        webecho dedup in/small.parquet -o x --against first.echo --recipe fetterly2004
        webecho dedup in/small.jsonl -o x --against first.echo --by id
        """,
        pinned=False,
    ),
    case(
        "dedup-dry-run",
        """
        webecho dedup in/many.parquet --dry-run
        webecho dedup in/many.parquet -o x --dry-run --limit 40 --format json
        webecho dedup in/many.parquet in/small.jsonl --dry-run --sample 0.5 --format csv
        webecho dedup in/many.parquet --dry-run --sample 0.02
        webecho dedup in/small.warc --dry-run --rule exact -q
        webecho dedup in/many.parquet -o x --limit 40
        webecho dedup in/many.parquet
        """,
    ),
    case(
        "dedup-and-restore",
        """
        webecho dedup in/copies -o clean --revisit
        webecho restore clean/data -o back
        webecho restore clean/data -o back
        webecho restore clean/data -o back --force --format json
        webecho restore clean/data/copies/b.warc.gz -o half --strict --format csv
        """,
    ),
    case(
        "restore-more",
        """
        webecho dedup in/small.warc in/copies in/crawl/pages -o clean --revisit --rule exact
        webecho restore clean/data -o back
        webecho restore 'clean/data/*/*.warc.gz' -o glob -q
        webecho restore in/html -o x
        webecho restore in/nowhere.warc -o x
        webecho restore in/small.parquet -o x
        webecho restore in/revisits.warc -o revisits
        webecho restore in/cut.warc.gz -o cut
        webecho restore in/small.warc -o in
        webecho restore in/small.warc
        """,
        pinned=False,
    ),
    case(
        "dedup-refusals",
        """
        webecho dedup in/small.parquet
        mkdir there && webecho dedup in/small.parquet -o there
        webecho dedup in/small.parquet -o there --force
        webecho dedup in/small.parquet -o x --keep best
        webecho dedup in/small.parquet -o x --keep max:colour
        webecho dedup in/small.warc -o x --by lang
        webecho dedup in/small.parquet -o x --rule b
        webecho dedup in/small.parquet -o x --rule exact --resemblance 0.5
        webecho dedup in/small.parquet -o x --link none
        webecho dedup in/small.parquet -o x --memory 100MB
        webecho sketch in/small.csv -o y.echo -q
        webecho dedup in/small.parquet -o y
        """,
    ),
    case(
        "dedup-refusals-more",
        """
        webecho dedup in/nowhere.parquet -o x
        webecho dedup in/small.parquet -o x --keep max
        webecho dedup in/small.parquet -o numbers --keep max:html
        webecho dedup in/small.warc -o x --keep max:score
        webecho dedup in/small.parquet -o x --by colour
        webecho dedup in/small.parquet -o x --within planet
        webecho dedup in/small.parquet -o table --revisit
        webecho dedup in/small.parquet -o quiet --revisit --rule exact -q
        webecho dedup in/small.parquet -o x --sample 2 --dry-run
        webecho sketch in/small.csv -o y.echo -q
        """,
        pinned=False,
    ),
]
