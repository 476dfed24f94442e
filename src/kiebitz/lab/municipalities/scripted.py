"""A municipality whose pages are empty without a browser: a script fetches the list and draws it."""

import json
from collections.abc import Sequence
from html import escape

from kiebitz.lab.exchange import Reply
from kiebitz.lab.municipalities.decoys import decoys
from kiebitz.lab.municipalities.listing import Listed
from kiebitz.lab.municipalities.places import Municipality

LIST = "/api/issues.json"
SCRIPT = "/assets/app.js"
_SOURCE = """\
(async () => {
  const answer = await fetch("/api/issues.json");
  const known = await answer.json();
  const main = document.createElement("main");
  const heading = document.createElement("h1");
  heading.textContent = known.title;
  main.append(heading, drawn(known.issues));
  const other = document.createElement("h2");
  other.textContent = "Formulare";
  main.append(other, drawn(known.forms));
  document.getElementById("app").replaceChildren(main);
  function drawn(entries) {
    const list = document.createElement("ul");
    for (const entry of entries) {
      const link = document.createElement("a");
      link.href = entry.href;
      link.textContent = entry.label;
      const row = document.createElement("li");
      row.append(link);
      list.append(row);
    }
    return list;
  }
})();
"""


def shell(town: Municipality) -> Reply:
    text = (
        f'<!doctype html>\n<html lang="de"><head><meta charset="utf-8"><title>Stadt {escape(town.name)}</title>'
        f'<script src="{SCRIPT}" defer></script></head><body><noscript>Bitte schalten Sie JavaScript ein.</noscript>'
        '<div id="app"></div></body></html>\n'
    )
    return Reply(text.encode())


def scripted_reply(town: Municipality, path: str, items: Sequence[Listed]) -> Reply | None:
    if path == SCRIPT:
        return Reply(_SOURCE.encode(), content_type="text/javascript; charset=utf-8")
    if path != LIST:
        return None
    known = {
        "title": f"{town.papers[0].name} der Stadt {town.name}",
        "issues": [{"label": item.label, "href": item.address.target} for item in items],
        "forms": [{"label": form.text, "href": form.path} for form in decoys(town).forms],
    }
    return Reply(json.dumps(known, ensure_ascii=False).encode(), content_type="application/json")
