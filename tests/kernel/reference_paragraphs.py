"""Shingle paragraphs once more, slow and obvious: Pereira 2006, Definition 1, to the letter.

A text is first taken without the white space that is more than one space, then split.
"""

# Full stops, and what serves as one.
STOPS = set(".։۔܁܂।॥။።᙮។᠃᠉⳹⳾。꓿꘎꛳﹒．｡\U00016af5")
LONGEST = 150


def collapsed(text: str) -> str:
    for space in "\t\n\v\f\r":
        text = text.replace(space, " ")
    return " ".join(part for part in text.split(" ") if part)


def sentences(text: str) -> list[str]:
    rest = collapsed(text)
    found = []
    while rest:
        sentence = rest[:LONGEST]
        ends = [place for place, character in enumerate(sentence) if character in STOPS]
        if ends:
            sentence = sentence[: ends[0] + 1]
        rest = rest[len(sentence) :].lstrip(" ")
        words = sentence.rstrip(" ")
        if words and words not in STOPS:
            found.append(words)
    return found


def paragraphs(text: str) -> list[tuple[str, ...]]:
    """Three sentences each, the last with what is left."""
    found = sentences(text)
    return [tuple(found[start : start + 3]) for start in range(0, len(found), 3)]


def overlapping(text: str) -> list[tuple[str, ...]]:
    """Each sentence with the two that follow it."""
    found = sentences(text)
    if 0 < len(found) < 3:
        return [tuple(found)]
    return [tuple(found[start : start + 3]) for start in range(len(found) - 2)]
