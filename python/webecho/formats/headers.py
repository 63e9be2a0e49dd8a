"""Headers of archive records: the fields that a record has, whatever the format it stands in."""

import re
from collections.abc import Iterable

# Names in lower case.
Fields = dict[bytes, bytes]
# How the first line of a WARC header begins; some programs write it small.
WARC = rb"[Ww][Aa][Rr][Cc]"
LENGTH = re.compile(rb"\+?\d{1,18}\Z")


def warc_fields(lines: Iterable[bytes]) -> Fields:
    """The fields in the lines of a WARC header; of those with the same name the first."""
    fields: Fields = {}
    name = b""
    for line in lines:
        if line[:1] in (b" ", b"\t"):
            # A long value goes on in the next line.
            if name:
                fields[name] = (fields[name] + b" " + line.strip()).strip()
            continue
        spelt, colon, value = line.partition(b":")
        if not colon:
            continue
        name = spelt.strip().lower()
        if name in fields:
            name = b""
        else:
            fields[name] = value.strip()
    return fields
