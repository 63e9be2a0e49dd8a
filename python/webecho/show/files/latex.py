"""Tables as LaTeX: a `tabular` with the rules of `booktabs`, for `\\input` into a paper.

Text of a crawl stands in some tables: whatever LaTeX would take for a command is written as what it
is. A table that is wider than a page is turned, a column for each row, if it has few of these; else
it becomes several tables, each with the first columns of text.
"""

import re
from collections.abc import Sequence
from itertools import groupby, takewhile

import pyarrow as pa

from webecho.show.files.cells import PAPER, Column, columns

# A table of more rows is none for a paper.
MOST_ROWS = 1000
# As many signs fit two columns of a page, in small print.
WIDEST = 125

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
    shown = columns(table)
    if width(shown) > WIDEST and table.num_rows < len(shown):
        shown = turned(shown)
    head = [
        f"% {comment(caption)}",
        f"% All digits: {comment(source)}. In the preamble: \\usepackage{{booktabs}}",
    ]
    body = "\n\n\\medskip\n".join(tabular(part) for part in fitting(shown))
    if OTHERS in body:
        head.append(OTHERS_DEFINED)
    return "\n".join([*head, body, ""])


def tabular(shown: Sequence[Column]) -> str:
    rows = zip(*(column.cells for column in shown), strict=True)
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{''.join('r' if each.numeric else 'l' for each in shown)}}}",
            "\\toprule",
            line([each.header for each in shown]),
            "\\midrule",
            *(line(row) for row in rows),
            "\\bottomrule",
            "\\end{tabular}",
        ]
    )


def width(shown: Sequence[Column]) -> int:
    """The signs of the widest row that there could be."""
    return sum(2 + max(map(len, (each.header, *each.cells))) for each in shown)


def fitting(shown: Sequence[Column]) -> list[list[Column]]:
    """The columns in as many tables as it takes, each with the text that its rows begin with; what
    a paper has stays beside ours."""
    keys = [*takewhile(lambda each: not each.numeric, shown)]
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
