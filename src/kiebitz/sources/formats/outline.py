"""Sources as OPML 2.0, the lists that feed readers exchange. What OPML has no word for stands in a namespace of ours.

Read by expat's events: no tree, no entities. A DOCTYPE, which could define bombs, is refused.
"""

import html
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from kiebitz.errors import InputError
from kiebitz.model.source import Source
from kiebitz.sources.formats.columns import COLUMNS, PREFIX, fields_from, texts_of
from kiebitz.sources.registry import SourceRow

NAMESPACE = "https://kiebitz.example/opml"
HINT = "an OPML file as a feed reader exports it; kiebitz source export --format opml shows how"
_ADDRESSES = ("xmlUrl", "url", "htmlUrl")  # a feed says more than the page beside it
_NAMES = ("text", "title")


def read(content: bytes) -> Iterator[SourceRow]:
    rows: list[SourceRow] = []
    roots: list[str] = []
    parser = expat.ParserCreate(namespace_separator=" ")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if not roots:
            roots.append(tag)
        if tag == "outline":
            rows.extend(_row(parser.CurrentLineNumber, attributes))

    def refuse(*_: object) -> None:
        raise InputError(f"line {parser.CurrentLineNumber}: a DOCTYPE is not allowed", hint="remove it from the file")

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise InputError(f"line {error.lineno}: not XML: {expat.ErrorString(error.code)}", hint=HINT) from None
    except (LookupError, ValueError) as error:
        raise InputError(f"not XML: {error}", hint=HINT) from None
    if roots != ["opml"]:
        raise InputError(f"not OPML: it begins with <{roots[0][:40]}>", hint=HINT)
    return iter(rows)


def write(sources: Iterable[Source]) -> str:
    lines = "\n".join(_outline(texts_of(source)) for source in sources)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0" xmlns:kiebitz="{NAMESPACE}">
<head><title>Sources of Kiebitz</title></head>
<body>
{lines}
</body>
</opml>
"""


def _row(line: int, attributes: dict[str, str]) -> Iterator[SourceRow]:
    """An outline without an address is a folder of others."""
    address = next((attributes[key] for key in _ADDRESSES if attributes.get(key, "").strip()), "")
    own = {key.removeprefix(f"{NAMESPACE} "): text for key, text in attributes.items() if key.startswith(NAMESPACE)}
    own = {key.replace(f"{PREFIX[:-1]}-", PREFIX, 1): text for key, text in own.items()}
    name = next((attributes[key] for key in _NAMES if attributes.get(key, "").strip()), "")
    if address or own:
        yield SourceRow(line, fields_from({"entry_urls": address, "name": name, **own}))


def _outline(texts: dict[str, str]) -> str:
    """The first address is everybody's, all of them are ours."""
    first = texts["entry_urls"].split()[0]
    order = [*COLUMNS, *sorted(set(texts) - set(COLUMNS))]
    own = {key.replace(PREFIX, f"{PREFIX[:-1]}-"): texts[key] for key in order if key != "name" and texts.get(key)}
    pairs = {"text": texts["name"], "type": "link", "url": first, **{f"kiebitz:{key}": own[key] for key in own}}
    return "<outline " + " ".join(f'{key}="{_escaped(text)}"' for key, text in pairs.items()) + "/>"


def _escaped(text: str) -> str:
    return html.escape(text).replace("\n", "&#10;")
