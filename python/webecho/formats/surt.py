"""*SURT*: an address as indexes of captures sort it, the host from its end and all in lower case.

The rules are those of the web archives (wayback, pywb): a host less its `www`, no user, no default
port, no fragment, escapes undone and made anew, sessions left out, queries in order.
"""

import re
from contextlib import suppress
from urllib.parse import quote_from_bytes, unquote_to_bytes

_ADDRESS = re.compile(
    rb"(?P<scheme>[a-z][a-z0-9+.-]*):(?://(?:[^/?#@]*@)?(?P<host>\[[^\]]*\]|[^:/?#]*)"
    rb"(?::(?P<port>\d*))?)?(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?",
    re.IGNORECASE | re.DOTALL,
)
_SPACE = re.compile(rb"[\r\n\t]")
_WWW = re.compile(rb"www\d*\.")
_PORTS = {b"http": b"80", b"https": b"443"}
_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SESSIONS = tuple(
    re.compile(rb"^(.*)(?:" + each + rb")(?:&(.*))?$", re.IGNORECASE | re.DOTALL)
    for each in (
        rb"jsessionid=[0-9a-z]{32}",
        rb"phpsessid=[0-9a-z]{32}",
        rb"sid=[0-9a-z]{32}",
        rb"ASPSESSIONID[a-z]{8}=[a-z]{24}",
        rb"cfid=[^&]+&cftoken=[^&]+",
    )
)
_PATH_SESSION = re.compile(
    rb"^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)|\([0-9a-z]{24}\))/([^?]+\.aspx.*)$",
    re.IGNORECASE | re.DOTALL,
)


def surt(url: str) -> str:
    """The key of an address; one that has no host is its own."""
    address = _SPACE.sub(b"", url.strip().encode("utf-8", "surrogateescape"))
    found = _ADDRESS.match(address)
    if found is None or not found["host"]:
        return address.decode("utf-8", "replace").replace(" ", "%20")
    key = _host(found["host"])
    port = found["port"] or b""
    if port and port != _PORTS.get(found["scheme"].lower()):
        key += b":" + port
    key += b")" + _path(found["path"])
    query = _query(found["query"] or b"")
    return (key + (b"?" + query if query else b"")).decode("ascii")


def _host(host: bytes) -> bytes:
    host = _unescaped(host.strip(b"[]"))
    if not host.isascii():
        with suppress(UnicodeError):
            host = host.decode("utf-8", "ignore").encode("idna")
    host = _escaped(host.replace(b"..", b".").strip(b".").lower())
    www = _WWW.match(host)
    host = host[www.end() :] if www else host
    return b",".join(reversed(host.split(b".")))


def _path(path: bytes) -> bytes:
    kept: list[bytes] = []
    _, *names = _unescaped(path).split(b"/")
    for name in names:
        if name == b".." and kept:
            kept.pop()
        elif name != b".":
            kept.append(name)
    # Slashes that follow each other are one, the last of the path stays for now.
    last = kept.pop() if kept else b""
    made = _escaped(b"/" + b"".join(name + b"/" for name in kept if name) + last).lower()
    session = _PATH_SESSION.match(made)
    made = session[1] + session[2] if session else made
    return made[:-1] if made.endswith(b"/") and len(made) > 1 else made


def _query(query: bytes) -> bytes:
    query = _escaped(_unescaped(query))
    for session in _SESSIONS:
        if found := session.match(query):
            query = found[1] + (found[2] or b"")
    fields = (tuple(each.split(b"=", 1)) for each in query.lower().split(b"&"))
    return b"&".join(b"=".join(each) for each in sorted(fields))


def _unescaped(data: bytes) -> bytes:
    while (once := unquote_to_bytes(data)) != data:
        data = once
    return data


def _escaped(data: bytes) -> bytes:
    return quote_from_bytes(data, safe=_SAFE).encode("ascii")
