from webecho._core import Wanted
from webecho.read.judge import WarcOptions


def judged(options: WarcOptions, status: bytes, kind: bytes) -> str:
    """The reason why a response of this status and type is skipped, or that it is wanted."""
    fields = {b"warc-type": b"response", b"content-type": b"application/http"}
    head = b"HTTP/1.1 " + status + b" x\r\nContent-Type: " + kind + b"\r\n\r\n"
    found = options.judge().judge(fields, head, len(head))
    return "wanted" if isinstance(found, Wanted) else str(found[0])


def test_html_and_plain_text_of_status_200_are_pages() -> None:
    found = [
        judged(WarcOptions(), status, kind)
        for status, kind in (
            (b"200", b"text/html; charset=utf-8"),
            (b"200", b"application/xhtml+xml"),
            (b"200", b"text/plain"),
            (b"200", b"text/css"),
            (b"404", b"text/html"),
        )
    ]
    assert found == ["wanted", "wanted", "wanted", "type", "status"]


def test_other_statuses_and_types_can_be_chosen() -> None:
    options = WarcOptions((404,), ("text/*",))
    assert judged(options, b"404", b"text/css") == "wanted"
    assert judged(options, b"200", b"text/css") == "status"
    assert judged(options, b"404", b"application/pdf") == "type"


def test_a_type_with_a_converter_is_wanted() -> None:
    options = WarcOptions(convert={"application/pdf": "pdftotext - -"})
    assert judged(options, b"200", b"application/pdf") == "wanted"
