"""*Version*: a page as it was at the time of a snapshot, made from its URL's life alone."""

from dataclasses import replace
from typing import NamedTuple

from webecho.synthetic.chance import bits
from webecho.synthetic.content import Content, content
from webecho.synthetic.evolving.lives import Address, Shown, moment, shown
from webecho.synthetic.evolving.mirrored import FOLDERS
from webecho.synthetic.evolving.rewriting import rewritten
from webecho.synthetic.hosts import alias_name, host_name, path, template_of
from webecho.synthetic.languages import vocabulary
from webecho.synthetic.markup import html, visible
from webecho.synthetic.plan import KIND, Planned
from webecho.synthetic.web import KINDS, Web

# What differs on every visit, whatever else happens.
VOLATILE = tuple(KIND[name] for name in ("time stamp", "execution time", "visitor count"))
# From each snapshot to the next so many visits are counted.
VISITS = 1 << 12


class Version(NamedTuple):
    """A page at one time."""

    html: str
    said: Content
    state: Shown
    seen: str  # all that a reader sees, in order


def version(web: Web, address: Address, snapshot: int) -> Version:
    """What the URL shows in a snapshot."""
    state = shown(web, address, snapshot)
    row = planned_version(web, address, snapshot, state)
    template = template_of(web, state.home)
    said = content(web, row)
    words = vocabulary(web.seed, template.language)
    for edit in state.edits:
        said = rewritten(said, edit.how, words, web.seed, "rewritten", edit.owner, edit.snapshot)
    if (session := session_of(web, address)) is not None:
        said = replace(said, planted={"session_id": session})
    layout = state.layout + (address.member % 2 if KINDS[row.kind] == "exact copy" else 0)
    body = html(template, said, address.place, layout, web.seed, state.text)
    return Version(body, said, state, visible(template, said))


def planned_version(web: Web, address: Address, snapshot: int, state: Shown) -> Planned:
    """The plan of a page that says what is to be said in a snapshot, before it was changed."""
    steps = moment(address, snapshot) - 1
    family_kind, kind, member = address.family_kind, address.kind, address.member
    if state.family != address.family:
        family_kind = kind = KIND["original"]
    elif family_kind in VOLATILE:
        member += VISITS * steps
    return Planned(
        # A page that tells the time tells that of its snapshot.
        address.number + steps * web.days * 24 * 60 * 60,
        state.text,
        *(family_kind, member, kind if kind < len(KINDS) else KIND["mirror"]),
        *(address.host, address.place, state.home, address.home_place),
    )


def session_of(web: Web, address: Address) -> str | None:
    """The session that is in the URL, and so the same in all snapshots."""
    if KINDS[address.family_kind] != "session id":
        return None
    return bits(8, web.seed, "session id", address.family, address.member).hex()


def host_of(web: Web, host: int, name: int) -> str:
    return alias_name(web.seed, host, name) if name else host_name(web.seed, host)


def url_of(web: Web, address: Address) -> str:
    session = session_of(web, address)
    host = host_of(web, address.host, address.name)
    query = f"?sid={session}" if session else ""
    return f"http://{host}{FOLDERS[address.folder]}{path(address.place)}{query}"


def original_of(address: Address, state: Shown) -> Address:
    """The address that the text which a URL shows was written for; it need not exist."""
    joined = state.family == address.joined
    home = address.joined_home if joined else address.home
    return address._replace(
        number=state.family,
        family=state.family,
        family_kind=KIND["original"] if joined else address.family_kind,
        member=0,
        kind=0,
        host=home,
        place=address.home_place,
        home=home,
        lag=0,
        rate=-1,
        pace=0 if joined else address.pace,
        own=0,
        joins=0,
    )


def is_own(address: Address, state: Shown) -> bool:
    """Whether the text was written for this URL alone, and not for its family or another."""
    shared = (address.joined, address.family if address.member else None)
    return state.family not in shared
