"""Which encoding a text is in, and the text itself (WHATWG Encoding Standard and HTML, 13.2.3.2).

The order: byte order mark, charset of the Content-Type, what a ``<meta>`` or XML declaration among the first 1,024 bytes
says; then UTF-8 if it is valid UTF-8, else windows-1252, the web's default in our latitudes. Labels mean what browsers
mean by them (``iso-8859-1`` is windows-1252), and one nobody knows is as good as none. Names are those of Python's codecs.
Decoding never fails: what cannot be decoded becomes U+FFFD, as in a browser.
"""

import codecs
import re
from functools import lru_cache

PRESCAN_BYTES = 1024

# The standard's labels by the codec that comes closest to its decoder. Left out on purpose: iso-2022-kr, hz-gb-2312 and
# the like, which browsers do not decode, because their escape sequences hide markup.
_LABELS = {
    "utf-8": "utf8 utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "windows-1252": (
        "windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
        "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252"
    ),
    "iso8859-2": "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso8859-3": "iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso8859-4": "iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso8859-5": "iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    "iso8859-6": (
        "iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 "
        "iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"
    ),
    "iso8859-7": (
        "iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        "iso_8859-7:1987 sun_eu_greek"
    ),
    "iso8859-8": (
        "iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        "iso_8859-8:1988 visual iso-8859-8-i csiso88598i logical"
    ),
    "iso8859-10": "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "koi8-r cskoi8r koi koi8 koi8_r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh csmacintosh mac x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
    "cp866": "ibm866 866 cp866 csibm866",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253 x-cp1253",
    "cp1254": (
        "windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        "x-cp1254"
    ),
    "cp1255": "windows-1255 cp1255 x-cp1255",
    "cp1256": "windows-1256 cp1256 x-cp1256",
    "cp1257": "windows-1257 cp1257 x-cp1257",
    "cp1258": "windows-1258 cp1258 x-cp1258",
    "gb18030": (
        "gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk gb18030"  # one decoder for both
    ),
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "euc-jp cseucpkdfmtjapanese x-euc-jp",
    "iso2022-jp": "iso-2022-jp csiso2022jp",
    "cp932": "shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
    "cp949": "euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    "utf-16-be": "utf-16be unicodefffe",
    "utf-16-le": "utf-16 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16le",
}
CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))
_FIRST_BYTES = tuple(mark for mark, _ in _MARKS)
_WINDOWS = frozenset({"windows-1252", "cp874", *(f"cp125{digit}" for digit in "01345678")})

_PARAMETER = re.compile(r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s"']+))""", re.IGNORECASE)
_XML = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_IN_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)


def sniff(content: bytes, content_type: str) -> str:
    """The codec for a body with this Content-Type."""
    if content.startswith(_FIRST_BYTES):
        return next(codec for mark, codec in _MARKS if content.startswith(mark))
    declared = _declared(content_type) or _prescan(content[:PRESCAN_BYTES])
    if declared:
        return declared
    try:
        content.decode()
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def decode(content: bytes, content_type: str) -> str:
    """The text of a body, without its byte order mark. Never raises."""
    codec = sniff(content, content_type)
    if codec in _WINDOWS:
        return codecs.charmap_decode(content, "replace", _table(codec))[0]
    return content.decode(codec, "replace").removeprefix("\ufeff")


@lru_cache(maxsize=512)
def _declared(content_type: str) -> str:
    match = _PARAMETER.search(content_type)
    return CODECS.get((match[1] or match[2] or match[3] or "").strip().lower(), "") if match else ""


def _prescan(start: bytes) -> str:
    """What the document says about itself: a simple form of the standard's prescan, with the same answers."""
    if start.startswith(b"<?xml") and (xml := _XML.match(start)):
        return _self_declared(xml[1])
    if b"charset" not in start.lower():
        return ""
    for meta in _META.finditer(_COMMENT.sub(b"", start)):
        codec = _self_declared(_label_of(meta[1]))
        if codec:
            return codec
    return ""


def _label_of(attributes: bytes) -> bytes:
    found: dict[bytes, bytes] = {}
    for name, *values in _ATTRIBUTE.findall(attributes):
        found.setdefault(name.lower(), b"".join(values))
    if b"charset" in found:
        return found[b"charset"]
    if found.get(b"http-equiv", b"").strip().lower() != b"content-type":
        return b""
    match = _IN_CONTENT.search(found.get(b"content", b""))
    return match[1] if match else b""


def _self_declared(label: bytes) -> str:
    text = label.strip().lower().decode("latin-1")
    if text == "x-user-defined":
        return "windows-1252"
    codec = CODECS.get(text, "")
    # A declaration in ASCII cannot be UTF-16: the standard reads it as UTF-8.
    return "utf-8" if codec.startswith("utf-16") else codec


@lru_cache(maxsize=16)
def _table(codec: str) -> str:
    """The characters of the 256 bytes: the standard has no holes below A0, and Python's codecs have."""
    chars = [bytes([byte]).decode(codec, "replace") for byte in range(256)]
    return "".join(chr(byte) if char == "\ufffd" and byte < 0xA0 else char for byte, char in enumerate(chars))
