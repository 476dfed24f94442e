"""The head of an HTTP answer and the dates in it (RFC 9110, 9112), read as leniently as the web needs."""

import re
from calendar import timegm

RETRY_AFTER_MAX = 7 * 86_400.0
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_FOLD = re.compile(r"[ \t\r]*\n[ \t]+")
# Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT, both with or without the day's name.
_DATE = re.compile(
    r"(?:[A-Za-z]+,?\s*)?(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4}|\d\d)\s+(\d\d?):(\d\d)(?::(\d\d))?"
    r"\s*(?:GMT|UTC?|Z|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
# Sun Nov  6 08:49:37 1994
_ASCTIME = re.compile(r"[A-Za-z]{3} ([A-Za-z]{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})", re.ASCII)


def parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    """Status and fields: lower-case names, repeated fields joined with ", ". The status of a broken line is 0."""
    first, _, rest = head.decode("latin-1").partition("\n")
    if "\n " in rest or "\n\t" in rest:
        rest = _FOLD.sub(" ", rest)
    fields: dict[str, str] = {}
    for line in rest.split("\n"):
        name, colon, value = line.partition(":")
        if not colon:
            continue
        name = name.strip().lower()
        if name in fields:
            fields[name] += ", " + value.strip()
        elif name:
            fields[name] = value.strip()
    return _status(first), fields


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait by a Retry-After field, at most a week; None if it cannot be read."""
    value = value.strip()
    seconds: float
    if value[:1].isdecimal() and (number := re.match(r"(\d{1,18})\d*(?:\.\d*)?\s*(?:,|$)", value, re.ASCII)):
        seconds = float(number[1])
    elif (moment := http_date(value)) is not None:
        seconds = moment - now
    else:
        return None
    return min(max(seconds, 0.0), RETRY_AFTER_MAX)


def http_date(value: str) -> float | None:
    """Seconds since 1970 of a date in any of the three forms of RFC 9110; None if it is none."""
    value = value.strip()
    if found := _DATE.fullmatch(value):
        day, month, year, hour, minute, second, sign, hours, minutes = found.groups()
    elif found := _ASCTIME.fullmatch(value):
        month, day, hour, minute, second, year = found.groups()
        sign = hours = minutes = None
    else:
        return None
    number = _MONTHS.find(month.lower()) // 4 + 1
    if not number or not 1 <= int(day) <= 31 or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 60:
        return None
    shift = int(f"{sign}1") * (int(hours or 0) * 3600 + int(minutes or 0) * 60) if sign else 0
    return float(timegm((_full_year(year), number, int(day), int(hour), int(minute), int(second or 0))) - shift)


def _full_year(year: str) -> int:
    """Two digits mean the last century if they would lie far ahead; 2076 is fifty years after this was written."""
    number = int(year)
    if len(year) == 4:
        return number
    return number + (2000 if number < 77 else 1900)


def _status(line: str) -> int:
    code = line.partition(" ")[2].lstrip()[:3]
    return int(code) if len(code) == 3 and code.isdecimal() and code.isascii() else 0
