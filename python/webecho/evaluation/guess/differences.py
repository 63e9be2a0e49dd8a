"""*Kind of difference*: why two pages differ, guessed from the words that do and the text around.

A guess is no label. It saves a labeller work, and fills the tables of reasons (Henzinger 2006,
Tables 3, 4, 6 and 7) where nobody has labelled; whatever shows it must call it a guess.

Every change between two pages is explained by itself, by the first of these that fits:

| reason | the words that differ |
| --- | --- |
| `invisible` | are hidden on both pages, or are images of a layout |
| `form` | stand in text areas or menus |
| `url` | are parts of their page's own host, or of its address where the text shows an address |
| `execution-time`, `message-id`, `session-id`, `time-stamp`, `visitor-count`, `server-name` | look
like one, and what stands around them says so |
| `minor-item` | stand beside the main content |
| `main-item` | none of these |

A version number is `other`: neither harmless by the paper's list nor another main item. Two entry
pages of one site are `entry-page` where a change has no other explanation; the same words in
another order are `other` too; pages that cannot be read again are `cannot-evaluate`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from webecho.evaluation.guess.context import Context, around
from webecho.evaluation.guess.dates import is_date_or_time
from webecho.evaluation.label.page_text import Change, PageText, Place
from webecho.evaluation.label.reasons import Judgement, fitting, implied
from webecho.read.urls import host_of, site_of

# More changes than this are of the content, whatever each of them is.
MOST = 400
# Words, and characters, of a change that may still be an id, a name or a date.
LONGEST, WIDEST = 16, 300
# Letters that are no part of a host by chance.
SPELT = 4
# What stands behind this share of a page's words, and is less than that share of them, is minor.
BOTTOM, SMALL = 0.9, 0.05


def guess(left: PageText, right: PageText, changes: Sequence[Change]) -> Judgement:
    """Why two pages probably differ, `changes` being all that does."""
    if left.tokens is None or right.tokens is None:
        return Judgement("undecided", ("cannot-evaluate",))
    if not changes:
        # Only markup differs: it is seen by no reader of the text.
        return Judgement("correct", ("invisible",))
    if len(changes) > MOST:
        reasons = {"main-item"}
    else:
        reasons = {
            explain(left, right, piece)
            for change in changes
            for piece in pieces(left, right, change)
        }
    if "main-item" in reasons:
        if is_entry(left.url) and is_entry(right.url) and site_of(left.url) == site_of(right.url):
            reasons = (reasons - {"main-item"}) | {"entry-page"}
        elif is_reordered(left, right, changes):
            reasons = (reasons - {"main-item"}) | {"other"}
    label = implied(reasons)
    if label == "incorrect":
        # Whatever else differs does not matter beside that.
        reasons = {"main-item"}
    return Judgement(label, fitting(label, reasons))


def pieces(left: PageText, right: PageText, change: Change) -> list[Change]:
    """A change line by line, and place by place, if both pages have as many of them there: things
    that have nothing to do with each other may differ side by side."""
    ours, theirs = parted(left, *change.left), parted(right, *change.right)
    if len(ours) != len(theirs):
        return [change]
    return [Change(one, other) for one, other in zip(ours, theirs, strict=True)]


def parted(reading: PageText, first: int, last: int) -> list[tuple[int, int]]:
    cuts = [
        word
        for word in range(first + 1, last)
        if reading.places[word] != reading.places[word - 1]
        or "\n" in reading.text[reading.ends[word - 1] : reading.starts[word]]
    ]
    return list(pairwise([first, *cuts, last]))


def explain(left: PageText, right: PageText, change: Change) -> str:
    """The reason for one change."""
    places = {*left.places[slice(*change.left)], *right.places[slice(*change.right)]}
    words = (*left.words[slice(*change.left)], *right.words[slice(*change.right)])
    if places == {Place.HIDDEN} or (
        places <= {Place.IMAGE, Place.HIDDEN} and all(map(LAYOUT.search, words))
    ):
        return "invisible"
    if places == {Place.FORM}:
        return "form"
    sides = [around(left, *change.left), around(right, *change.right)]
    given = [side for side in sides if side.words]
    if all(len(side.words) <= LONGEST and side.end - side.start <= WIDEST for side in given):
        if len(given) == 2 and is_address_of_each(*given):
            return "url"
        for reason, fits in KINDS:
            # Where one page has nothing there is mostly no other id, count or name, but more text.
            if all(fits(side) for side in given) and (len(given) == 2 or reason in ALONE):
                return reason
    if places <= {Place.MARGIN, Place.IMAGE, Place.HIDDEN} or is_at_bottom(left, right, change):
        return "minor-item"
    return "main-item"


# Images that no visitor notices.
LAYOUT = re.compile(
    r"spacer|blank|clear(?:pixel|gif|dot)?\.|pixel|shim|transparent|trans\.gif|1x1|dot\.gif"
    r"|corner|border|counter|count\.|hit\.|track|beacon",
    re.IGNORECASE,
)


def is_address_of_each(left: Context, right: Context) -> bool:
    """Whether on either page the words are parts of its own address."""
    hosts = host_of(left.url) != host_of(right.url) and is_own_host(left) and is_own_host(right)
    return hosts or (is_own_address(left) and is_own_address(right))


def is_own_host(side: Context) -> bool:
    """Whether the words are parts of the page's own host, or make them without a space."""
    host = host_of(side.url) or ""
    joined = "".join(side.words).lower()
    bare = host.replace("-", "").replace(".", "")
    labels = re.split(r"[.-]", host)
    return all(word.lower() in labels for word in side.words) or (
        len(joined) >= SPELT and joined in bare
    )


