"""Tables as LaTeX: a `tabular` with the rules of `booktabs`, for `\\input` into a paper; one
that is longer than a page is a `longtable`, which goes on over pages.

Text of a crawl stands in some tables: whatever LaTeX would take for a command is written as what it
is. A table that is wider than a page is turned, a column for each row, if it has few of these; else
it becomes several tables, each with the first columns of text. Where that is not enough, long text
is cut in its middle.
"""

import re
from collections.abc import Sequence
from itertools import groupby, takewhile

import pyarrow as pa

from webecho.show.files.cells import PAPER, Column, columns
from webecho.show.files.type_widths import points

# A table of more rows is none for a paper.
MOST_ROWS = 1000
# A table of more rows may not fit the rest of a page.
LONG = 40
# The text of a page is 6.5 inches wide: two columns, or one with margins of an inch.
WIDEST = 6.5 * 72.27
# What LaTeX puts between two columns.
BETWEEN = 12
# To as many signs text is cut, one after the other until a table fits.
CUTS = (80, 60, 45, 32, 24, 16)

SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # The straight one is not in the fonts that LaTeX takes unless it is told.
    '"': "''",
    # Behind the end of a row these would be an argument of it.
    **{sign: f"{{{sign}}}" for sign in "[]*"},
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "\N{NO-BREAK SPACE}": "~",
}

# The coefficients of Fetterly 2004 in the heads of columns, which are formulas.
COEFFICIENT = re.compile(r"(Φ[₁ₙ][¹ⁿ]|\bΨ\b)")
FORMULAS = {"Φ": r"\Phi", "Ψ": r"\Psi", "₁": "_1", "ₙ": "_n", "¹": "^1", "ⁿ": "^n"}

# What pdfLaTeX prints beside ASCII with the fonts that it takes by itself (TeX Live 2022).
LATIN = frozenset(
    "¡¢£¤¥¦§¨©ª¬®¯°±²³´µ¶·¸¹º¼½¾¿×÷ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ"
    "ĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭİıĲĳĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤť"
    "ŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽžȘșȚț‘’“”†‡•‰€™№"
)
# Others stop it: so they go through a command, which prints them where there is a font for them.
OTHERS = r"\webechosign"
OTHERS_DEFINED = r"""% Signs that pdfLaTeX lacks are printed as ?. XeLaTeX and LuaLaTeX print those
% that the font has; so does everything with \newcommand{\webechosign}[1]{#1} in the preamble.
\providecommand{\webechosign}[1]{%
  \ifdefined\XeTeXversion #1\else\ifdefined\directlua #1\else ?\fi\fi}"""


def escaped(text: str) -> str:
    """Text as LaTeX prints it."""
    return "".join(
        f"${''.join(FORMULAS[sign] for sign in part)}$"
        if COEFFICIENT.fullmatch(part)
        else escaped_signs(part)
        for part in COEFFICIENT.split(text)
    )


def escaped_signs(text: str) -> str:
    parts = []
    for latin, signs in groupby(text, is_latin):
        part = "".join(SIGNS.get(sign, sign if sign.isprintable() else " ") for sign in signs)
        parts.append(part if latin else f"{OTHERS}{{{part}}}")
    return "".join(parts)


def is_latin(sign: str) -> bool:
    """Whether LaTeX prints it as it is, or as what it is written as."""
    return sign.isascii() or sign in SIGNS or sign in LATIN or not sign.isprintable()


def fragment(table: pa.Table, caption: str, source: str) -> str:
    """The table as LaTeX, its caption in a comment; `source` is the file with all digits."""
    parts, cut = laid_out(columns(table))
    packages = "booktabs,longtable" if any(is_long(part) for part in parts) else "booktabs"
    head = [
        f"% {comment(caption)}",
        f"% All digits: {comment(source)}. In the preamble: \\usepackage{{{packages}}}",
    ]
    if cut:
        head.append(f"% Text of more than {cut} signs is cut in its middle here.")
    body = "\n\n\\medskip\n".join(tabular(part) for part in parts)
    if OTHERS in body:
        head.append(OTHERS_DEFINED)
    return "\n".join([*head, body, ""])


