"""The files of a made-up crawl, as WARC or as Parquet: the same bytes for the same pages."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from uuid import UUID

import pyarrow as pa
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from webecho.made_up.chance import bits
from webecho.made_up.content import fetched
from webecho.made_up.pages import MadePage
from webecho.made_up.web import Form
from webecho.sketches.tables import write_table

ENDINGS: dict[Form, str] = {"warc": "warc.gz", "parquet": "parquet"}
PAGES = pa.schema(
    [
        ("url", pa.string()),
        ("date", pa.timestamp("s", tz="UTC")),
        ("ip", pa.string()),
        ("html", pa.string()),
    ]
)


def file_name(number: int, form: Form) -> str:
    return f"pages-{number:05}.{ENDINGS[form]}"


def write_pages(file: Path, form: Form, seed: int, pages: Sequence[MadePage]) -> None:
    """Writes one file of the crawl."""
    if form == "parquet":
        write_parquet(file, pages)
    else:
        write_warc(file, seed, pages)


def write_parquet(file: Path, pages: Sequence[MadePage]) -> None:
    columns = {
        "url": [page.truth["url"] for page in pages],
        "date": [fetched(page.truth["page"]) for page in pages],
        "ip": [page.truth["ip"] for page in pages],
        "html": [page.html for page in pages],
    }
    write_table(file, [pa.table(columns, PAGES)])


def write_warc(file: Path, seed: int, pages: Sequence[MadePage]) -> None:
    """One gzip member a record. Ids come from the seed, and headers of gzip have no time."""
    with file.open("wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="WARC/1.1")
        first = pages[0].truth["page"]
        about = b"software: webecho synth\r\nformat: WARC File Format 1.1\r\n"
        own = {"WARC-Filename": file.name, **id_and_date(seed, "file", first)}
        writer.write_record(record(writer, "", "warcinfo", about, own))
        for page in pages:
            own = {
                **id_and_date(seed, "page", page.truth["page"]),
                "WARC-IP-Address": page.truth["ip"],
            }
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


def id_and_date(seed: int, what: str, page: int) -> dict[str, str]:
    """The id and the date of a record."""
    number = UUID(bytes=bits(16, seed, "record", what, page), version=4)
    return {
        "WARC-Record-ID": f"<urn:uuid:{number}>",
        "WARC-Date": fetched(page).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