def is_own_address(side: Context) -> bool:
    """Whether the words are parts of the page's own address, and stand in one in the text."""
    parts = set(re.findall(r"[^\W_]+", (side.url or "").lower()))
    return side.is_address and all(word.lower() in parts for word in side.words)


EXECUTION = re.compile(
    r"(?:generat|creat|render|load|build|built|execut|process|pars|took|query|queries|elapsed|search"
    r"|found|serv|laufzeit|erzeugt|erstellt|ausgef|générée|generad|carregad)\w*"
    r"[^\n]{0,60}?[\d.,]+\s*(?:milli|micro)?(?:s|sec|secs|seconds?|ms|sekunden?|secondes?|segundos?)\b"
    r"|(?:execution|elapsed|run|load|render|processing|page|query|response)[ -]?time\b"
    r"|\b(?:in|took|time)\W{0,3}[\d.,]+\s*(?:s|secs?|seconds?|ms|milliseconds?|sekunden?)\b",
    re.IGNORECASE,
)
VISITORS = re.compile(
    r"\b(?:visitors?|visits?|visited|hits?|(?:page)?views?|viewed|impressions|counter|accesses"
    r"|downloads?|downloaded|(?:users?|guests?|members?|people) (?:are )?online|online now"
    r"|times (?:read|viewed|visited)|besucher|zugriffe|aufrufe|visites?|visiteurs|visitas"
    r"|visitantes|visitatori|bezoekers)\b",
    re.IGNORECASE,
)
MESSAGE = re.compile(
    r"\b(?:message|msg|mail|post|article)[ -_]?(?:id|no|number)\b|<\S+@\S+>", re.IGNORECASE
)
SESSION = re.compile(
    r"(?:\b|_)(?:sid|session(?:[ _-]?id)?|sess(?:id)?|phpsessid|jsessionid|aspsessionid\w*|cfid"
    r"|cftoken|token|nonce|request[ _-]?id|ray id|trace[ _-]?id|transaction[ _-]?id)\b",
    re.IGNORECASE,
)
# Directly before the words that differ, or the beginning of the name that they are part of.
SERVER = re.compile(
    r"\b(?:server|served (?:by|from)|host|hostname|node|machine|backend|instance)\b[\s:#=-]{0,4}"
    r"(?:(?:name|id|is|was|by|no|number)\b[\s:#=-]{0,4})?[\w.-]*\Z",
    re.IGNORECASE,
)
# What is no session's id though it looks like one.
CONTENT = re.compile(
    r"\b(?:commit|sha\d*|md5|checksum|revision|hash|isbn|digest|changeset)\b", re.IGNORECASE
)
# Letters and digits in so wild a mixture that nobody would have written them.
MADE = re.compile(r"(?=(?:[a-z]*[0-9]){3})(?=(?:[0-9]*[a-z]){3})[0-9a-z_]{14,}", re.IGNORECASE)
# Words that an id may be parted into by dots, dashes and the like.
PARTS = 6
NUMBER = re.compile(r"[0-9]+")
NAMED = re.compile(r"[a-z]+[0-9]+[a-z0-9]*|[0-9]+[a-z]+[a-z0-9]*", re.IGNORECASE)


