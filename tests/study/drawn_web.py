"""A tiny web drawn by hand.

      ┌────────► 1 A ──┐             core: 0 1 2
      │ ┌──────► 2 A ──┤             out: 3 (short) and, through it, 4
    ► 0 ───► (3) ───► 4 B            in: 5
      ▲                ▲             tendril: 10
      5 B ───► 10      │             tube: 11 (short)
      └──────► (11) ───┘             disconnected: 6 to 9
      6 C ──► 7 C    8 C    9

A, B and C are texts that several pages have. The texts of 0, 9 and 10 are their own.
"""

from pathlib import Path

from tests.collections_made import Page, as_parquet, prose
from tests.command import done

A, B, C = 101, 102, 103
HOSTS = {5: "www.b.example", 9: "www.b.example"}
TEXTS = {0: 0, 1: A, 2: A, 4: B, 5: B, 6: C, 7: C, 8: C, 9: 9, 10: 10}
TARGETS = {0: [1, 2, 3], 1: [0], 2: [0], 3: [4], 5: [0, 10, 11], 6: [7], 11: [4]}


def url(number: int) -> str:
    return f"http://{HOSTS.get(number, 'www.a.example')}/{number}.html"


def page(number: int) -> Page:
    # A hundred words are more than 450 characters, five are not.
    words = prose(TEXTS[number], 100) if number in TEXTS else prose(number, 5)
    links = "".join(f"<a href='{url(to)}'></a>" for to in TARGETS.get(number, []))
    return Page(f"{number}", url(number), f"<p>{' '.join(words)}</p>{links}")


def drawn_web(folder: Path) -> Path:
    """A workspace of these pages."""
    source = as_parquet(folder / "pages.parquet", [page(number) for number in range(12)])
    done("sketch", source, "-o", folder / "crawl.echo", "--columns", "none")
    return folder / "crawl.echo"
