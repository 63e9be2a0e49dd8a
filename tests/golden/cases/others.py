"""`webecho synth`, every `--help`, and the calls of Python."""

from tests.golden.case import case

VERBS = (
    *("sketch", "clusters", "pairs", "dedup", "restore", "why", "diff", "label", "evaluate"),
    *("savings", "synth", "study", "study duplicates", "study graph", "study growth"),
    "study replication",
)

CASES = [
    case("help", "webecho\nwebecho --help\n" + "\n".join(f"webecho {v} -h" for v in VERBS)),
    case(
        "synth",
        """
        webecho synth web --pages 60 --as parquet --seed 2 --family 'time stamp=2' --family shop=1
        webecho synth graph --pages 60 --as parquet --graph --component core=4 --component in=1
        """,
    ),
    case(
        "synth-snapshots",
        """
        webecho synth web --pages 60 --words 30 --as parquet --snapshots 3 --mirrors 17 \\
            --followers 22 --lost 2=0.2
        webecho synth x --snapshots 0
        webecho synth x --snapshots 2 --graph
        webecho synth x --snapshots 2 --questions 3
        webecho synth x --days 3
        webecho synth x --snapshots 2 --lost 3=0.5
        webecho synth x --snapshots 2 --lost half
        """,
    ),
    case(
        "synth-reuse",
        """
        webecho synth web --reuse --snapshots 2 --pages 300 --as parquet
        webecho synth x --reuse
        webecho synth x --reuse --snapshots 2 --pages 20
        webecho synth x --reuse --snapshots 2 --copies 0.8
        webecho synth x --reuse --snapshots 2 --graph
        webecho synth x --through-queries 0
        """,
    ),
    case(
        "synth-planted",
        """
        webecho synth web --pages 30 --words 30 --as parquet --passages 2 --popular 1 --aliases 2 \\
            --url-rules 2 --questions 3
        webecho sketch web/pages -o web.echo -q
        webecho savings web.echo
        webecho savings web.echo --rule similar --keep shortest-url --least 0.9 -o out --format json
        webecho savings web.echo --least 1
        webecho savings web.echo --keep max:score
        webecho savings web.echo --rule nobody
        webecho synth x --passages -1
        webecho synth x --graph --questions 3
        """,
    ),
    case(
        "synth-more",
        """
        webecho synth web --pages 200
        webecho synth web --pages 200
        webecho synth web --pages 100 --force --threads 2 --format json
        webecho synth many --pages 5500 --words 30 --threads 2 --as parquet -q
        webecho synth other --pages 90 --words 40 --power 1.5 --duplicates 0.5 --format csv \\
            --family database=1 --family directory=1 --family form=1 --family 'own address=1'
        webecho synth graph --pages 100 --graph --seed 9 -q
        webecho synth x --pages 90 --power 3 --duplicates 0.7
        webecho synth x --pages 0
        webecho synth x --words 0
        webecho synth x --power 0.5
        webecho synth x --duplicates 0.9
        webecho synth x --family nobody=1
        webecho synth x --family parked
        webecho synth x --family parked=-1
        webecho synth x --component core=1
        webecho synth x --graph --component middle=1
        webecho synth x --graph --family parked=1
        webecho synth x --as jsonl
        webecho synth x --memory 100MB --threads 1
        webecho synth x --graph --memory 100MB --threads 2 --pages 1000
        mkdir full && touch full/file && webecho synth full --force
        webecho synth
        """,
        pinned=False,
    ),
    case("python-sketching", "python_calls sketching"),
    case("python-grouping", "python_calls grouping", pinned=False),
    case("python-deduplicating", "python_calls deduplicating"),
    case("python-comparing", "python_calls comparing"),
    case(
        "python-judging",
        """
        webecho sketch in/web/pages -o web.echo -q
        webecho pairs web.echo --rule b -q
        webecho pairs web.echo --rule c --least-c 350 -q
        webecho label web.echo --rule b --rule c --sample 100 --from-truth in/web -q
        python_calls judging
        """,
        pinned=False,
    ),
    case("python-studying", "python_calls studying", pinned=False),
    case("python-making", "python_calls making"),
]
