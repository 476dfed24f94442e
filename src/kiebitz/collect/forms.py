"""Forms: those that download at a click, and those that ask which year.

Municipal portals hide issues behind POST forms with hidden inputs, and archives behind a ``<select>`` of years. What a person
would have to type is never filled in.
"""

from urllib.parse import urlencode

from selectolax.lexbor import LexborNode

from kiebitz.model.candidate import Choice, Form
from kiebitz.standards.url import join

OPTIONS = 500
FIELDS = 60
CHOICES = 6
VALUE = 4000
_SILENT = frozenset({"hidden", "submit", "image", "button", "reset"})
_PRESSED = frozenset({"submit", "image"})


def read_form(node: LexborNode, base: str, region: str) -> Form | None:
    """A form as it would be sent untouched; None if it leads out of the web."""
    attributes = node.attributes
    action = attributes.get("action") or ""
    target = join(base, action)
    if target is None:
        return None
    fragment = action.partition("#")[2]
    method = "POST" if (attributes.get("method") or "").strip().lower() == "post" else "GET"
    fields, inputs, password = _fields(node)
    choices, left_out = _choices(node)
    url = f"{target}#{fragment}" if fragment and method == "POST" else target
    return Form(url, method, tuple(fields), choices, inputs, password, region, left_out)


def submission(form: Form, *chosen: tuple[str, str]) -> tuple[str, bytes | None]:
    """Address and body of a form sent with these choices."""
    names = {name for name, _ in chosen}
    defaults = [(c.name, c.options[0][0]) for c in form.choices if c.options and c.name not in names]
    data = urlencode([*(pair for pair in form.fields if pair[0] not in names), *defaults, *chosen])
    if form.method == "POST":
        return form.url, data.encode()
    return (f"{form.url.partition('?')[0]}?{data}" if data else form.url), None


def _fields(node: LexborNode) -> tuple[list[tuple[str, str]], int, bool]:
    fields: list[tuple[str, str]] = []
    inputs, password, pressed = len(node.css("textarea")), False, False
    for entry in node.css("input, button[name]")[: FIELDS * 4]:
        attributes = entry.attributes
        kind = (attributes.get("type") or ("submit" if entry.tag == "button" else "text")).lower()
        password = password or kind == "password"
        name, value = attributes.get("name") or "", (attributes.get("value") or "")[:VALUE]
        if kind not in _SILENT:
            inputs += kind not in ("radio", "checkbox")
            if kind in ("radio", "checkbox") and "checked" not in attributes:
                continue
        if not name or kind in ("reset", "image") or len(fields) >= FIELDS:
            continue
        if kind in ("submit", "button"):
            if pressed or kind == "button":
                continue  # a browser sends the one button that was pressed
            pressed = True
        fields.append((name, value))
    return fields, inputs, password


def _choices(node: LexborNode) -> tuple[tuple[Choice, ...], int]:
    found: list[Choice] = []
    left_out = 0
    for select in node.css("select[name]")[:CHOICES]:
        options = select.css("option")
        left_out += max(0, len(options) - OPTIONS)
        pairs = [_option(option) for option in options[:OPTIONS]]
        found.append(Choice(select.attributes.get("name") or "", tuple(pairs)))
    return tuple(found), left_out


def _option(node: LexborNode) -> tuple[str, str]:
    text = " ".join(node.text().split())[:200]
    value = node.attributes.get("value")
    return (text if value is None else value[:VALUE]), text
