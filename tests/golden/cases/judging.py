"""`webecho label`, as far as it ends by itself, and `webecho evaluate`."""

from tests.golden.case import case

CASES = [
    case(
        "label-and-evaluate",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho pairs web.echo --rule b -q
        webecho pairs web.echo --rule c -q
        webecho label web.echo --rule b --rule c --sample 60 --from-truth in/web
        webecho label web.echo --rule b --sample 40 --guess
        webecho evaluate web.echo --compare b combined --equal-recall b --truth in/web
        """,
    ),
    case(
        "evaluate-curves",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho pairs web.echo --resemblance 0.5 -q
        webecho label web.echo --rule similar-0.5 --sample 120 --from-truth in/web -q
        webecho evaluate web.echo --precision 0.9
        webecho evaluate web.echo --require-precision 0.99 --rule similar-0.5
        """,
    ),
    case(
        "label-more",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho label web.echo
        webecho label web.echo --rule b
        webecho label web.echo --agreement
        webecho pairs web.echo --rule b -q
        webecho pairs web.echo --rule b --least-b 4 -q
        webecho pairs web.echo --rule similar -q
        webecho label web.echo --rule b --sample 30 --seed 7 --from-truth in/web --format json
        webecho label web.echo --rule b --sample 30 --seed 7 --from-truth in/web
        webecho label web.echo --rule b --sample 50 --seed 7 --from-truth in/web/truth.parquet -q
        webecho label web.echo --rule b-4 --rule similar --sample 20 --guess --format csv
        webecho label web.echo --rule similar --sample 20 --guess --labels mine.jsonl --format json
        webecho label web.echo --rule b --sample 1 --guess -q
        webecho label web.echo --rule b --sample 5 --seed 7 --export sample.csv
        webecho label web.echo --rule b --sample 5 --seed 7 --export sample.csv
        webecho label web.echo --rule b --export sample.txt
        webecho label web.echo --import sample.csv
        printf '%s\\n' left,right,label,reasons,note,labeller '#0,#1,correct,url;time-stamp,,bob' \\
            '#2,#3,0,,ü,bob' '#2,#9999,0,,,' '#4,#5,maybe,,,' ',#5,1,,,' > given.csv
        webecho label web.echo --import given.csv
        webecho label web.echo --import given.csv --strict
        echo '{"left": "#6", "right": "#7", "label": "undecided", "reasons": ["form"]}' > g.jsonl
        printf '%s\\n' 'no json' '[1]' >> g.jsonl
        webecho label web.echo --import g.jsonl --labeller ada --format json
        webecho label web.echo --agreement
        printf 'left,right,label\\n#0,#1,incorrect\\n#2,#3,0\\n' > other.csv
        webecho label web.echo --import other.csv --labeller ada -q
        webecho label web.echo --agreement
        webecho label web.echo --agreement --format json
        webecho label web.echo --agreement --format csv
        echo 'broken' >> web.echo/labels/labels.jsonl
        webecho label web.echo --agreement -q
        webecho evaluate web.echo
        """,
        pinned=False,
    ),
    case(
        "label-refusals",
        """
        webecho label nowhere.echo --rule b
        webecho sketch in/small.parquet -o small.echo -q
        webecho label small.echo --rule nobody --guess
        webecho label small.echo --rule b --guess
        webecho label small.echo --rule c-360 --guess
        webecho pairs small.echo --rule b -q
        webecho pairs small.echo --rule c --least-c 360 -q
        webecho pairs small.echo --rule c --least-c 350 -q
        webecho label small.echo --rule c --guess
        webecho label small.echo --rule nobody --guess
        webecho label small.echo --rule b --guess --sample 0
        webecho label small.echo --rule b --guess --agreement
        webecho label small.echo --rule b --from-truth in/web
        webecho label small.echo --rule b --from-truth in/graph
        webecho label small.echo --rule b --from-truth in/html
        webecho label small.echo --rule b --from-truth nowhere
        webecho label small.echo --import nowhere.csv
        webecho label small.echo --import in/small.parquet
        webecho label small.echo --rule b --port 99999
        webecho label small.echo --rule b --host 0.0.0.0
        webecho label small.echo --rule b --labeller ''
        webecho evaluate small.echo
        webecho evaluate small.echo --rule b
        webecho evaluate small.echo --labels nowhere.jsonl
        webecho evaluate small.echo --least-r 2
        webecho evaluate small.echo --truth in/graph
        webecho evaluate small.echo --truth in/web
        webecho evaluate small.echo --truth nowhere
        webecho evaluate small.echo --truth in/small.jsonl
        webecho evaluate small.echo --sample in/small.parquet --labels in/small.jsonl
        webecho sketch in/small.parquet -o none.echo --columns none -q
        webecho label none.echo --rule b --guess
        """,
        pinned=False,
    ),
    case(
        "evaluate-more",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho pairs web.echo --rule b -q
        webecho pairs web.echo --rule c --least-c 350 -q
        webecho pairs web.echo --rule similar -q
        webecho label web.echo --rule b --rule c --rule similar --sample 150 --from-truth in/web -q
        webecho evaluate web.echo --rule b --truth in/web --format json
        webecho evaluate web.echo --all
        webecho evaluate web.echo --all --truth in/web --measure
        webecho evaluate web.echo --all --truth in/web --measure --rule b --rule c-350
        webecho evaluate web.echo --format csv
        webecho evaluate web.echo --format json --compare b c-372 --seed 3
        webecho evaluate web.echo --rule combined-2-360 --rule c-376 --least-r 0.5 -q
        webecho evaluate web.echo --equal-recall combined
        webecho evaluate web.echo --equal-recall similar
        webecho evaluate web.echo --compare b exact
        webecho evaluate web.echo --rule exact
        webecho evaluate web.echo --rule by-site --rule b --all --measure
        webecho label web.echo --rule b --sample 30 --guess -q
        webecho evaluate web.echo --labels web.echo/labels/guesses-b-2-30-seed-0.jsonl
        printf 'left,right\\n#0,#1\\n#2,#300\\n' > gold.csv
        webecho evaluate web.echo --truth gold.csv
        webecho evaluate web.echo --truth gold.csv --rule b
        printf 'left,right\\n#0,#9999\\n' > no_gold.csv
        webecho evaluate web.echo --truth no_gold.csv --rule b
        webecho pairs web.echo --rule b --hot 3 --drawn 5 -q
        webecho label web.echo --rule b-2-hot-3-drawn-5 --sample 20 --from-truth in/web
        webecho evaluate web.echo --rule b
        """,
        pinned=False,
    ),
]
