"""Cases on real pages, as `WEBECHO_DATA` has them."""

import shlex
from pathlib import Path

from tests.golden.case import Case, case


def real_cases(data: Path) -> list[Case]:
    """Every archive through sketch and dedup, and tables through all that is done with them."""
    folder = data.resolve()
    archives = sorted(path for path in (folder / "warcs").rglob("*") if path.is_file())
    return [
        *(archive_case(path, path.relative_to(folder / "warcs")) for path in archives),
        case("real-snapshots", SNAPSHOTS.replace("DATA", str(folder)), pinned=False),
        case("real-policies", POLICIES.replace("DATA", str(folder)), pinned=False),
        case("real-documents", DOCUMENTS.replace("DATA", str(folder)), pinned=False),
    ]


def archive_case(path: Path, name: Path) -> Case:
    """One archive; a link gives it the name that it has in its folder."""
    own = f"archive{''.join(path.suffixes)}"
    return case(
        f"real-{'-'.join(name.parts)}",
        f"""
        ln -s {shlex.quote(str(path))} {own}
        webecho sketch {own} -o found.echo --links --paragraphs
        webecho dedup {own} -o clean --revisit --strict
        webecho restore clean/data -o back
        """,
        pinned=False,
    )


SNAPSHOTS = """
ln -s DATA/snapshots snapshots
webecho sketch snapshots/1.parquet -o one.echo --paragraphs --links
webecho clusters one.echo
webecho clusters one.echo --rule very-similar
webecho clusters one.echo --rule by-site
webecho clusters one.echo --rule paragraphs
webecho pairs one.echo --resemblance 0.9
webecho pairs one.echo --rule b --report
webecho pairs one.echo --rule c --measure difference --measured 300 --report
webecho pairs one.echo --rule combined --hot 50 --drawn 100 --report --format json
webecho label one.echo --rule b --rule c --sample 100 --guess
webecho evaluate one.echo --labels one.echo/labels/guesses-b-2+c-372-100-seed-0.jsonl --all
webecho study duplicates one.echo
webecho study graph one.echo --least 0.1
webecho study growth one.echo --steps 10
webecho why one.echo '#100' '#101'
webecho dedup snapshots/1.parquet -o clean
webecho dedup 'snapshots/[12].parquet' -o both --link chain --keep longest
"""

POLICIES = """
ln -s DATA/policies policies
webecho sketch policies/1.parquet -o one.echo
webecho sketch policies/2.parquet -o two.echo --recipe henzinger2006 --keep-shingles
webecho sketch policies/2.parquet -o one.echo --append
webecho clusters one.echo --rule exact
webecho clusters one.echo --resemblance 0.5 --format csv
webecho clusters two.echo --rule c --least-c 350
webecho pairs one.echo --rule by-site
webecho pairs two.echo --rule c --report
webecho pairs two.echo --format json
webecho study duplicates one.echo two.echo --compare text -o both
webecho study growth two.echo --steps 10 --steps-run 50% --estimate-from one.echo -o estimated
webecho dedup policies/3.parquet -o third
webecho dedup policies/4.parquet -o fourth --against third.echo --append-kept --within site
webecho dedup 'policies/*.parquet' -o all --keep latest --dry-run --limit 3000
"""

DOCUMENTS = """
ln -s DATA/debian_docs.parquet docs.parquet
webecho dedup docs.parquet -o clean
webecho clusters clean.echo --rule very-similar
"""
