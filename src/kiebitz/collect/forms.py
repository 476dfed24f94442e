"""Forms: those that download at a click, and those that ask which year.

Municipal portals hide issues behind POST forms with hidden inputs, and archives behind a ``<select>`` of years. What a person
would have to type is never filled in.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from selectolax.lexbor import LexborNode

from kiebitz.model.candidate import Choice, Form
from kiebitz.standards.url import join

OPTIONS = 500
FIELDS = 60
CHOICES = 6
VALUE = 4000
STATE = 200_000  # ASP.NET keeps the whole state of a page in one field
_SILENT = frozenset({"hidden", "submit", "image", "button", "reset"})
_PRESSED = frozenset({"submit", "image"})
_CLICKED = frozenset({"a", "area", "button", "input"})
_POSTBACK = re.compile(
    r"""__doPostBack\(\s*['"]([^'"]{0,300})['"]\s*,\s*['"]([^'"]{0,300})['"]"""
    r"""|WebForm_PostBackOptions\(\s*['"]([^'"]{0,300})['"]\s*,\s*['"]([^'"]{0,300})['"]"""
)

Sent = tuple[str, str, bytes | None]  # address, method and body


def read_form(node: LexborNode, base: str, region: str) -> Form | None:
    """A form as it would be sent untouched; None if it leads out of the web."""
    attributes = node.attributes
    action = attributes.get("action") or ""
    target = join(base, action)
    if target is None:
        return None
    fragment = action.partition("#")[2]
    method = "POST" if (attributes.get("method") or "").strip().lower() == "post" else "GET"
    fields, inputs, password, buttons = _fields(node)
    choices, left_out = _choices(node)
    url = f"{target}#{fragment}" if fragment and method == "POST" else target
    return Form(url, method, tuple(fields), choices, inputs, password, region, left_out, tuple(buttons))


def submission(form: Form, *chosen: tuple[str, str]) -> tuple[str, bytes | None]:
    """Address and body of a form sent with these choices."""
    names = {name for name, _ in chosen}
    defaults = [(c.name, c.options[0][0]) for c in form.choices if c.options and c.name not in names]
    data = urlencode([*(pair for pair in form.fields if pair[0] not in names), *defaults, *chosen])
    if form.method == "POST":
        return form.url, data.encode()
    return (f"{form.url.partition('?')[0]}?{data}" if data else form.url), None


def sent_by(tag: str, attributes: Mapping[str, str | None], form: Form, base: str) -> Sent | None:
    """What a click inside a form sends: a link that posts its page back, or one of several buttons."""
    script = f"{attributes.get('href') or ''} {attributes.get('onclick') or ''}" if tag in _CLICKED else ""
    if "PostBack" in script:
        back = postback(form, script)
        return (back[0], "POST", back[1]) if back else None
    several = len(form.buttons) > 1 or "formaction" in attributes
    return pressed(form, attributes, base) if several and is_button(tag, attributes) else None


def pressed(form: Form, button: Mapping[str, str | None], base: str) -> Sent | None:
    """Address, method and body of a form sent by one of its buttons, which may lead elsewhere than the others."""
    action = button.get("formaction")
    target = form.url if action is None else join(base, action)
    if target is None or form.inputs or form.choices or form.password:
        return None
    method = (button.get("formmethod") or form.method).strip().upper()
    own = (button.get("name") or "", (button.get("value") or "")[:VALUE])
    fields = tuple(pair for pair in form.fields if pair not in form.buttons) + ((own,) if own[0] else ())
    method = "POST" if method == "POST" else "GET"
    url, body = submission(form._replace(url=target, method=method, fields=fields))
    return url, method, body


def postback(form: Form, script: str) -> tuple[str, bytes] | None:
    """Address and body of what ASP.NET sends when a link of the form is clicked; the fragment tells such links apart."""
    found = _POSTBACK.search(script)
    if found is None or form.method != "POST" or form.password:
        return None
    event, argument = (found[1], found[2]) if found[1] is not None else (found[3], found[4])
    chosen = (("__EVENTTARGET", event), ("__EVENTARGUMENT", argument))
    silent = tuple(pair for pair in form.fields if pair not in form.buttons)
    url, body = submission(form._replace(fields=silent), *chosen)
    return (f"{url.partition('#')[0]}#{quote(f'{event} {argument}'.strip())}", body) if body else None


def _fields(node: LexborNode) -> tuple[list[tuple[str, str]], int, bool, list[tuple[str, str]]]:
    fields: list[tuple[str, str]] = []
    buttons: list[tuple[str, str]] = []
    inputs, password = len(node.css("textarea")), False
    for entry in node.css("input, button[name]")[: FIELDS * 4]:
        attributes = entry.attributes
        kind = (attributes.get("type") or ("submit" if entry.tag == "button" else "text")).lower()
        password = password or kind == "password"
        name = attributes.get("name") or ""
        value = (attributes.get("value") or "")[: STATE if name.startswith("__") else VALUE]
        if kind not in _SILENT:
            inputs += kind not in ("radio", "checkbox")
            if kind in ("radio", "checkbox") and "checked" not in attributes:
                continue
        if not name or kind in ("reset", "image") or len(fields) >= FIELDS:
            continue
        if kind in ("submit", "button"):
            if kind == "submit":
                buttons.append((name, value))
            if len(buttons) != 1 or kind == "button":
                continue  # a browser sends the one button that was pressed
        fields.append((name, value))
    return fields, inputs, password, buttons


def _choices(node: LexborNode) -> tuple[tuple[Choice, ...], int]:
    found: list[Choice] = []
    left_out = 0
    for select in node.css("select[name]")[:CHOICES]:
        options = select.css("option")
        left_out += max(0, len(options) - OPTIONS)
        pairs = [_option(option) for option in options[:OPTIONS]]
        found.append(Choice(select.attributes.get("name") or "", tuple(pairs)))
    return tuple(found), left_out


def is_button(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Does it send its form?"""
    kind = (attributes.get("type") or ("submit" if tag == "button" else "text")).lower()
    return tag in ("button", "input") and kind in _PRESSED and ("formaction" in attributes or "name" in attributes)


def _option(node: LexborNode) -> tuple[str, str]:
    text = " ".join(node.text().split())[:200]
    value = node.attributes.get("value")
    return (text if value is None else value[:VALUE]), text
