"""`webecho.synth`."""

import os
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa

from webecho.errors import in_python
from webecho.synthetic.making import write_web
from webecho.synthetic.web import Form, Web


@in_python()
def synth(
    out: str | os.PathLike[str],
    *,
    pages: int = Web.pages,
    seed: int = Web.seed,
    form: Form = Web.form,
    words: int = Web.words,
    power: float = Web.power,
    duplicates: float = Web.duplicates,
    families: Mapping[str, float] | None = None,
    graph: bool = Web.graph,
    components: Mapping[str, float] | None = None,
    force: bool = False,
    threads: int = 1,
) -> pa.Table:
    """The truth about a made-up web, a row a page; its crawl is written to `out/pages` and the
    truth to `out/truth.parquet`. `families` says what families are made of, with shares. With
    `graph` pages are documents of whole paragraphs, linked as a bow tie of `components`, with
    shares.

    More than one of the `threads`, which are processes here, need the calling program to guard its
    own start by `if __name__ == "__main__"`, as always with multiprocessing.
    """
    made_of = Web.families if families is None else tuple(families.items())
    parts = Web.components if components is None else tuple(components.items())
    web = Web(
        *(pages, seed, words, power, duplicates, form),
        families=made_of,
        graph=graph,
        components=parts,
    )
    return write_web(web, Path(out), force=force, processes=threads)
