"""*Date or time*: a day, a time of day, or how long ago something was, as pages write them.

Words that differ are part of one if the line that they stand in has it there: `Jul 3 2018`
and `Jul 1 2018` differ in one number, and only what is around it tells that it is a day.
"""

import re

from webecho.evaluation.guess.context import Context

MONTH = (
    r"(?:jan(?:uary|uar|vier|eiro)?|feb(?:ruary|ruar)?|févr(?:ier)?|mar(?:ch|s|zo|ço)?|märz|apr(?:il)?"
    r"|avr(?:il)?|abr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juil(?:let)?|julio|aug(?:ust)?"
    r"|août|agosto|sept?(?:ember|embre)?|septiembre|o[ck]t(?:ober|obre)?|octubre|nov(?:ember|embre)?"
    r"|de[czs](?:ember|embre)?|déc(?:embre)?|diciembre)\.?"
)
DAY = (
    r"(?:mon(?:day|tag)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?"
    r"|sun(?:day)?|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi"
    r"|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
)
NUMBER = r"(?:0?[1-9]|[12][0-9]|3[01])"
YEAR = r"(?:1[89]|20)[0-9]{2}"
# Both hours and minutes; seconds and what is behind them may be missing. With a dot between them
# they look like any number with a fraction, so more has to follow.
CLOCK = (
    r"(?:(?:[01]?[0-9]|2[0-4])[:h][0-5][0-9](?:[:.][0-5][0-9](?:[.,][0-9]+)?)?(?:\s?[ap]\.?m\b\.?)?"
    r"|(?:[01]?[0-9]|2[0-4])\.[0-5][0-9]\s?(?:[ap]\.?m\b\.?|uhr|h)\b)(?:\s?(?:z|utc|gmt|[a-z]{1,3}[sd]t|cet|cest|[+-][0-9]{2}:?[0-9]{2})\b)?"
)
ORDINAL = rf"{NUMBER}(?:st|nd|rd|th|er|\.)?"
DATES = (
    rf"{YEAR}[-/.](?:0?[1-9]|1[0-2])[-/.]{NUMBER}(?:[t ,]+{CLOCK})?",
    rf"{NUMBER}/{NUMBER}/(?:{YEAR}|[0-9]{{2}})\b",
    rf"{NUMBER}[-.]{NUMBER}[-.]{YEAR}",
    rf"(?:{DAY},?\s+)?{ORDINAL}(?:\s+of|\s+de)?[\s-]+{MONTH}(?:[\s,-]+(?:de\s+)?{YEAR}|-[0-9]{{2}}\b)?",
    rf"(?:{DAY},?\s+)?{MONTH}\s+{ORDINAL}\b(?:,?\s+{CLOCK})?(?:[,\s]+(?:[a-z]{{3,4}}\s)?{YEAR})?",
    rf"{MONTH},?\s+{YEAR}",
    r"[0-9]{4}年(?:\s?[0-9]{1,2}月(?:\s?[0-9]{1,2}日)?)?|[0-9]{1,2}月\s?[0-9]{1,2}日",
)
AGO = r"(?:[0-9]+|an?|one)\s+(?:second|sec|minute|min|hour|day|week|month|year)s?(?:\s+ago)"
COPYRIGHT = rf"(?:©|\(c\)|copyright|copr\.?)[\s\w©,.()-]{{0,30}}?{YEAR}(?:\s?[-–]\s?{YEAR})?"
# A year or a weekday alone is a date only where the line says that something was done then.
DONE = (
    r"(?:updated|modified|changed|generated|created|published|posted|printed|retrieved|revised"
    r"|as of|date|time|today|stand|aktualisiert|erstellt|geändert|actualis\w+|actualizad\w+|last)"
)
DATE = f"(?:{'|'.join(DATES)})"
CLOCKS = rf"(?:{DATE}[\s,|@-]*(?:at|um|à)?\s*)?{CLOCK}(?:[\s,]*(?:on\s+)?{DATE})?"
DATE_OR_TIME = re.compile(
    rf"(?<![\w.])(?:{CLOCKS}|{DATE}|{AGO}|{COPYRIGHT})(?!\.?\w)", re.IGNORECASE
)
WORDS = re.compile(rf"(?:{DAY}|{MONTH}|{YEAR}|{NUMBER}|[ap]m|today|yesterday|now)", re.IGNORECASE)
SAID = re.compile(DONE, re.IGNORECASE)


def is_date_or_time(side: Context) -> bool:
    """Whether all these words are part of a date or time."""
    for found in DATE_OR_TIME.finditer(side.line):
        if found.start() <= side.start and side.end <= found.end():
            return True
    return (
        bool(SAID.search(side.before))
        and any(not word.isdecimal() or len(word) == 4 for word in side.words)
        and all(map(WORDS.fullmatch, side.words))
    )
