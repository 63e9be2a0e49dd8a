"""*Points*: how wide text is in print, in Computer Modern of 10 points, which LaTeX takes unless it
is told (72.27 points an inch). Kerns and ligatures are left out: they make text narrower."""

# Widths of the signs of cmr10, by the signs that have them; its metrics rounded.
BY_WIDTH = {
    2.8: "ijl.,:;'!|[]‘’·",
    3.1: 'f-_"',
    3.4: " r()I\N{NO-BREAK SPACE}",
    3.9: "st",
    4.5: "cez",
    5.0: "0123456789agopqvxyk*/–“”",
    5.6: "bdhnuJ?",
    6.3: "SLF",
    7.0: "ABCEPTZ",
    7.6: "DGHKNOQRUVXYw<>=+−&~^×±≥≤\\$#",
    8.4: "m%@",
    10.3: "WM—…",
}
WIDTHS = {sign: width for width, signs in BY_WIDTH.items() for sign in signs}
# A letter with its marks, and a sign of another script, which may be as wide as it is high.
LATIN, OTHER = 5.6, 10.0


def points(text: str) -> float:
    """How wide a text is."""
    return sum(
        WIDTHS.get(sign) or (LATIN if sign < "\N{GREEK CAPITAL LETTER ALPHA}" else OTHER)
        for sign in text
    )
