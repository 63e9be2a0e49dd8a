"""The files of a made-up crawl, as WARC or as Parquet: the same bytes for the same pages.

What a process needs that makes files is here, and no more: each one loads it anew.
"""

import multiprocessing
import os
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from threading import Thread
from uuid import UUID

import pyarrow as pa
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webecho.synthetic.chance import bits
from webecho.synthetic.content import fetched, later
from webecho.synthetic.documents import documents
from webecho.synthetic.linked import MADE_DOCUMENTS, make_documents
from webecho.synthetic.pages import MADE, MadePage, make_all
from webecho.synthetic.plan import planned
from webecho.synthetic.web import Form, Web
from webecho.workspace.table_files import write_table

ENDINGS: dict[Form, str] = {"warc": "warc.gz", "parquet": "parquet"}
PAGES = pa.schema(
    [
        ("url", pa.string()),
        ("date", pa.timestamp("s", tz="UTC")),
        ("ip", pa.string()),
        ("html", pa.string()),
    ]
)


# The first page of a file, and the plan of its pages.
Piece = tuple[int, pa.Table]


def make_file(web: Web, folder: Path, piece: Piece) -> tuple[pa.Table, int]:
    """Makes and writes one file of the crawl; gives what is true of its pages, and their bytes."""
    first, rows = piece
    if web.graph:
        pages, schema = make_documents(web, documents(rows, first)), MADE_DOCUMENTS
    else:
        pages, schema = make_all(web, planned(rows, first)), MADE
    return write_pages(web, folder, first // web.file_pages, pages, schema)


def write_pages(
    web: Web,
    folder: Path,
    number: int,
    pages: Sequence[MadePage],
    schema: pa.Schema = MADE,
    snapshot: int = 0,
) -> tuple[pa.Table, int]:
    """Writes these pages as the file with this number; gives what is true of them, and their
    bytes."""
    file = folder / f"pages-{number:05}.{ENDINGS[web.form]}"
    if web.form == "parquet":
        write_parquet(file, pages, later(snapshot, web.days))
    else:
        write_warc(file, web, pages, snapshot)
    truth = pa.Table.from_pylist([page.truth for page in pages], schema)
    return truth, sum(len(page.html.encode()) for page in pages)


def end_with_parent() -> None:
    """Ends this process when the one that started it is gone, which else it would not notice."""

    def watch() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def write_parquet(file: Path, pages: Sequence[MadePage], since: timedelta) -> None:
    columns = {
        "url": [page.truth["url"] for page in pages],
        "date": [fetched(page.truth["page"]) + since for page in pages],
        "ip": [page.truth["ip"] for page in pages],
        "html": [page.html for page in pages],
    }
    write_table(file, [pa.table(columns, PAGES)])


def write_warc(file: Path, web: Web, pages: Sequence[MadePage], snapshot: int) -> None:
    """One gzip member a record. Ids come from the seed, and headers of gzip have no time."""
    with file.open("wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="WARC/1.1")
        first = pages[0].truth["page"]
        about = b"software: webecho synth\r\nformat: WARC File Format 1.1\r\n"
        own = {"WARC-Filename": file.name, **id_and_date(web, "file", first, snapshot)}
        writer.write_record(record(writer, "", "warcinfo", about, own))
        for page in pages:
            own = id_and_date(web, "page", page.truth["page"], snapshot)
            if page.truth["ip"] is not None:
                own["WARC-IP-Address"] = page.truth["ip"]
            headers = [("Content-Type", "text/html; charset=utf-8")]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            body = page.html.encode()
            http.add_header("Content-Length", str(len(body)))
            writer.write_record(record(writer, page.truth["url"], "response", body, own, http))


def record(
    writer: WARCWriter,
    url: str,
    kind: str,
    body: bytes,
    own: dict[str, str],
    http: StatusAndHeaders | None = None,
) -> object:
    return writer.create_warc_record(
        url,
        kind,
        payload=BytesIO(body),
        length=len(body),
        http_headers=http,
        warc_headers_dict=own,
        warc_content_type="application/warc-fields" if http is None else "",
    )


def id_and_date(web: Web, what: str, page: int, snapshot: int = 0) -> dict[str, str]:
    """The id and the date of a record."""
    key = (what, page, snapshot) if snapshot else (what, page)
    number = UUID(bytes=bits(16, web.seed, "record", *key), version=4)
    date = fetched(page) + later(snapshot, web.days)
    return {
        "WARC-Record-ID": f"<urn:uuid:{number}>",
        "WARC-Date": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
