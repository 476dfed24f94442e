"""What stays the same of a request while its page hands out new tokens with every view.

A download link may carry a signature, a download form a field against forgery; both are new each time the page is asked
for. There is no standard for them. Some have a telling name. Others only look random, and are left out if what remains
still names a file. Whether two requests that differ in such fields only are two documents cannot be told from the request:
who lists them together has to look.
"""

import re
from itertools import pairwise

_NAMES = re.compile(
    r"csrf|xsrf|nonce|verificationtoken|authenticity|request_?token|form_?token|form_build_id|viewstate|eventvalidation"
    r"|sess(?:ion)?_?id|phpsessid|jsessionid|cachebust|nocache",
    re.IGNORECASE,
)
_NAMES_IF_RANDOM = re.compile(
    r"(?:^|[_\-\[])(?:token|tk|sid|session|sig|signature|expires?|ts|timestamp|time|rnd|rand|random|t|_|download_?key)\]?$"
    r"|^(?:token|sid|sig|ts|_)$",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?=.*[0-9])[0-9A-Za-z_.~%+/=-]{8,}|[A-Za-z]{16,}")
_RANDOM = re.compile(r"[0-9A-Za-z]{12,}")
_HEXADECIMAL = re.compile(r"[0-9a-f]{16,}|(?=.*[0-9])(?=.*[a-f])[0-9a-f]{12,}", re.IGNORECASE)
_FILE = re.compile(r"\.(?:pdf|docx?|odt|rtf|zip)$|[0-9][^/]*$", re.IGNORECASE)
TURNS = 4  # between digits and letters: a word with a date has one or two


def stable(url: str, body: bytes | None = None) -> str:
    """The request as text, without its tokens."""
    head, _, query = url.partition("#")[0].partition("?")
    fields = [_without_named_tokens(part) for part in (query, (body or b"").decode("latin-1"))]
    rest = [[field for field in part if not _is_random(field)] for part in fields]
    if _FILE.search(head) or any(_names(field) for part in rest for field in part):
        fields = rest
    kept = ["&".join(part) for part in fields]
    text = f"{head}?{kept[0]}" if kept[0] else head
    return text if body is None else f"{text}\n{kept[1]}"


def _without_named_tokens(fields: str) -> list[str]:
    return [field for field in fields.split("&") if field and not _is_named(*field.partition("=")[::2])]


def _is_named(name: str, value: str) -> bool:
    if _NAMES.search(name):
        return True
    return _NAMES_IF_RANDOM.search(name) is not None and _VALUE.fullmatch(value) is not None


def _is_random(field: str) -> bool:
    value = field.partition("=")[2]
    if _HEXADECIMAL.fullmatch(value):
        return True
    if not _RANDOM.fullmatch(value):
        return False
    return sum(one.isdigit() != other.isdigit() for one, other in pairwise(value)) >= TURNS


def _names(field: str) -> bool:
    """Could this field alone name a document?"""
    return any(char.isdigit() for char in field.partition("=")[2])
