"""The control port of a lab: read and clear the access log, move the calendar, let something happen to a municipality,
read the truth about them. It listens on 127.0.0.1 only.

It is also the canary: a crawler must never come here, so every request that is not one of ours is counted.
"""

import json
from urllib.parse import parse_qs

from kiebitz.errors import InputError
from kiebitz.lab.exchange import Answer, Ask, Reply
from kiebitz.lab.log import AccessLog, to_line
from kiebitz.lab.municipalities.truth import to_json
from kiebitz.lab.world import World

JSON = "application/json"
JSON_LINES = "application/jsonl; charset=utf-8"


class Control:
    def __init__(self, world: World, log: AccessLog) -> None:
        self._world = world
        self._log = log
        self._strays = 0

    def answer(self, ask: Ask) -> Answer:
        asked = parse_qs(ask.query)
        if ask.path == "/log":
            after = int(asked.get("after", ["0"])[0])
            lines = "".join(to_line(entry) for entry in self._log.entries[after:])
            return Reply(lines.encode(), content_type=JSON_LINES)
        if ask.path == "/stats":
            return _json({**self._log.stats(), "strays": self._strays, "today": str(self._world.calendar.today)})
        if ask.path == "/reset" and ask.method == "POST":
            self._log.clear()
            self._world.forget()
            self._strays = 0
            return _json({})
        if ask.path == "/clock" and ask.method == "POST":
            self._world.calendar.advance(int(asked.get("days", ["0"])[0]))
            return _json({"today": str(self._world.calendar.today)})
        if ask.path in ("/truth", "/event"):
            return self._municipal(ask, asked)
        self._strays += 1
        return Reply(b"<title>canary</title>", content_type="text/html")

    def forget(self) -> None:
        self._strays = 0

    def _municipal(self, ask: Ask, asked: dict[str, list[str]]) -> Reply:
        host = asked.get("host", [""])[0]
        region = self._world.region
        try:
            if ask.path == "/truth":
                return Reply(to_json(region.truth(host)).encode(), content_type=JSON)
            if ask.method != "POST":
                return _json({"error": "an event is a POST"}, 405)
            region.event(host, asked.get("kind", [""])[0])
        except InputError as error:
            return _json({"error": str(error), "hint": error.hint}, 400)
        return _json({"today": str(self._world.calendar.today)})


def _json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status, JSON)
