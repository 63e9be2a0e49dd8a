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
from typing import Literal
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.read.dates import Column

SiteRule = Literal["registered", "henzinger2006"]

_AUTHORITY = r"^[\x00-\x20]*[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2}(?P<authority>[^/?#\\]*)"
_HOST = re.compile(r"[a-z0-9._~!$&'()*+,;=-]+|\[[0-9a-f:.]+\]")
_PORT = re.compile(r":([0-9]*)$")


def hosts(urls: Column) -> Column:
    """The host of each address; null where there is none."""
    parts = pc.extract_regex(urls.cast(pa.string()), _AUTHORITY)
    return _by_value(pc.struct_field(parts, "authority"), lambda found: _host(found)[0])


def sites(names: Column, rule: SiteRule) -> Column:
    """The site of each host, by the given rule."""
    return _by_value(names, _registered if rule == "registered" else _less_first_label)


def host_of(url: str | None) -> str | None:
    """The host of one address, as `hosts` gives it."""
    found = re.match(_AUTHORITY, url) if url else None
    return _host(found["authority"])[0] if found else None


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
        # Here, since its tables take as long to load as a reader, and few hosts need them.
        import idna

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


def host_names(names: Column) -> Column:
    """Hosts as `hosts` gives them, of what may be an address or a host alone."""
    return _by_value(names, lambda name: host_of(name) if "//" in name else _host(name.strip())[0])


def path_addresses(paths: Column) -> Column:
    """The paths of the pages of a folder as addresses, in which no sign of a name means anything.

    They have no host: links between the pages of a folder lead from path to path.
    """
    for sign in "%?#\\":
        paths = pc.replace_substring(paths, sign, f"%{ord(sign):02X}")
    return pc.binary_join_element_wise("/", pc.utf8_ltrim(paths, "/"), "")


def normal(url: str, base: str | None = None) -> str | None:
    """The absolute address in the one form in which links are compared; None if it has none.

    What that form is stands in `rust/src/addresses.rs`.
    """
    return _core.normal_address(url, base)
