"""What is asked of a made-up web, and the names of what is planted in it."""

from dataclasses import dataclass
from math import inf
from typing import Literal

from webecho.errors import Setting, SettingsError, flag, setting

Form = Literal["warc", "parquet"]
FORMS: tuple[Form, ...] = ("warc", "parquet")

# How a page came to be. All but the first were made from an original.
KINDS = (
    "original",
    "exact copy",
    "near-copy",
    "session id",
    "time stamp",
    "execution time",
    "visitor count",
    "parked",
    "shop",
    "mirror",
    "alias",
    "database",
    "directory",
    "form",
    "own address",
)
# What families are made of by default, with shares of the families. Databases, directories, forms
# and pages that show their own address are made where they are asked for.
FAMILIES = (
    ("exact copy", 0.3),
    ("near-copy", 0.3),
    ("session id", 0.08),
    ("time stamp", 0.07),
    ("execution time", 0.05),
    ("visitor count", 0.05),
    ("parked", 0.07),
    ("shop", 0.08),
)
# What can be asked for: mirrors and aliases are made of whole hosts.
FAMILY_KINDS = tuple(kind for kind in KINDS if kind not in ("original", "mirror", "alias"))

# What is planted beside them where so many are asked for, as KINDS of pages: see planted.py.
PLANTED_KINDS = ("passage", "popular", "server alias", "url alias", "url rule", "question")
# The fields of `Web` that ask for them.
PLANTED = ("passages", "popular", "aliases", "url_rules", "questions")

# What a web that is crawled several times has beside them, as KINDS of pages: see mirrored.py and
# followers.py.
EVOLVING_KINDS = ("subtree mirror", "auto-mirror", "common page", "follower")
MOST_SNAPSHOTS = 200
# Groups of hosts that repeat each other, unless so many are asked for: two of each way. Followers
# are this share of the pages.
MIRRORED_GROUPS, FOLLOWERS = 34, 1 / 3
DAYS = 7

# The parts of a web that is linked as a bow tie, with their shares of its pages. From the core the
# core and out are reached: of the paper's collections 52 to 64 % (Pereira 2006, section 4.1).
COMPONENTS = (
    ("core", 0.35),
    ("in", 0.12),
    ("out", 0.25),
    ("tendrils", 0.07),
    ("tubes", 0.03),
    ("disconnected", 0.18),
)
COMPONENT_NAMES = tuple(name for name, _ in COMPONENTS)
REACHED = ("core", "out")
# With fewer pages some component would have none.
LEAST_LINKED = 50
# As messages call what says them, a name and a share at a time.
FAMILY, COMPONENT = setting("families", "--family"), setting("components", "--component")

# Of the new pages of a web with content reuse, and of those that are composed of old ones.
COPIES, THROUGH_QUERIES = 0.4, 0.25
# With fewer pages the cases of such a web have no room, with more snapshots changes have not.
LEAST_REUSED, MOST_REUSED_SNAPSHOTS = 300, 50
# Its crawls begin so many days apart: in January, each a year after the one before.
REUSED_DAYS = 366
# Beside copies and duplicates some pages have a text of their own.
MOST_COPIED = 0.9

# Fetterly 2004, section 3: the exponent of the sizes of clusters.
POWER = 2.5
LEAST_WORDS = 30
# With more copies than this too few originals are left to make them from.
MOST_DUPLICATES = 0.7


