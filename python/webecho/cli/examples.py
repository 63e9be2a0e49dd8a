"""An example or two of every verb, as `--help` shows them: what it is for, and the command."""

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "dedup": (
        (
            "Remove near-duplicates, and keep the longest page of each:",
            "webecho dedup crawl.warc.gz -o clean --keep longest",
        ),
        ("Remove only what has the same text:", "webecho dedup pages.parquet -o exact --rule text"),
    ),
    "sketch": (
        (
            "Sketch a crawl, for all verbs that follow:",
            "webecho sketch crawl.warc.gz -o crawl.echo",
        ),
    ),
    "clusters": (
        (
            "Group the pages of which at least two supershingles agree:",
            "webecho clusters crawl.echo --rule very-similar",
        ),
    ),
    "pairs": (
        (
            "Find pairs that resemble each other by at least 0.9:",
            "webecho pairs crawl.echo --resemblance 0.9",
        ),
        ("Find pairs by Algorithm B, to be labelled:", "webecho pairs crawl.echo --rule b"),
    ),
    "overlap": (
        (
            "Find pages that share at least 15 runs of four lines:",
            "webecho overlap crawl.echo --shared 15",
        ),
    ),
    "why": (("Show why the pages 3 and 17 are together:", "webecho why crawl.echo 3 17"),),
    "diff": (("Compare two files:", "webecho diff one.html other.html"),),
    "genealogy": (
        (
            "Show where a page of the later snapshot has its text from:",
            "webecho genealogy old.echo new.echo http://a.example/terms.html",
        ),
    ),
    "savings": (("Tell a crawler what it need not visit:", "webecho savings crawl.echo"),),
    "label": (("Judge a sample of pairs in a browser:", "webecho label crawl.echo --rule b"),),
    "evaluate": (
        ("Tell from the labels how precise the rules are:", "webecho evaluate crawl.echo"),
    ),
    "restore": (("Bring back what revisits stand for:", "webecho restore clean -o whole"),),
    "verify": (("Check that a workspace is what was written:", "webecho verify crawl.echo"),),
    "synth": (("Make 1,000 pages up, as a WARC file:", "webecho synth web --pages 1000"),),
    "completion": (
        ("Complete verbs and options in bash from now on:", "webecho completion bash >> ~/.bashrc"),
    ),
    "study clusters": (("Tell how large clusters are:", "webecho study clusters crawl.echo"),),
    "study duplicates": (
        (
            "Tell how much is duplicated, and draw it:",
            "webecho study duplicates crawl.echo -o figures",
        ),
    ),
    "study evolution": (
        (
            "Tell how clusters change between two snapshots:",
            "webecho study evolution old.echo new.echo -o evolution",
        ),
    ),
    "study genealogy": (
        (
            "Tell which new pages have their text from old ones:",
            "webecho study genealogy old.echo new.echo -o genealogy",
        ),
    ),
    "study graph": (
        (
            "Tell what links reach, and where duplicates are:",
            "webecho study graph crawl.echo --start core",
        ),
    ),
    "study growth": (
        ("Tell how duplicates grow as a collection does:", "webecho study growth crawl.echo"),
    ),
    "study mirrors": (
        ("Tell which hosts have the same pages:", "webecho study mirrors crawl.echo"),
    ),
    "study querylog": (
        (
            "Tell whether queries lead from new pages to the old ones they copy:",
            "webecho study querylog --pair old.echo new.echo --queries log=log.tsv --drop 0 -o log",
        ),
    ),
    "study replication": (("Tell what replicas cost:", "webecho study replication crawl.echo"),),
}
