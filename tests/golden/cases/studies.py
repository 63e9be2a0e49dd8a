"""`webecho study` and its studies."""

from tests.golden.case import case

CASES = [
    case(
        "study-duplicates",
        """
        webecho sketch in/letters.parquet -o letters.echo --paragraphs --columns none -q
        webecho study duplicates letters.echo --match paper --near 0.8 -o found
        """,
    ),
    case(
        "study-duplicates-more",
        """
        webecho sketch in/letters.parquet -o letters.echo --columns none -q
        webecho sketch in/graph/pages -o graph.echo --paragraphs -q
        webecho study duplicates letters.echo --near 0.8 --format json
        webecho study duplicates letters.echo graph.echo
        webecho study duplicates graph.echo letters.echo graph.echo --format csv -q
        webecho study duplicates graph.echo --compare text --near 1 --near 0.3
        webecho study duplicates graph.echo --match paper --compare text --threads 1 -o paper
        webecho study graph graph.echo -q
        webecho study duplicates graph.echo letters.echo
        webecho sketch in/revisits.warc in/copies -o revisits.echo -q
        webecho study duplicates revisits.echo
        webecho sketch in/only_images.warc -o empty.echo -q
        webecho study duplicates empty.echo
        """,
        pinned=False,
    ),
    case(
        "study-graph",
        """
        webecho sketch in/graph/pages -o graph.echo --paragraphs --links --columns none -q
        webecho study graph graph.echo --start core --kind a --obey-nofollow
        """,
    ),
    case(
        "study-graph-more",
        """
        webecho sketch in/graph/pages -o graph.echo -q
        webecho study graph graph.echo --start core --format json
        webecho study graph graph.echo --seed 4 --tries 3 --least 0.2
        webecho study graph graph.echo --least 1 --tries 2
        webecho study graph graph.echo --start '#5' --match paper -o from5
        webecho study graph graph.echo --start '#5' --least 0 --format csv
        webecho study graph graph.echo --start '#9999'
        webecho study graph graph.echo --kind canonical
        webecho study graph graph.echo --kind iframe --kind frame --kind area --kind redirect
        webecho sketch in/letters.parquet -o letters.echo --columns none -q
        webecho study graph letters.echo
        webecho study graph letters.echo --edges in/edges.csv --start '#0' --least 0.1
        webecho study graph letters.echo --edges in/hosts.tsv --level host --start core
        webecho study graph letters.echo --edges in/hosts.tsv
        webecho study graph letters.echo --edges in/edges.csv --kind a
        webecho study graph letters.echo --level host
        webecho study graph letters.echo --edges in/nowhere.csv
        webecho study graph letters.echo --edges in/small.csv
        webecho study graph letters.echo --edges in/small.parquet
        webecho study graph letters.echo --kind image
        webecho sketch in/crawl/pages -o crawl.echo --links -q
        webecho study graph crawl.echo --least 0.01
        webecho sketch in/only_images.warc -o empty.echo -q
        webecho study graph empty.echo
        webecho study graph empty.echo --start core
        """,
        pinned=False,
    ),
    case(
        "study-growth",
        """
        webecho sketch in/letters.parquet -o letters.echo --paragraphs --columns none -q
        webecho study growth letters.echo --steps 8 --steps-run 50% --go-on
        """,
    ),
    case(
        "study-growth-more",
        """
        webecho sketch in/graph/pages -o graph.echo --paragraphs -q
        webecho sketch in/letters.parquet -o letters.echo --columns none -q
        webecho study growth graph.echo
        webecho study growth letters.echo --steps 8 --steps-run 50% --go-on --format json
        webecho study growth graph.echo --steps 15 --match paper --seed 2 -o found
        webecho study growth graph.echo --steps 10 --steps-run 0.3
        webecho study growth graph.echo --steps 10 --steps-run 30% --estimate-from letters.echo \\
            --other-steps 4 -o estimated
        webecho study growth graph.echo --steps 6 --estimate-from letters.echo --steps-run 50% \\
            --go-on --format csv -o estimated
        webecho study growth letters.echo
        webecho study growth graph.echo --steps 0
        webecho study growth graph.echo --steps-run 0
        webecho study growth graph.echo --steps-run half
        webecho study growth graph.echo --go-on
        webecho study growth graph.echo --other-steps 3
        webecho study growth graph.echo --estimate-from nowhere.echo
        """,
        pinned=False,
    ),
    # Its tables for people have times, so CSV is printed.
    case(
        "study-replication",
        """
        webecho synth web --pages 40 --as parquet --seed 2 --popular 2 --aliases 5 -q --words 40
        webecho sketch web/pages -o web.echo --columns none -q
        webecho study replication web.echo --pages 5 --rows 3 --format csv
        webecho study replication web.echo web.echo
        webecho study replication web.echo --agree 2
        """,
    ),
    case(
        "study-mirrors",
        """
        webecho synth web --pages 200 --seed 2 -q --words 40
        webecho sketch web/pages -o web.echo -q
        webecho study mirrors web.echo --pages 3
        webecho study mirrors web.echo --count roots --pages 1 --format csv -o roots
        webecho savings web.echo --mirrors web.echo -q
        webecho savings web.echo --mirrors web -q
        webecho study mirrors web.echo web.echo
        webecho study mirrors web.echo --pages 0
        """,
    ),
    case(
        "study-evolution",
        """
        webecho synth web --pages 120 --snapshots 3 --as parquet --seed 3 -q --words 60
        webecho sketch web/1/pages -o 1.echo -q
        webecho sketch web/2/pages -o 2.echo -q
        webecho sketch web/3/pages -o 3.echo -q
        webecho study evolution 1.echo 2.echo 3.echo -o changed
        webecho study evolution 1.echo
        """,
    ),
    case(
        "study-genealogy",
        """
        webecho synth web --pages 300 --reuse --snapshots 3 --as parquet --seed 3 -q
        webecho sketch web/1/pages -o 1.echo --columns none --paragraphs -q
        webecho sketch web/2/pages -o 2.echo --columns none --paragraphs -q
        webecho sketch web/3/pages -o 3.echo --columns none --paragraphs -q
        webecho study genealogy 1.echo 2.echo 3.echo -o kin
        webecho study genealogy 1.echo 3.echo --count paper --least 5 --format csv -o paper
        webecho study genealogy 1.echo
        """,
    ),
    case(
        "study-refusals",
        """
        webecho study
        webecho study nothing
        webecho study mirrors nowhere.echo
        webecho study duplicates
        webecho study duplicates nowhere.echo
        webecho study graph nowhere.echo
        webecho study growth nowhere.echo
        webecho study replication nowhere.echo
        webecho sketch in/letters.parquet -o letters.echo --columns none -q
        webecho study duplicates letters.echo -o letters.echo
        touch file && webecho study duplicates letters.echo -o file
        webecho study duplicates letters.echo --near 0
        webecho study duplicates letters.echo --match strict
        webecho study duplicates letters.echo --compare pixels
        webecho study duplicates letters.echo --memory 50MB
        webecho study graph letters.echo --memory 50MB
        webecho study growth letters.echo --memory 50MB
        webecho study graph letters.echo --tries 0
        webecho study graph letters.echo --least 2
        cp in/letters.parquet gone.parquet
        webecho sketch gone.parquet -o gone.echo --columns none -q
        rm gone.parquet
        webecho study duplicates gone.echo
        """,
        pinned=False,
    ),
]
