"""Links in context: everything a person sees around a link, read in one walk through the page.

The walk goes through the tree once, without recursion, and keeps the open elements on a stack. All text is kept as a list of
pieces in reading order, so that the row of a link is a slice. A *row* is the largest element around a link that holds no
other target; where there is none, it is the text between two breaks. Work is bounded by the limits below, whatever the page.
"""

from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from kiebitz.collect.elements import (
    ANCHORS,
    INLINE,
    INVISIBLE,
    ROWS,
    TEXT,
    UNSEEN,
    Frame,
    SeenLink,
    clean,
    controlled,
    heading_level,
    shape_of,
    target_of,
)
from kiebitz.collect.forms import OPTIONS, Sent, read_form, sent_by
from kiebitz.collect.harm import element_changes, form_changes, left_alone, says_action, sending_changes
from kiebitz.collect.marks import fold, unofficial_in
from kiebitz.collect.names import file_name
from kiebitz.collect.regions import Attributes, is_content, region_of
from kiebitz.collect.rows import candidate_of, form_link
from kiebitz.model.candidate import Candidate, Form
from kiebitz.standards.url import join

NODES = 400_000
LINKS = 20_000
POSTED = 5_000_000
FORMS = 2_000
ROW = 400
ROW_LINKS = 4
PIECE = 500
SHAPE = 7
BELOW = 10  # pieces of text below a heading


