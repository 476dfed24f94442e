"""Documents of word processors: DOCX and OpenDocument, read from their XML without a library.

Only the text is wanted: paragraphs, headings, rows of tables, and what the document says of itself. Deleted text of
tracked changes, comments and drawings' doubles are left out.
"""

from kiebitz.extract.characters import plain
from kiebitz.extract.language import language_of
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.extract.packed_xml import Attributes, Package, PackageError, attribute, walk
from kiebitz.extract.page_dates import iso_date
from kiebitz.model.text import Line, Text, TextState

_FACTS = {
    "title": "title", "subject": "subject", "description": "description", "creator": "creator", "initial-creator": "creator",
    "created": "created", "creation-date": "created", "modified": "modified", "date": "modified", "keywords": "keywords",
    "keyword": "keywords", "language": "language",
}  # fmt: skip
_LONGEST = 2_000


def read_docx(content: bytes, limits: ReadLimits = DEFAULT) -> Text:
    return _read(
        content, limits, ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml"), "docProps/core.xml", _Docx
    )


def read_odf(content: bytes, limits: ReadLimits = DEFAULT) -> Text:
    return _read(content, limits, ("content.xml",), "meta.xml", _Odf)


def _read(content: bytes, limits: ReadLimits, parts: tuple[str, ...], facts_part: str, kind: "type[_Body]") -> Text:
    facts: dict[str, str] = {}
    body = kind(limits.characters)
    try:
        package = Package(content)
        if b"encryption-data" in package.member("META-INF/manifest.xml"):
            return Text(TextState.ENCRYPTED, reason="the file asks for a password")
        if parts[0] not in package.names:
            return Text(TextState.DAMAGED, reason=f"the package has no {parts[0]}")
        facts = _facts(package.member(facts_part))
        for part in parts:
            walk(package.member(part) or b"<none/>", body.opened, body.closed, body.text)
            body.flush()
    except _Full:
        pass
    except PackageError as error:
        state, reason = error.args
        return Text(TextState(state), tuple(body.lines), reason=reason)
    return _text(body, facts, limits)


def _text(body: "_Body", facts: dict[str, str], limits: ReadLimits) -> Text:
    cut = body.length > limits.characters
    return Text(
        TextState.READ if body.lines else TextState.EMPTY,
        tuple(body.lines),
        title=facts.get("title") or (body.headings or [line.text for line in body.lines[:1]] or [""])[0][:300],
        description=facts.get("description") or facts.get("subject", ""),
        keywords=tuple(word.strip() for word in facts.get("keywords", "").replace(";", ",").split(",") if word.strip()),
        headings=tuple(body.headings[:500]),
        language=language_of(" ".join(line.text for line in body.lines[:200])),
        published=iso_date(facts.get("created", "")),
        modified=iso_date(facts.get("modified", "")),
        metadata=tuple((name, facts[name]) for name in ("creator", "subject") if facts.get(name)),
        reason=f"the text was cut: at most {limits.characters:,} characters are read" if cut else "",
    )


def _facts(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    path: list[str] = []

    def text(part: str) -> None:
        name = _FACTS.get(path[-1] if path else "", "")
        if name and len(found.get(name, "")) < _LONGEST:
            found[name] = found.get(name, "") + part

    def closed(_: str) -> None:
        path.pop()
        if "keywords" in found and not found["keywords"].endswith(","):
            found["keywords"] += ","

    if content:
        walk(content, lambda name, _: path.append(name), closed, text)
    return {name: " ".join(plain(value).split()) for name, value in found.items()}


class _Full(Exception):
    """Not an error: the limit of characters is reached."""


class _Body:
    """Collects lines while the document goes by. ``_ignored`` counts the elements we are in whose text is not wanted."""

    paragraphs: frozenset[str]
    ignored: frozenset[str]

    def __init__(self, most: int) -> None:
        self.lines: list[Line] = []
        self.headings: list[str] = []
        self.length = 0
        self._most = most
        self._parts: list[str] = []
        self._is_heading = False
        self._ignored = 0
        self._row = 0

    def opened(self, name: str, attributes: Attributes) -> None:
        if self._ignored or name in self.ignored:
            self._ignored += 1
            return
        self._start(name, attributes)

    def closed(self, name: str) -> None:
        if self._ignored:
            self._ignored -= 1
        elif name in self.paragraphs:
            if self._row:
                self._parts.append(" ")  # the paragraphs of a row are its cells
            else:
                self.flush()
        elif name in ("tr", "table-row"):
            self._row = max(0, self._row - 1)
            if not self._row:
                self.flush()

    def text(self, part: str) -> None:
        if not self._ignored and self._is_text():
            self._parts.append(part)

    def flush(self) -> None:
        shown = " ".join(plain("".join(self._parts)).replace("\u00ad", "").split())
        self._parts.clear()
        if shown:
            self.length += len(shown)
            if self.length > self._most:
                raise _Full
            self.lines.append(Line(shown))
            if self._is_heading:
                self.headings.append(shown)
        self._is_heading = False

    def _start(self, name: str, _: Attributes) -> None:
        if name in ("tr", "table-row"):
            self._row += 1

    def _is_text(self) -> bool:
        return True


class _Docx(_Body):
    paragraphs = frozenset({"p"})
    ignored = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText"})
    _in_text = False

    def _start(self, name: str, attributes: Attributes) -> None:
        super()._start(name, attributes)
        self._in_text = name == "t"
        if name in ("tab", "br", "cr"):
            self._parts.append(" ")
        elif name == "noBreakHyphen":
            self._parts.append("-")
        elif name == "pStyle":
            style = attribute(attributes, "val").lower()
            self._is_heading = style.startswith(("heading", "berschrift", "überschrift", "title", "titel"))

    def closed(self, name: str) -> None:
        super().closed(name)
        self._in_text = False

    def _is_text(self) -> bool:
        return self._in_text


class _Odf(_Body):
    paragraphs = frozenset({"p", "h"})
    ignored = frozenset(
        {
            "tracked-changes",
            "annotation",
            "settings",
            "styles",
            "automatic-styles",
            "scripts",
            "font-face-decls",
            "desc",
        }
    )
    _depth = 0

    def _start(self, name: str, attributes: Attributes) -> None:
        super()._start(name, attributes)
        if name in self.paragraphs:
            self._depth += 1
            self._is_heading = self._is_heading or name == "h"
        elif name in ("s", "tab", "line-break"):
            self._parts.append(" ")

    def closed(self, name: str) -> None:
        if not self._ignored and name in self.paragraphs:
            self._depth -= 1
        super().closed(name)

    def _is_text(self) -> bool:
        return self._depth > 0
