"""Addresses: the host and the site of a page, and the normal form in which links are compared.

The *host* is the name in an address, in lower case, without user, port and final dot;
internationalised names are in their ASCII form. The *site* of a host is its registered domain
(`registered`, by the public suffix list that is compiled in: no network), or the host less
its first label if it has two dots or more (`henzinger2006`: Henzinger 2006, section 3). An IP
address or a single label is its own site.
"""

import ipaddress
import re
from collections.abc import Callable
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

import idna
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.read.dates import Column

SiteRule = Literal["registered", "henzinger2006"]

_PORTS = {"http": "80", "https": "443", "ftp": "21"}
# The parts of an address after RFC 3986, appendix B; the fragment is dropped.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.DOTALL
)
_AUTHORITY = r"^[\x00-\x20]*[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2}(?P<authority>[^/?#\\]*)"
_HOST = re.compile(r"[a-z0-9._~!$&'()*+,;=-]+|\[[0-9a-f:.]+\]")
_PORT = re.compile(r":([0-9]*)$")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_PLAIN = re.compile(r"[A-Za-z0-9/:?@!$&'()*+,;=._~-]*")
# What stays as it is in a path or query; RFC 3986, section 2.3 says which escapes mean nothing.
_KEPT = "%/:?@!$&'()*+,;=~[]|"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_CONTROL = dict.fromkeys((9, 10, 13))
_BLANK = "".join(map(chr, range(33)))


def hosts(urls: Column) -> Column:
    """The host of each address; null where there is none."""
    parts = pc.extract_regex(urls.cast(pa.string()), _AUTHORITY)
    return _by_value(pc.struct_field(parts, "authority"), lambda found: _host(found)[0])


def sites(names: Column, rule: SiteRule) -> Column:
    """The site of each host, by the given rule."""
    return _by_value(names, _registered if rule == "registered" else _less_first_label)


def host_of(url: str | None) -> str | None:
    """The host of one address, as `hosts` gives it."""
    authority = _parts(_cleaned(url)).authority if url else None
    return _host(authority)[0] if authority else None


def site_of(url: str | None, rule: SiteRule = "registered") -> str | None:
    """The site of one address."""
    host = host_of(url)
    if host is None:
        return None
    return _registered(host) if rule == "registered" else _less_first_label(host)


def _by_value(column: Column, of: Callable[[str], str | None]) -> Column:
    # There are far fewer hosts than pages.
    unique = column.cast(pa.string()).dictionary_encode()
    found = pa.array([of(value) for value in unique.dictionary.to_pylist()], pa.string())
    return found.take(unique.indices)


def _host(authority: str) -> tuple[str | None, str]:
    """The host and the port of the authority part; no host if it cannot be one."""
    name = authority.rpartition("@")[2]
    port = ""
    if found := _PORT.search(name):
        name, port = name[: found.start()], found[1].lstrip("0")
    name = name.lower()
    if "%" in name:
        name = unquote(name, errors="replace").lower()
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            return None, port
    name = name.rstrip(".")
    return (name if _HOST.fullmatch(name) else None), port


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _registered(name: str) -> str:
    return name if _is_ip(name) else _core.registered(name)


def _less_first_label(name: str) -> str:
    return name.partition(".")[2] if name.count(".") >= 2 and not _is_ip(name) else name


class _Parts(NamedTuple):
    scheme: str | None
    authority: str | None
    path: str
    query: str | None


def _parts(url: str) -> _Parts:
    found = _PARTS.match(url)
    if found is None:
        return _Parts(None, None, url, None)
    scheme, authority, path, query = found.groups()
    return _Parts(scheme.lower() if scheme else None, authority, path, query)


def normal(url: str, base: str | None = None) -> str | None:
    """The absolute address in the one form in which links are compared; None if it has none.

    Scheme and host are in lower case, the scheme's own port, user, fragment and an empty query are
    dropped, dot segments are resolved, escapes are as RFC 3986 would have them, and an empty path
    is `/`. Only http, https and ftp addresses have a normal form. Session ids stay.
    """
    parts = _parts(_cleaned(url))
    if base is not None and (parts.scheme is None or parts.authority is None):
        parts = _resolved(parts, _parts(_cleaned(base)))
    scheme, authority, path, query = parts
    if scheme not in _PORTS or authority is None:
        return None
    name, port = _host(authority)
    if name is None or len(port) > 5 or int(port or 0) > 65535:
        return None
    where = name if port in ("", _PORTS[scheme]) else f"{name}:{port}"
    asked = f"?{_escaped(query)}" if query else ""
    return f"{scheme}://{where}{_without_dots(_escaped(path))}{asked}"


def _cleaned(url: str) -> str:
    """Without what browsers ignore: blanks around it, line breaks in it; `\\` is `/` to them."""
    url = url.strip(_BLANK).translate(_CONTROL)
    if "\\" in url:
        before, mark, query = url.partition("?")
        url = before.replace("\\", "/") + mark + query
    return url


def _resolved(link: _Parts, base: _Parts) -> _Parts:
    """RFC 3986, section 5.2.2, with its leave to read `http:page` as relative."""
    if link.scheme is not None and link.scheme != base.scheme:
        return link
    if link.authority is not None:
        return link._replace(scheme=base.scheme)
    if not link.path:
        query = base.query if link.query is None else link.query
        return _Parts(base.scheme, base.authority, base.path, query)
    path = link.path
    if not path.startswith("/"):
        path = base.path.rpartition("/")[0] + "/" + path
    return _Parts(base.scheme, base.authority, path, link.query)


def _escaped(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    text = quote(text, safe=_KEPT, errors="replace")
    # A percent sign that starts no escape means itself.
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return _ESCAPE.sub(_plain_escape, text)


def _plain_escape(found: re.Match[str]) -> str:
    sign = chr(int(found[0][1:], 16))
    return sign if sign in _UNRESERVED else found[0].upper()


def _without_dots(path: str) -> str:
    """RFC 3986, section 5.2.4."""
    if "/." not in path:
        return path if path.startswith("/") else f"/{path}"
    kept: list[str] = []
    parts = path.removeprefix("/").split("/")
    for part in parts:
        if part == "..":
            del kept[-1:]
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)