def are_numbers(side: Context) -> bool:
    return all(map(NUMBER.fullmatch, side.words))


def is_execution_time(side: Context) -> bool:
    return are_numbers(side) and bool(EXECUTION.search(side.line))


def is_visitor_count(side: Context) -> bool:
    return are_numbers(side) and bool(VISITORS.search(side.near))


def is_message_id(side: Context) -> bool:
    return bool(MESSAGE.search(side.before) or re.search(r"<\S*@\S*>", side.run))


def is_session_id(side: Context) -> bool:
    """An id after a word that says so, or one so long and mixed that only a machine made it."""
    joined = "".join(side.words)
    if SESSION.search(side.before) and re.search(r"[0-9]", joined) and len(joined) >= 4:
        return len(side.words) <= PARTS
    return all(map(MADE.fullmatch, side.words)) and not CONTENT.search(side.line)


def is_server_name(side: Context) -> bool:
    """A machine's name or number where the text speaks of machines, or a host in the text."""
    if SERVER.search(side.before):
        return all(NAMED.fullmatch(word) or NUMBER.fullmatch(word) for word in side.words)
    site = site_of(side.url)
    found = re.fullmatch(r"\W*(?:https?://)?((?:[\w-]+\.)+[a-z]{2,})\W*", side.run, re.IGNORECASE)
    return bool(found and site and found[1].lower().endswith(f".{site}"))


# Two dots at least: with one it is a price or a measure as well.
VERSION = re.compile(r"\W*v?[0-9]+(?:\.[0-9]+){2,}\W*", re.IGNORECASE)


def is_version(side: Context) -> bool:
    """Part of a version number: the main item is the same, and the paper's list has no such."""
    return are_numbers(side) and VERSION.fullmatch(side.run) is not None


KINDS = (
    ("execution-time", is_execution_time),
    ("message-id", is_message_id),
    ("session-id", is_session_id),
    ("time-stamp", is_date_or_time),
    ("visitor-count", is_visitor_count),
    ("server-name", is_server_name),
    ("other", is_version),
)

# What may also stand on one page only; of 2.4.1 and 3.0 a part has no counterpart.
ALONE = ("time-stamp", "other")

ENTRY = re.compile(r"(?:index|default|home|main|welcome)\.\w{2,5}", re.IGNORECASE)


def is_entry(url: str | None) -> bool:
    """Whether an address is that of a site's first page."""
    found = re.fullmatch(r"[a-z]+://[^/?#]+(?:/([^/?#]*))?(?:#.*)?", url or "", re.IGNORECASE)
    return found is not None and (not found[1] or ENTRY.fullmatch(found[1]) is not None)


def is_reordered(left: PageText, right: PageText, changes: Sequence[Change]) -> bool:
    """Whether the same words stand on both pages, in another order."""
    ours = Counter(word.lower() for each in changes for word in left.words[slice(*each.left)])
    theirs = Counter(word.lower() for each in changes for word in right.words[slice(*each.right)])
    return ours == theirs


def is_at_bottom(left: PageText, right: PageText, change: Change) -> bool:
    """Whether a change is small and stands near the end of both pages."""
    for reading, (first, last) in ((left, change.left), (right, change.right)):
        count = len(reading.words)
        if first < BOTTOM * count or last - first > SMALL * count:
            return False
    return True
