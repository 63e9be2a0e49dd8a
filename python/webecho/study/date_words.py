"""*Date words*: names of months and days, and what else stands beside the numbers of a date, in the
languages in which most of the web is written, and letters alone (2.X, 12 h). Some are other words
too (may, sun, mars): they are part of a number or a date only where they stand beside a number, or
beside another such word that does.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Flags = npt.NDArray[np.bool_]

_NAMES = (
    # English.
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "monday tuesday wednesday thursday friday saturday sunday "
    "mon tue tues wed thu thur thurs fri sat sun am pm gmt utc est edt cst cdt mst mdt pst pdt cet "
    # German.
    "januar jänner februar märz mai juni juli oktober dezember mrz okt dez "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "mo di mi do fr sa so uhr mez mesz "
    # French.
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "janv févr avr juil déc lundi mardi mercredi jeudi vendredi samedi dimanche "
    # Spanish, Portuguese, Italian; "de" joins a day and its month.
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre "
    "diciembre ene abr ago dic lunes martes miércoles jueves viernes sábado domingo de del "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out set "
    "segunda terça quarta quinta sexta feira às "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica ore "
    # Dutch and Swedish.
    "januari februari maart mei augustus mrt maandag dinsdag woensdag donderdag vrijdag zaterdag "
    "zondag uur maj augusti måndag tisdag onsdag torsdag fredag lördag söndag kl "
    # Russian and Polish, as dates have them.
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря "
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada "
    "grudnia "
    # Chinese and Japanese: year, month, day, hour, minute, second.
    "年 月 日 時 时 分 秒"
)
DATE_WORDS = frozenset(_NAMES.split())
# The parts of a date that follow each other: Monday, 12 de enero de 2004.
REACH = 3
LETTER = r"^[\p{Latin}\p{Greek}\p{Cyrillic}]$"


def date_words(words: pa.Array) -> pa.Array:
    """Which of these words may be part of a date."""
    known = pc.is_in(pc.utf8_lower(words), value_set=pa.array(sorted(DATE_WORDS)))
    return pc.or_(known, pc.match_substring_regex(words, LETTER))


def in_dates(numbers: Flags, names: Flags) -> Flags:
    """Of a page's words in order, which are part of a date, given which have digits and which are
    date words."""
    found = np.zeros(len(numbers), np.bool_)
    for _ in range(REACH):
        beside = numbers | found
        touched = np.zeros(len(numbers), np.bool_)
        touched[1:] |= beside[:-1]
        touched[:-1] |= beside[1:]
        found |= names & touched
    return found
