import pyarrow as pa
import pytest

from webecho.errors import InputError
from webecho.read.columns import Chosen, ColumnNames, Field, choose, fields_of

FOUND = ColumnNames()


def line(schema: dict[str, pa.DataType], given: ColumnNames = FOUND) -> str:
    return choose(fields_of(pa.schema(schema)), given, "a.parquet").line()


TEXT, INT, TIME = pa.string(), pa.int64(), pa.timestamp("us")


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"id": INT, "url": TEXT, "text": TEXT}, "text = text, url = url, id = id"),
        # C4, RedPajama, FineWeb, OSCAR and Common Crawl name them in these ways.
        (
            {"text": TEXT, "timestamp": TEXT, "url": TEXT},
            "text = text, url = url, date = timestamp",
        ),
        ({"raw_content": TEXT, "doc_id": TEXT}, "text = raw_content, id = doc_id"),
        ({"content": TEXT, "WARC-Target-URI": TEXT}, "text = content, url = WARC-Target-URI"),
        ({"Url": TEXT, "HTML": pa.binary()}, "html = HTML, url = Url"),
        ({"page": pa.large_binary(), "crawl_date": TIME}, "html = page, date = crawl_date"),
        # The earlier name in the list wins, not the earlier column.
        ({"body": TEXT, "text": TEXT, "uri": TEXT, "url": TEXT}, "text = text, url = url"),
    ],
)
def test_sensible_names_are_found(schema: dict[str, pa.DataType], said: str) -> None:
    assert line(schema) == said


def test_a_name_with_the_wrong_type_is_passed_over() -> None:
    assert line({"page": INT, "text": TEXT}) == "text = text"
    assert (
        line({"text": TEXT, "date": pa.bool_(), "fetched": TIME}) == "text = text, date = fetched"
    )
    assert line({"text": TEXT, "id": pa.list_(INT), "docid": INT}) == "text = text, id = docid"


def test_html_goes_before_text_and_says_so() -> None:
    both = {"text": TEXT, "html": TEXT}
    assert line(both) == "html = html (--text text would read that column instead)"
    assert line(both, ColumnNames(text="text")) == "text = text"
    assert line(both, ColumnNames(html="html")) == "html = html"


def test_what_is_named_is_taken() -> None:
    schema = {"text": TEXT, "b": TEXT, "u": TEXT, "url": TEXT, "n": INT, "when": INT}
    given = ColumnNames(text="b", url="u", id="n", date="when")
    assert line(schema, given) == "text = b, url = u, id = n, date = when"
    assert line(schema, ColumnNames(text="B")) == "text = b, url = url"


def test_fields_inside_columns_can_be_named() -> None:
    inner = pa.struct({"url": TEXT, "more": pa.struct({"id": INT})})
    schema = {"text": TEXT, "meta": inner}
    assert line(schema) == "text = text"
    given = ColumnNames(url="meta.url", id="meta.more.id")
    chosen = choose(fields_of(pa.schema(schema)), given, "a.parquet")
    assert chosen == Chosen(("text",), False, ("meta", "url"), ("meta", "more", "id"))


def test_a_column_with_a_dot_in_its_name_goes_before_a_field_inside() -> None:
    fields = fields_of(pa.schema({"text": TEXT, "m": pa.struct({"url": TEXT}), "m.url": TEXT}))
    assert choose(fields, ColumnNames(url="m.url"), "a").url == ("m.url",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (ColumnNames(url="adress"), "there is no column 'adress'; name another with --url"),
        (ColumnNames(text="n"), "the column 'n' is of type int64 and cannot be the text"),
        (ColumnNames(text="t", html="t"), "--text t and --html t are both given"),
        (FOUND, "name it with --text or --html. Its columns: t, n"),
    ],
)
def test_errors_name_the_input_the_columns_and_the_flag(given: ColumnNames, message: str) -> None:
    with pytest.raises(InputError) as caught:
        line({"t": TEXT, "n": INT}, given)
    assert str(caught.value).startswith("a.parquet: ")
    assert message in str(caught.value)


def test_a_wide_table_is_not_listed_whole() -> None:
    with pytest.raises(InputError, match=r"c39, and 60 more$"):
        choose([Field((f"c{number}",)) for number in range(100)], FOUND, "a")


def test_a_column_that_is_called_text_and_is_none_is_named() -> None:
    fields = fields_of(pa.schema({"Text": pa.int64(), "page": pa.bool_(), "n": pa.int64()}))
    with pytest.raises(InputError) as told:
        choose(fields, ColumnNames(), "in.parquet")
    assert str(told.value) == (
        "in.parquet: no column of text or HTML was recognised ('Text' is of type int64, 'page' is "
        "of type bool, and no text); name it with --text or --html. Its columns: Text, page, n"
    )