def tabular(shown: Sequence[Column]) -> str:
    rows = zip(*(column.cells for column in shown), strict=True)
    head = ["\\toprule", line([each.header for each in shown]), "\\midrule"]
    kind, end = "tabular", ["\\bottomrule"]
    if is_long(shown):
        # Both are repeated on every page.
        kind, head, end = "longtable", [*head, "\\endhead", *end, "\\endfoot"], []
    return "\n".join(
        [
            f"\\begin{{{kind}}}{{{''.join('r' if each.numeric else 'l' for each in shown)}}}",
            *(*head, *(line(row) for row in rows), *end),
            f"\\end{{{kind}}}",
        ]
    )


def is_long(shown: Sequence[Column]) -> bool:
    return len(shown[0].cells) > LONG


def width(shown: Sequence[Column]) -> float:
    """How wide the columns are, in points."""
    return sum(BETWEEN + max(map(points, (each.header, *each.cells))) for each in shown)


def laid_out(shown: Sequence[Column]) -> tuple[list[list[Column]], int | None]:
    """The tables that it takes for these columns to fit a page, and to how many signs their text
    was cut, if it was."""
    for most in (None, *CUTS):
        cut = [*shown] if most is None else [shortened(each, most) for each in shown]
        rows = len(cut[0].cells)
        turns = width(cut) > WIDEST and 0 < rows < len(cut)
        for parts in (fitting(turned(cut)) if turns else [], fitting(cut)):
            if parts and all(width(part) <= WIDEST for part in parts):
                return parts, most
    return fitting(cut), CUTS[-1]


def shortened(column: Column, most: int) -> Column:
    """The column with no text of more signs; beginnings and ends tell texts apart."""
    if column.numeric:
        return column
    end = most // 3
    cells = [
        cell if len(cell) <= most else f"{cell[: most - end - 1]}…{cell[-end:]}"
        for cell in column.cells
    ]
    return Column(column.header, False, cells)


def fitting(shown: Sequence[Column]) -> list[list[Column]]:
    """The columns in as many tables as it takes, each with the text that its rows begin with, as
    far as there is room for it; what a paper has stays beside ours."""
    if width(shown) <= WIDEST:
        return [[*shown]]
    keys = [*takewhile(lambda each: not each.numeric, shown)]
    while len(keys) > 1 and width(keys) > WIDEST / 2:
        keys.pop()
    parts: list[list[Column]] = [[*keys]]
    for group in beside(shown[len(keys) :]):
        if len(parts[-1]) > len(keys) and width([*parts[-1], *group]) > WIDEST:
            parts.append([*keys])
        parts[-1] += group
    return parts


def beside(shown: Sequence[Column]) -> list[list[Column]]:
    """Each column with the paper's behind it."""
    found: list[list[Column]] = []
    for each in shown:
        if each.header == PAPER and found:
            found[-1].append(each)
        else:
            found.append([each])
    return found


def line(cells: Sequence[str]) -> str:
    return f"{' & '.join(escaped(cell) for cell in cells)} \\\\"


def comment(text: str) -> str:
    """Text that stays in its line."""
    return " ".join(text.split())


def turned(shown: Sequence[Column]) -> list[Column]:
    """A column for each row, headed by the text that it begins with, and by as much of what follows
    as tells the rows apart."""
    rows = range(len(shown[0].cells))
    text = len([*takewhile(lambda each: not each.numeric, shown)])

    def heads(number: int) -> list[str]:
        return [", ".join(each.cells[row] for each in shown[:number]) for row in rows]

    apart = (
        number for number in range(text, len(shown)) if len({*heads(number)}) == len(heads(number))
    )
    number = next(apart, text)
    kept = shown[number:]
    # Text says what it is, numbers do not.
    corner = ", ".join(each.header for each in shown[:number]) if number > text else ""
    return [
        Column(corner, False, [each.header for each in kept]),
        *(
            Column(
                head,
                True,
                [each.cells[row] for each in kept],
            )
            for row, head in zip(rows, heads(number), strict=True)
        ),
    ]
