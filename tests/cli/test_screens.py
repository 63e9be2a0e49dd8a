"""What verbs print on terminals of 80 and of 120 columns: no line goes beyond the edge."""

import os
import shlex
import sys

import pytest
from rich.cells import cell_len

from tests.command import done
from tests.docs.run import Shell
from tests.docs.shown import printed

# With what they end; some find what later ones need.
COMMANDS = {
    "sketch web/pages -o again.echo": 0,
    "clusters web.echo": 0,
    "pairs web.echo": 0,
    "pairs web.echo --rule b --report": 0,
    "pairs web.echo --rule c --measure equal-words --measure difference": 0,
    "overlap web.echo --level host": 0,
    "overlap web.echo --show #8 #19": 0,
    "why web.echo #8": 0,
    "why web.echo #8 #19": 0,
    "savings web.echo": 0,
    "dedup web/pages -o clean": 0,
    "dedup web/pages -o marked --annotate": 0,
    "dedup web/pages --dry-run --sample 0.5": 0,
    "dedup web/pages -o none --most-lost 5%": 1,
    "label web.echo --rule b --rule c --from-truth web": 0,
    "label web.echo --rule b --guess": 0,
    "evaluate web.echo --require-precision 0.999": 1,
    "study duplicates web.echo -o duplicates": 0,
    "study growth web.echo -o growth": 0,
    "study clusters web.echo -o clusters": 0,
    "study mirrors web.echo -o mirrors": 0,
    "study replication web.echo -o replication": 0,
    "study evolution web.echo later.echo -o evolution": 0,
    "study genealogy web.echo later.echo -o kin": 0,
    "genealogy web.echo later.echo http://www.xutodoyi.example/items/5.html --passages": 0,
    "verify clean": 0,
    "completion": 2,
    "clusters web.echo --rule nonsense": 2,
    "sketch web/truth.parquet -o none.echo": 1,
    "sketch web/truth.parquet -o none.echo --text nothing": 1,
    "clusters web": 1,
    "why web.echo http://nowhere.example/": 1,
    "study clusters web.echo -o duplicates": 2,
}


@pytest.fixture(scope="module", params=[80, 120])
def screen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A terminal so wide, on which nothing moves, where a web is and what was found in it."""
    folder = tmp_path_factory.mktemp("screens")
    done("synth", folder / "web", "--pages", "400", "-q")
    done("synth", folder / "later", "--pages", "400", "--seed", "1", "-q")
    for name, web in (("web.echo", "web"), ("later.echo", "later")):
        done("sketch", folder / web / "pages", "-o", folder / name, "-q")
    for rule in ("b", "c"):
        done("pairs", folder / "web.echo", "--rule", rule, "-q")
    return Shell(folder, {**os.environ, "COLUMNS": f"{request.param}", "TERM": "dumb"})


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_goes_beyond_the_edge(command: str, screen: Shell) -> None:
    given = shlex.split(command, comments=False)
    code, text = screen([sys.executable, "-m", "webecho", *given])
    assert code == COMMANDS[command], text
    lines = printed(text)
    width = int(screen.environment["COLUMNS"])
    assert lines
    assert [line for line in lines if cell_len(line) > width] == []
    assert not any("\N{REPLACEMENT CHARACTER}" in line for line in lines)
