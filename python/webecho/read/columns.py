"""Which columns of a table hold the text or HTML, the address, the id and the date of a page.

What the user names is taken. What is not named is found by itself: for each *role* (text, html,
url, id, date) the first of the names below that the table has, whatever its case and whether
written with `-`, `_` or a space, if its type can be right. HTML goes before text, for it is the
page itself and text was made from it; the printed choice says so when both are there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from webecho.errors import InputError, Message, Setting, setting
from webecho.read.rows import is_bytes, is_text

Role = Literal["text", "html", "url", "id", "date", "by", "values", "ranked"]
Path = tuple[str, ...]

NAMES: dict[Role, tuple[str, ...]] = {
    "text": (
        *("text", "content", "raw_content", "body", "document", "plain_text", "maintext"),
        *("page_content", "extracted_text", "contents", "article", "passage"),
    ),
    "html": ("html", "raw_html", "html_content", "page_html", "page", "raw_page"),
    "url": (
        *("url", "uri", "link", "source_url", "page_url", "warc_target_uri", "target_uri"),
        *("address", "href", "permalink", "location"),
    ),
    "id": (
        *("id", "doc_id", "docid", "document_id", "_id", "page_id", "record_id"),
        *("warc_record_id", "uuid", "guid", "docno", "key"),
    ),
    "date": (
        *("date", "fetched", "timestamp", "crawl_date", "warc_date", "fetch_time", "fetched_at"),
        *("fetch_date", "crawled_at", "crawl_time", "crawl_timestamp", "date_download"),
        *("retrieved", "created", "published", "time"),
    ),
}
# How the user names the column for a role, where it is not called as the role is.
SETTINGS = {
    "by": Setting("--by or --losses-by", "by= or losses_by="),
    "values": setting("keep").to("max:COLUMN or min:COLUMN"),
    "ranked": setting("keep").to("rank:COLUMN=VALUE,…"),
}


@dataclass(frozen=True)
class ColumnNames:
    """The columns as the user names them; a field within a column as `column.field`."""

    text: str | None = None
    html: str | None = None
    url: str | None = None
    id: str | None = None
    date: str | None = None
    by: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    ranked: tuple[str, ...] = ()

    @property
    def named(self) -> list[str]:
        """All names that were given."""
        one = (self.text, self.html, self.url, self.id, self.date)
        return [*filter(None, one), *self.by, *self.values, *self.ranked]


@dataclass(frozen=True)
class Field:
    """A column, or a field inside one. `type` is None where values are of no one type."""

    path: Path
    type: pa.DataType | None = None

    @property
    def name(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True)
class Chosen:
    """The columns that pages are read from."""

    body: Path
    markup: bool
    url: Path | None = None
    id: Path | None = None
    date: Path | None = None
    by: tuple[Path, ...] = ()
    values: tuple[Path, ...] = ()
    ranked: tuple[Path, ...] = ()
    # A text column that was there too, when HTML was chosen without being named.
    passed_over: Path | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """Every chosen column once."""
        one = (self.body, self.url, self.id, self.date)
        found = (*one, *self.by, *self.values, *self.ranked)
        return tuple(dict.fromkeys(path for path in found if path is not None))

    def line(self) -> str:
        """The choice in words, such as `text = content, url = uri`."""
        roles: dict[str, Path | None] = {"html" if self.markup else "text": self.body}
        roles |= {"url": self.url, "id": self.id, "date": self.date}
        named = [(role, path) for role, path in roles.items() if path]
        named += [("groups", path) for path in self.by]
        named += [("keep", path) for path in dict.fromkeys((*self.values, *self.ranked))]
        words = ", ".join(f"{role} = {'.'.join(path)}" for role, path in named)
        if self.passed_over:
            name = ".".join(self.passed_over)
            instead = setting("text").to(name, repr(name))
            return Message(f"{words} (", instead, " would read that column instead)")
        return words


def fields_of(schema: pa.Schema) -> list[Field]:
    """The columns of a table, and after them the fields inside its columns."""
    top = [Field((field.name,), field.type) for field in schema]
    return top + [inner for field in top for inner in _inside(field)]


def _inside(field: Field) -> Iterable[Field]:
    if field.type is not None and pa.types.is_struct(field.type):
        for index in range(field.type.num_fields):
            child = field.type.field(index)
            inner = Field((*field.path, child.name), child.type)
            yield inner
            yield from _inside(inner)


def choose(fields: Sequence[Field], given: ColumnNames, where: str) -> Chosen:
    """The column for each role; raises `InputError` if the text, or what is named, is absent."""
    if given.text and given.html:
        raise InputError(
            *(f"{where}: ", setting("text").to(given.text), " and "),
            *(setting("html").to(given.html), " are both given;"),
            " a page is read from one of them, leave the other out",
        )
    named = {role: _named(fields, role, getattr(given, role), where) for role in NAMES}
    html, text = named["html"], named["text"]
    passed_over = None
    if html is None and text is None:
        html, text = _found(fields, "html"), _found(fields, "text")
        if html and text:
            passed_over, text = text.path, None
    body = html or text
    if body is None:
        raise InputError(
            f"{where}: no column of text or HTML was recognised{_of_other_types(fields)}; name it "
            "with ",
            *(setting("text"), " or ", setting("html"), f". {_listing(fields)}"),
        )

    def other(role: Role) -> Path | None:
        field = named[role] or _found(fields, role)
        return field.path if field else None

    return Chosen(
        body.path,
        html is not None,
        other("url"),
        other("id"),
        other("date"),
        by=_all_named(fields, "by", given.by, where),
        values=_all_named(fields, "values", given.values, where),
        ranked=_all_named(fields, "ranked", given.ranked, where),
        passed_over=passed_over,
    )


def _all_named(
    fields: Sequence[Field], role: Role, names: Sequence[str], where: str
) -> tuple[Path, ...]:
    found = (_named(fields, role, name, where) for name in names)
    return tuple(field.path for field in found if field is not None)


def _named(fields: Sequence[Field], role: Role, name: str | None, where: str) -> Field | None:
    if name is None:
        return None
    exact = [field for field in fields if field.name == name]
    alike = [field for field in fields if _plain(field.name) == _plain(name)]
    for field in (*exact, *alike):
        if _fits(role, field.type):
            return field
    if found := (*exact, *alike):
        raise InputError(
            f"{where}: the column {found[0].name!r} is of type {found[0].type}"
            f" and cannot be the {role}; name another with ",
            *(SETTINGS.get(role, setting(role)), f". {_listing(fields)}"),
        )
    raise InputError(
        f"{where}: there is no column {name!r}; name another with ",
        *(SETTINGS.get(role, setting(role)), f". {_listing(fields)}"),
    )


def _found(fields: Sequence[Field], role: Role) -> Field | None:
    top: dict[str, Field] = {}
    for field in fields:
        if len(field.path) == 1 and _fits(role, field.type):
            top.setdefault(_plain(field.name), field)
    return next((top[name] for name in NAMES[role] if name in top), None)


def _of_other_types(fields: Sequence[Field]) -> str:
    """Which columns are called as if they were, and why they are not, if there are any."""
    names = {*NAMES["html"], *NAMES["text"]}
    found = [each for each in fields if len(each.path) == 1 and _plain(each.name) in names]
    told = ", ".join(f"{each.name!r} is of type {each.type}" for each in found)
    return f" ({told}, and no text)" if told else ""


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _fits(role: Role, kind: pa.DataType | None) -> bool:
    if kind is None or pa.types.is_null(kind):
        return True
    if pa.types.is_dictionary(kind):
        return _fits(role, kind.value_type)
    if role in ("id", "by", "ranked"):
        return not pa.types.is_nested(kind)
    if role == "values" and pa.types.is_boolean(kind):
        return True
    if role in ("date", "values"):
        number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
        number = number or pa.types.is_decimal(kind)
        return bool(
            number or pa.types.is_timestamp(kind) or pa.types.is_date(kind) or is_text(kind)
        )
    return is_text(kind) or is_bytes(kind)


def _listing(fields: Sequence[Field]) -> str:
    names = [field.name for field in fields]
    if not names:
        return "It has no columns."
    more = f", and {len(names) - 40} more" if len(names) > 40 else ""
    return f"Its columns: {', '.join(names[:40])}{more}"
