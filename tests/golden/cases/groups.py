"""`webecho clusters`, `webecho pairs` and `webecho overlap`: every rule, its thresholds and what is
told of it."""

from tests.golden.case import case

RULES = ("exact", "very-similar", "virtually-identical", "similar", "b", "c", "combined", "by-site")

CASES = [
    case(
        "clusters",
        """
        webecho sketch in/small.parquet -o small.echo -q
        webecho clusters small.echo
        webecho clusters small.echo --rule exact --format json
        webecho clusters small.echo --rule paragraphs --format csv
        webecho clusters small.echo --rule combined --least-b 1 --least-c 330
        """,
    ),
    case(
        "clusters-by-every-rule",
        "webecho sketch in/web/pages -o web.echo --url url -q\n"
        + "\n".join(f"webecho clusters web.echo --rule {rule}" for rule in (*RULES, "paragraphs"))
        + """
        webecho clusters web.echo --resemblance 0.5
        webecho clusters web.echo --resemblance 1 --format json
        webecho clusters web.echo --resemblance 0.06 --format csv --quiet
        webecho clusters web.echo --rule b --least-b 4 --threads 1
        webecho clusters web.echo --rule c --least-c 350 --memory 600MB
        webecho clusters web.echo --rule combined --least-b 1 --least-c 321
        webecho clusters web.echo --rule by-site --least-b 3 --least-c 360 --least-c-across 380
        webecho clusters web.echo --rule c --pieces 12
        webecho clusters web.echo --rule similar --memory 300MB
        """,
        pinned=False,
    ),
    case(
        "clusters-of-archives",
        """
        webecho sketch in/crawl/pages -o crawl.echo -q
        webecho clusters crawl.echo
        webecho clusters crawl.echo --rule exact --format json
        webecho sketch in/revisits.warc in/copies -o revisits.echo -q
        webecho clusters revisits.echo --rule exact
        webecho clusters revisits.echo --rule paragraphs
        webecho pairs revisits.echo --rule exact
        webecho sketch in/html in/texts -o folders.echo -q
        webecho clusters folders.echo
        webecho pairs folders.echo
        webecho sketch in/only_images.warc -o empty.echo -q
        webecho clusters empty.echo
        webecho clusters empty.echo --format csv
        webecho pairs empty.echo
        webecho pairs empty.echo --rule exact --format json
        webecho pairs empty.echo --rule b
        webecho pairs empty.echo --rule c --report
        """,
        pinned=False,
    ),
    case(
        "overlap",
        """
        webecho sketch in/small.parquet -o small.echo -q
        webecho overlap small.echo
        webecho overlap small.echo --chunk words:3:sliding --shared 5
        webecho overlap small.echo --chunk words:3:sliding --shared 5 --level host --format csv
        webecho overlap small.echo --chunk words:8:sliding --shared 1 --most-pages 2 --format json
        webecho overlap small.echo --with small.echo --report-left -o report.parquet
        webecho overlap small.echo --show '#0' '#4' --chunk words:8:sliding
        webecho clusters small.echo --rule overlap --chunk words:3:sliding --shared 5
        webecho overlap small.echo --chunk words:3
        webecho overlap small.echo --report-left
        """,
    ),
    case(
        "pairs",
        """
        webecho sketch in/small.parquet -o small.echo -q
        webecho pairs small.echo
        webecho pairs small.echo --rule exact --format json
        webecho pairs small.echo --rule edited
        webecho pairs small.echo --rule edited --rule exact --equal-words 0.95 --format csv
        webecho pairs small.echo --rule b --measure difference --measure resemblance
        webecho pairs small.echo --rule c --least-c 340 --report --format csv
        printf '%s\\n' '#0,#4' '#4,#0' 'nobody,#1' > given.csv
        webecho pairs small.echo --given given.csv
        webecho pairs small.echo --given given.csv --measure equal-words --format csv --strict
        webecho pairs small.echo --given given.csv --rule b
        """,
    ),
    case(
        "pairs-by-every-rule",
        "webecho sketch in/web/pages -o web.echo -q\n"
        + "\n".join(f"webecho pairs web.echo --rule {rule}" for rule in (*RULES, "paragraphs"))
        + """
        webecho pairs web.echo --rule similar --resemblance 0.9 --format csv
        webecho pairs web.echo --rule similar --resemblance 0.5 --memory 700MB --threads 1
        webecho pairs web.echo --rule b --least-b 6 --format json
        webecho pairs web.echo --rule c --least-c 360 --pieces 30
        webecho pairs web.echo --rule c --pieces 12
        webecho pairs web.echo --rule by-site --least-b 1 --least-c 340 --least-c-across 350
        webecho pairs web.echo --rule combined --least-b 3 --least-c 330 --quiet
        webecho pairs web.echo --rule exact --format csv -q
        """,
        pinned=False,
    ),
    case(
        "pairs-measured-and-reported",
        """
        webecho sketch in/web/pages -o web.echo --recipe henzinger2006 -q
        webecho pairs web.echo --rule b --measure difference --report
        webecho pairs web.echo --rule c --measure resemblance --measured 20 --seed 5
        webecho pairs web.echo --rule combined --measure difference --measure resemblance \\
            --report --format json
        webecho pairs web.echo --rule by-site --report --format csv
        webecho pairs web.echo --rule b --hot 3 --drawn 5 --seed 1 --report
        webecho pairs web.echo --rule b --hot 3 --drawn 5 --seed 2
        webecho pairs web.echo --rule c --hot 2 --drawn 1
        webecho pairs web.echo --rule b --report -q
        """,
        pinned=False,
    ),
    case(
        "groups-without-sources",
        """
        cp in/many.parquet gone.parquet
        webecho sketch gone.parquet -o gone.echo -q
        cp in/small.parquet gone.parquet
        webecho clusters gone.echo
        webecho pairs gone.echo
        rm gone.parquet
        webecho clusters gone.echo
        webecho clusters gone.echo --strict --quiet
        webecho pairs gone.echo --strict
        webecho pairs gone.echo --rule b --measure difference --strict
        webecho clusters gone.echo --rule paragraphs
        cp in/many.parquet gone.parquet
        webecho sketch gone.parquet -o kept.echo --keep-shingles -q
        rm gone.parquet
        webecho clusters kept.echo
        webecho pairs kept.echo --rule b --measure resemblance
        webecho sketch - -o stdin.echo -q < in/small.jsonl
        webecho clusters stdin.echo
        webecho pairs stdin.echo --rule paragraphs
        """,
        pinned=False,
    ),
    case(
        "groups-refusals",
        """
        webecho clusters nowhere.echo
        webecho sketch in/small.parquet -o small.echo -q
        webecho clusters small.echo --rule minhash
        webecho pairs small.echo --rule minhash
        webecho clusters small.echo --resemblance 1.5
        webecho clusters small.echo --rule exact --resemblance 0.5
        webecho clusters small.echo --rule b --least-b 7
        webecho pairs small.echo --rule c --least-c 300
        webecho pairs small.echo --rule exact --report --hot 5
        webecho pairs small.echo --rule b --measured 5
        webecho clusters small.echo --memory 100MB
        webecho clusters small.echo --hot 5
        webecho sketch in/small.parquet -o none.echo --columns none -q
        webecho clusters none.echo
        """,
    ),
    case(
        "groups-refusals-more",
        """
        webecho pairs in/html
        webecho sketch in/small.parquet -o small.echo -q
        webecho clusters small.echo --resemblance 0
        webecho clusters small.echo --rule c --least-b 2
        webecho pairs small.echo --rule c --least-c 385
        webecho pairs small.echo --rule c --pieces 5
        webecho pairs small.echo --rule b --pieces 12
        webecho pairs small.echo --rule b --measure speed
        webecho pairs small.echo --rule b --hot 0
        webecho pairs small.echo --rule b --drawn 0
        webecho pairs small.echo --memory 300MB --rule b
        webecho sketch in/small.parquet -o none.echo --columns none -q
        webecho clusters none.echo --rule b
        webecho pairs none.echo --rule c
        webecho clusters none.echo --rule exact -q
        """,
        pinned=False,
    ),
    case(
        "groups-damaged",
        """
        webecho sketch in/small.parquet -o small.echo -q
        cp -r small.echo other.echo
        printf '{' > other.echo/manifest.json
        webecho clusters other.echo
        webecho why other.echo '#0' '#1'
        printf '{"format": 1}' > other.echo/manifest.json
        webecho pairs other.echo
        sed 's/^ "format": 3/ "format": 99/' small.echo/manifest.json > other.echo/manifest.json
        webecho clusters other.echo
        rm -r other.echo && cp -r small.echo other.echo
        rm other.echo/sketches/*.parquet
        webecho clusters other.echo
        rm -r other.echo && cp -r small.echo other.echo
        printf 'no parquet' > "$(ls -d other.echo/sketches/*.parquet)"
        webecho clusters other.echo
        webecho sketch in/small.parquet -o other.echo
        webecho pairs small.echo --rule b -q
        rm -r small.echo/pairs/b-2
        webecho evaluate small.echo --truth in/web
        """,
        pinned=False,
    ),
]