@dataclass(frozen=True)
class Web:
    """A made-up web: the same settings give the same bytes."""

    pages: int = 10_000
    seed: int = 0
    words: int = 250  # of text a page has in the mean, its template's apart
    power: float = POWER  # the share of families of n pages falls as n to the minus this
    duplicates: float = 0.3  # share of the pages that are made from another one
    form: Form = "warc"
    file_pages: int = 5000  # pages of a file
    families: tuple[tuple[str, float], ...] = FAMILIES  # what families are made of, with shares
    graph: bool = False  # pages of whole shingle paragraphs, linked as a bow tie
    components: tuple[tuple[str, float], ...] = COMPONENTS  # of such a web, with shares
    snapshots: int = 1  # how often it was crawled
    # What is planted in pages of their own, beside the others: so many of each.
    passages: int = 0  # that otherwise different pages share
    popular: int = 0  # manuals that many servers have
    aliases: int = 0  # groups of names of one server, and of addresses of one page
    url_rules: int = 0  # hosts on which addresses tell that content is the same, or seem to
    questions: int = 0  # of 20 words or more, two in three of which stand in a page
    # What a web that was crawled several times has beside.
    days: int = DAYS  # from one snapshot to the next
    mirrors: int = 0  # groups of hosts that repeat each other, or seem to
    followers: int = 0  # URLs that go away from the text of their family at a planted rate
    lost: tuple[tuple[int, float], ...] = ()  # shares of the hosts that a snapshot lacks
    reuse: bool = False  # new pages are composed of old ones, some through queries
    copies: float = COPIES  # share of the new pages of such a web that are so composed
    through_queries: float = THROUGH_QUERIES  # share of these that were composed through a query

    def __post_init__(self) -> None:
        if self.pages < 1:
            raise SettingsError(f"{self.pages} pages make no web; give 1 or more")
        if self.words < LEAST_WORDS:
            raise SettingsError(
                f"{self.words} words a page are too few to plant anything in; "
                f"give {LEAST_WORDS} or more"
            )
        if self.power <= 1:
            raise SettingsError(f"sizes cannot follow a power law of {self.power}; give above 1")
        if not 0 <= self.duplicates <= MOST_DUPLICATES:
            raise SettingsError(
                f"a share of {self.duplicates} duplicates cannot be made; "
                f"give 0 to {MOST_DUPLICATES}"
            )
        if self.form not in FORMS:
            raise SettingsError(
                f"{self.form!r} is no form of a crawl; there are {' and '.join(FORMS)}"
            )
        for kind, part in self.families:
            if kind not in FAMILY_KINDS:
                raise SettingsError(
                    f"no family is made of {kind!r}; there are {', '.join(FAMILY_KINDS)}"
                )
            if not 0 < part < inf:
                raise SettingsError(one_of(FAMILY, kind, part), ": give a share above 0")
        if not self.families:
            raise SettingsError(
                "no families are asked for; give ", setting("duplicates").to(0), " for none"
            )
        if self.file_pages < 1:
            raise SettingsError(f"a file cannot have {self.file_pages} pages; give 1 or more")
        for name in PLANTED:
            if getattr(self, name) < 0:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 0 or more")
            if self.graph and getattr(self, name):
                raise SettingsError(
                    setting(name), " is not for ", flag("graph"), "; give one of them"
                )
        self.check_graph()
        self.check_reuse()
        self.check_snapshots()

    def check_snapshots(self) -> None:
        asked = setting("snapshots")
        if self.snapshots == 1:
            for name in ("days", "mirrors", "followers", "lost"):
                if getattr(self, name) != getattr(Web, name):
                    raise SettingsError(
                        *(setting(name), " is for a web that is crawled several times; give "),
                        *(asked, " too"),
                    )
            return
        if not 2 <= self.snapshots <= MOST_SNAPSHOTS:
            raise SettingsError(asked.to(self.snapshots), f": give 1 to {MOST_SNAPSHOTS}")
        for name in PLANTED:
            if getattr(self, name):
                raise SettingsError(setting(name), " is not for ", asked, "; give one of them")
        if self.graph:
            raise SettingsError(flag("graph"), " is not for ", asked, "; give one of them")
        for name in ("mirrors", "followers"):
            if getattr(self, name) < 0:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 0 or more")
        if self.days < 1:
            raise SettingsError(setting("days").to(self.days), ": give 1 or more")
        if len(dict(self.lost)) < len(self.lost):
            twice = [snapshot for snapshot, _ in self.lost]
            again = next(each for each in twice if twice.count(each) > 1)
            raise SettingsError(setting("lost").to(again), ": give a share of each snapshot once")
        for snapshot, part in self.lost:
            if not 1 <= snapshot <= self.snapshots or not 0 < part < 1:
                raise SettingsError(
                    one_of(setting("lost"), snapshot, part),
                    f": give a snapshot from 1 to {self.snapshots}, and a share between 0 and 1",
                )

    def check_graph(self) -> None:
        if not self.graph:
            if self.components != COMPONENTS:
                raise SettingsError(
                    COMPONENT, " is for a web with ", flag("graph"), "; give both or none"
                )
            return
        if self.families != FAMILIES:
            raise SettingsError(
                *(FAMILY, " is not for ", flag("graph")),
                ", which has families of its own; give one of them",
            )
        if self.pages < LEAST_LINKED:
            raise SettingsError(
                f"{self.pages} pages are too few to be linked as a bow tie; "
                f"give {LEAST_LINKED} or more"
            )
        asked = [name for name, _ in self.components]
        for name, part in self.components:
            if name not in COMPONENT_NAMES or asked.count(name) > 1:
                raise SettingsError(
                    one_of(COMPONENT, name),
                    f": give each once, of {', '.join(COMPONENT_NAMES)}",
                )
            if not 0 < part < inf:
                raise SettingsError(one_of(COMPONENT, name, part), ": give a share above 0")
        if "core" not in asked:
            raise SettingsError(
                "a bow tie has a core; give ", one_of(COMPONENT, "core", "SHARE"), " too"
            )
        for name, others in (("tendrils", ("in", "out")), ("tubes", ("in", "out"))):
            if name in asked and not set(others) <= set(asked):
                both = COMPONENT.to(
                    "in=SHARE and out=SHARE", in_python="{'in': SHARE, 'out': SHARE}"
                )
                raise SettingsError(f"{name} lie between in and out; give ", both, " too")

    def check_reuse(self) -> None:
        shares = ("copies", "through_queries")
        if not self.reuse:
            for name in shares:
                if getattr(self, name) != getattr(Web, name):
                    raise SettingsError(
                        setting(name), " is for a web with ", flag("reuse"), "; give both or none"
                    )
            return
        others = ("power", *PLANTED, "mirrors", "followers", "lost")
        names = {name: setting(name) for name in others}
        for name, asked in (names | {"graph": flag("graph"), "families": FAMILY}).items():
            if getattr(self, name) != getattr(Web, name):
                raise SettingsError(asked, " is not for ", flag("reuse"), "; give one of them")
        if self.days not in (DAYS, REUSED_DAYS):
            raise SettingsError(
                setting("days"), " is not for ", flag("reuse"), ", whose crawls are a year apart"
            )
        if not 2 <= self.snapshots <= MOST_REUSED_SNAPSHOTS:
            raise SettingsError(
                flag("reuse"),
                " needs an old snapshot and a new one: give ",
                setting("snapshots").to(f"2 to {MOST_REUSED_SNAPSHOTS}"),
            )
        if self.pages < LEAST_REUSED:
            raise SettingsError(
                f"{self.pages} pages are too few to be copied in all ways; "
                f"give {LEAST_REUSED} or more"
            )
        for name in shares:
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(
                    setting(name).to(getattr(self, name)), ": give a share from 0 to 1"
                )
        if self.copies + self.duplicates > MOST_COPIED:
            raise SettingsError(
                setting("copies").to(self.copies),
                " and ",
                setting("duplicates").to(self.duplicates),
                " leave too few pages with a text of their own; "
                f"give {MOST_COPIED} together at the most",
            )


def one_of(asked: Setting, name: object, share: object = None) -> Setting:
    """What was, or should be, asked for of one name."""
    if share is None:
        return asked.to(name, f"{{{name!r}: SHARE}}")
    return asked.to(f"{name}={share}", f"{{{name!r}: {share}}}")
