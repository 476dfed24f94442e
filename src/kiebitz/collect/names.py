"""The name of the file behind an address, and what kind of thing it promises to be.

Municipal systems hide files behind scripts (``download.php?fid=3631.2672.1.PDF``, ``?FID=…&Ext=PDF``), tokens and titles, so
the name is looked for in the path, then in the query, then in what the link says. A promise is no proof: the response decides.
"""

import re
from urllib.parse import parse_qsl, unquote

NAME = 200
_EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9]{1,4})$")
_FILES = frozenset({"doc", "docx", "odt", "rtf", "zip", "epub", "djvu", "ps"})
_PAGES = frozenset({"html", "htm", "xhtml", "php", "phtml", "asp", "aspx", "jsp", "do", "cfm", "shtml", "php5", "mvc"})
_OTHER = frozenset(
    re.split(
        r"\s+",
        "jpg jpeg png gif svg webp ico css js ics vcf mp3 mp4 mov avi wav xls xlsx csv ods ppt pptx exe xml rss json kml gpx "
        "dwg woff m4a webm",
    )
)
_NAMING = frozenset(
    {"file", "filename", "datei", "dateiname", "name", "document", "doc", "dokument", "path", "src", "url", "f"}
)
_TYPING = frozenset({"ext", "type", "format", "extension", "mime", "ct"})
_DOWNLOADS = re.compile(
    r"/(?:downloads?|dateien?|dokumente?|documents?|docs|files?|fileadmin|uploads?|assets|media|attachments?|blob|getfile|"
    r"loaddocument|getmedia|resource|storage|filedownload|binarycontent)[/.?]|[?&](?:download|fid|file_?id|doc_?id|dl|attachment|"
    r"mfid|dokid|docid|mediaid|publicationid)=|/dl/",
    re.IGNORECASE,
)
# A hash or a uuid, with or without an extension.
_OPAQUE = re.compile(
    r"(?=[0-9a-f-]*[0-9])(?:[0-9a-f]{8,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.[a-z0-9]{1,5})?",
    re.IGNORECASE,
)
_READABLE = re.compile(r"(?:ab)?[0-9]+[a-f]?(?:\.|\Z)", re.IGNORECASE)
# Services that show a paper page by page.
_READERS = re.compile(
    r"//(?:[\w.-]*\.)?(?:issuu\.com/[^/]+/docs/|yumpu\.com/(?:[a-z]{2}/)?document/|calameo\.com/(?:read|books)/|e-?paper[\w-]*\.)"
    r"|/(?:e-?paper|blaetterkatalog|flipbook|flippingbook)/[^?#]*[0-9]|[?&]catalogid=",
    re.IGNORECASE,
)


def file_name(url: str, download: str = "") -> str:
    """A file name as a person would see it, without escapes; empty if nothing looks like one."""
    if _EXTENSION.search(download):
        return download[-NAME:]
    path, _, query = url.partition("#")[0].partition("?")
    last = unquote(path[path.rfind("/") + 1 :])
    if query and (named := _named(query)):
        return named
    if extension(last) or (last and "." not in last and not _is_token(last)):
        return last[-NAME:]
    return ""


def is_opaque(name: str) -> bool:
    """Is it a hash or a uuid, whose letters mean nothing? "ab092025" and "20260312a" are none."""
    return _OPAQUE.fullmatch(name) is not None and _READABLE.match(name) is None


def extension(name: str) -> str:
    """The extension in lower case, without dot; empty for what is none (``Amtsblatt Nr.3``)."""
    match = _EXTENSION.search(name)
    return match[1].lower() if match else ""


def type_of(url: str, name: str, hints: str) -> str:
    """``pdf``, ``file``, ``other`` (a picture, say), ``page`` or ``unknown``. ``hints``: type, class and download attributes."""
    ending = extension(name)
    query = url.partition("?")[2]
    declared = {value.lower() for key, value in _pairs(query) if key.lower() in _TYPING}
    if ending == "pdf" or "pdf" in declared or "pdf" in hints:
        return "pdf"
    if ending in _FILES:
        return "file"
    if ending in _OTHER:
        return "other"
    if _READERS.search(url):
        return "unknown"
    if ending in _PAGES and not query:
        return "page"
    if _DOWNLOADS.search(url) and not url.endswith("/"):
        return "unknown"
    if ending in _PAGES or not query or url.endswith("/"):
        return "page"
    return "unknown" if "download" in hints else "page"


def _named(query: str) -> str:
    for key, value in _pairs(query):
        ending = extension(value)
        if ending == "pdf" or ending in _FILES or (ending and key.lower() in _NAMING):
            return value[value.rfind("/") + 1 :][-NAME:]
    return ""


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query[:4000], max_num_fields=50)
    except ValueError:
        return []


def _is_token(text: str) -> bool:
    """Is it an id or a hash instead of a name?"""
    letters = sum(map(str.isalpha, text))
    return len(text) > 60 or letters < 4 or (len(text) > 24 and not re.search(r"[-_ .]", text))