@dataclass(slots=True)
class Walk:
    """One walk through one page; afterwards ``candidates`` and ``forms`` tell what was seen."""

    base: str
    pieces: list[str] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headline: str = ""
    characters: int = 0
    _links: list[SeenLink] = field(default_factory=list)
    _stack: list[Frame] = field(default_factory=list)
    _outline: list[tuple[int, str]] = field(default_factory=list)
    _labels: dict[str, str] = field(default_factory=dict)
    _break: int = 0
    _tail: int = -1  # the last link, while the text after it is still its own
    _open: int = -1
    _is_soft: bool = False  # the open link is no anchor
    _below: int = -1  # where the text below the last heading begins, until a link has stood there
    _posted: int = 0  # bytes of the bodies that links would send
    _changing: int = 0  # what is left alone because it may change something

    def run(self, root: LexborNode) -> None:
        node: LexborNode | None = root
        left = NODES
        while node is not None:
            left -= 1
            if left == 0:
                self._cut_off(f"{NODES:,} nodes")
                break
            child = node.first_child if self._enter(node) else None
            if child is not None:
                node = child
                continue
            while node is not None:
                if self._stack and node.is_element_node:
                    self._leave()
                if node.next is not None:
                    node = node.next
                    break
                node = node.parent if self._stack else None
        while self._stack:
            self._leave()

    def candidates(self) -> list[Candidate]:
        found = [candidate_of(number, link, self.pieces, self.owners) for number, link in enumerate(self._links)]
        kept = [
            entry
            for entry, link in zip(found, self._links, strict=True)
            if not link.is_sent or not sending_changes(entry)
        ]
        self.notes += left_alone(self._changing + len(found) - len(kept))
        return kept

    def _enter(self, node: LexborNode) -> bool:
        """Open an element; False where nothing inside is to be read."""
        if node.is_text_node:
            self._read(node.text_content or "")
            return False
        if not node.is_element_node:
            return False
        tag, attributes = node.tag or "", node.attributes
        classes = (attributes.get("class") or "").lower()
        parent = self._stack[-1] if self._stack else None
        frame = Frame(
            tag,
            shape_of(tag, classes),
            region_of(tag, attributes, parent.region, in_content=parent.in_content) if parent else "main",
            len(self.pieces),
            self.characters,
            len(self._links),
            is_content(tag) or (parent is not None and parent.in_content),
            controlled(tag, attributes),
        )
        if tag not in INLINE:
            self._cut()
        self._stack.append(frame)
        self._scope(frame, parent, attributes)
        if self._open >= 0 and tag in ("a", "area") and self._is_soft and target_of(tag, attributes):
            self._withdraw()
        if tag == "form":
            frame.form = self._form(node, frame.region)
            frame.changes = frame.form is not None and form_changes(node, frame.form)
        elif tag == "select":
            self._options(node, frame)
        elif tag == "img" and self._open >= 0:
            self._describe(attributes.get("alt") or attributes.get("title") or "")
        elif self._open < 0 and attributes:
            self._lead(frame, attributes)
        return tag not in UNSEEN

    def _lead(self, frame: Frame, attributes: Attributes) -> None:
        """Begin a link, if a click on this element leads somewhere and changes nothing."""
        if element_changes(attributes):
            self._changing += 1
        elif sent := self._sent(frame.tag, attributes):
            self._posted += len(sent[2] or b"")
            self._start(frame, sent[0], attributes, sent)
        elif (href := target_of(frame.tag, attributes)) and (target := join(self.base, href)):
            self._start(frame, target, attributes)

    def _leave(self) -> None:
        frame = self._stack.pop()
        if frame.link >= 0:
            self._links[frame.link].last = len(self.pieces)
            self._open, self._tail = -1, frame.link
            self._break = len(self.pieces)
        if frame.form is not None:
            self._finish_form(frame, frame.form)
        self._row(frame)
        if frame.outline is not None:
            self._outline = frame.outline
        self._head(frame)
        if frame.tag not in INLINE:
            self._cut()

    def _read(self, raw: str) -> None:
        text = " ".join(raw.translate(INVISIBLE).split())
        if text:
            self.pieces.append(text[:PIECE])
            self.owners.append(self._open)
            self.characters += len(text)

    def _cut(self) -> None:
        """A break: what follows belongs to another line."""
        if self._open >= 0:
            return
        if self._tail >= 0:
            self._links[self._tail].after = len(self.pieces)
            self._tail = -1
        self._break = len(self.pieces)

    def _scope(self, frame: Frame, parent: Frame | None, attributes: Attributes) -> None:
        """Headings inside navigation, tab panels, tables and <details> end with them."""
        label = self._labels.get(attributes.get("id") or "") or self._labels.get(
            attributes.get("aria-labelledby") or ""
        )
        if label or frame.tag in ("details", "table") or (parent and frame.region != parent.region):
            frame.outline = list(self._outline)
        if label:
            self._outline = [*(entry for entry in self._outline if entry[0] < 7), (7, label)]

    def _withdraw(self) -> None:
        """The open link is a row that leads somewhere; it holds links of its own, and those count."""
        for frame in reversed(self._stack):
            frame.first_link = min(frame.first_link, self._open)
            if frame.link == self._open:
                frame.link = -1
                break
        for piece in range(self._links.pop().first, len(self.pieces)):
            self.owners[piece] = -1
        self._open = -1

    def _sent(self, tag: str, attributes: Attributes) -> Sent | None:
        form = next((frame.form for frame in reversed(self._stack) if frame.form is not None), None)
        sent = None if form is None or self._posted > POSTED else sent_by(tag, attributes, form, self.base)
        if sent and says_action(attributes.get("value") or ""):
            self._changing += 1
            return None
        return sent

    def _start(self, frame: Frame, target: str, attributes: Attributes, sent: Sent | None = None) -> None:
        if len(self._links) >= LINKS:
            self._cut_off(f"{LINKS:,} links")
            return
        self._doubt()
        method, body = sent[1:] if sent else ("GET", None)
        hints = f"{attributes.get('type') or ''} {attributes.get('class') or ''} {'download' if 'download' in attributes else ''}"
        link = SeenLink(
            target,
            clean(attributes.get("title")),
            clean(attributes.get("aria-label")),
            hints.lower(),
            file_name(target, attributes.get("download") or "") if method == "GET" else "",
            frame.region,
            " › ".join(text for _, text in self._outline),
            "/".join(entry.shape for entry in self._stack[-SHAPE:]),
            len(self.pieces),
            before=self._break,
            method=method,
            body=body,
            is_sent=sent is not None,
        )
        if self._tail >= 0:
            self._links[self._tail].after = len(self.pieces)
            self._tail = -1
        frame.link = self._open = len(self._links)
        self._is_soft = frame.tag not in ANCHORS
        self._links.append(link)

    def _doubt(self) -> None:
        """What the text below a heading says against the paper belongs to the heading: "enthält Werbung"."""
        if 0 <= self._below < len(self.pieces) and self._outline:
            said = " ".join(self.pieces[self._below : self._below + BELOW])[:TEXT]
            if unofficial_in(fold(said)):
                level, text = self._outline[-1]
                self._outline = [*self._outline[:-1], (level, f"{text} ({said})"[:TEXT])]
        self._below = -1

    def _options(self, select: LexborNode, frame: Frame) -> None:
        """Options that are addresses: a menu that a script follows."""
        for option in select.css("option[value]")[:OPTIONS]:
            value = (option.attributes.get("value") or "").strip()
            target = join(self.base, value) if "/" in value or value.startswith("?") or value.endswith(".pdf") else None
            if target and self._open < 0:
                self._start(frame, target, {})
                self._read(option.text())
                self._links[-1].last = len(self.pieces)
                self._open = frame.link = -1

    def _describe(self, alternative: str) -> None:
        link = self._links[self._open]
        if alternative and len(link.label) < TEXT:
            link.label = f"{link.label} {clean(alternative)}".strip()

    def _form(self, node: LexborNode, region: str) -> Form | None:
        if len(self.forms) < FORMS:
            return read_form(node, self.base, region)
        self._cut_off(f"{FORMS:,} forms")
        return None

    def _cut_off(self, limit: str) -> None:
        self.notes = list(dict.fromkeys([*self.notes, f"the page has more than {limit}: the rest is not read"]))

    def _finish_form(self, frame: Frame, form: Form) -> None:
        """A form that asks nothing and holds no links is a download button."""
        if frame.changes and not form.password:  # one with a password is never sent, but tells what the page is
            self._changing += 1
            return
        self.forms.append(form)
        asks = form.inputs or form.choices or form.password
        if asks or len(self._links) > frame.first_link or len(self._links) >= LINKS:
            return
        link = form_link(form, frame, " › ".join(text for _, text in self._outline))
        link.path = "/".join(entry.shape for entry in (*self._stack[1 - SHAPE :], frame))
        link.last = link.after = len(self.pieces)
        link.before = self._break
        for piece in range(link.first, link.last):
            self.owners[piece] = len(self._links)
        self._links.append(link)

    def _row(self, frame: Frame) -> None:
        count = len(self._links) - frame.first_link
        parent = self._stack[-1] if self._stack else None
        if parent and (frame.rows_inside or (frame.tag in ROWS and count)):
            parent.rows_inside = True
        if not 0 < count <= ROW_LINKS or self.characters - frame.first_char > ROW:
            return
        inside = self._links[frame.first_link :]
        if len({(link.url, link.body) for link in inside}) > 1 and (frame.tag not in ROWS or frame.rows_inside):
            return
        for link in inside:
            link.row = (frame.first_piece, len(self.pieces))
            if frame.headed:  # the heading of the row is nearer than the one above it
                link.outline = " › ".join(text for _, text in self._outline)

    def _head(self, frame: Frame) -> None:
        """Remember headings, and what plays the part of one: bold lines, accordion buttons, tabs."""
        level = heading_level(frame, self._stack[-1] if self._stack else None)
        if not level or self.characters - frame.first_char > TEXT:
            return
        if len(self._links) > frame.first_link and level == 7:
            return
        text = " ".join(self.pieces[frame.first_piece :])[:TEXT]
        if text and frame.controls and len(self._labels) < FORMS:
            self._labels[frame.controls] = text
        if text:
            for open_frame in self._stack[-SHAPE:]:
                open_frame.headed = True
            self._outline = [*(entry for entry in self._outline if entry[0] < level), (level, text)]
            self._below = len(self.pieces)
            if level == 1 and not self.headline:
                self.headline = text
