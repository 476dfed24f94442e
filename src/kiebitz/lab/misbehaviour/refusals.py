"""Servers that say: not now. Some mean it, some only the first times, some for ever."""

from datetime import UTC, datetime, timedelta

from kiebitz.lab.exchange import Answer, Ask, Reply, http_date
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import Answerer, BadHost, page

RETRY_SECONDS = 1
ERRORS = (500, 502, 503, 504)
FLAPS = (1, 2, 9)


def hosts() -> list[BadHost]:
    return [_busy(), _flap(), _dead(), _gone()]


def _busy() -> BadHost:
    """The access log must show that the second request came no earlier than it was told."""
    base = "http://busy.example"

    def dated(_ask: Ask, _before: int) -> Answer:
        # HTTP dates have whole seconds: one more, so that the wait is at least RETRY_SECONDS
        return _refused(429, http_date(datetime.now(UTC) + timedelta(seconds=RETRY_SECONDS + 1)))

    return BadHost(
        "busy.example",
        {
            "/sekunden": _first(1, lambda _ask, _before: _refused(429, str(RETRY_SECONDS))),
            "/datum": _first(1, dated),
            "/wartung": _first(1, lambda _ask, _before: _refused(503, str(RETRY_SECONDS))),
            "/unsinn": _first(1, lambda _ask, _before: _refused(429, "bald")),
            "/immer": lambda _ask, _before: _refused(429, str(RETRY_SECONDS)),
        },
        [
            Case(f"{base}/sekunden", "done"),
            Case(f"{base}/datum", "done"),
            Case(f"{base}/wartung", "done"),
            Case(f"{base}/unsinn", "done"),
            Case(f"{base}/immer", "failed", "429"),
        ],
    )


def _flap() -> BadHost:
    base = "http://flap.example"
    table: dict[str, Answerer] = {
        f"/{times}-mal": _first(times, lambda _ask, before: Reply(b"Fehler", ERRORS[before % 4])) for times in FLAPS
    }
    cases = [
        Case(f"{base}/{times}-mal", "done" if times < 3 else "failed", "" if times < 3 else "http 5") for times in FLAPS
    ]
    return BadHost("flap.example", table, cases)


def _dead() -> BadHost:
    cases = [Case(f"http://dead.example/{number}", "failed", "503") for number in range(3)]
    return BadHost("dead.example", {}, cases, others=lambda _ask, _before: Reply(b"", 503))


def _gone() -> BadHost:
    """Ends that are final at once: no second try."""
    ends = {401: "failed", 403: "failed", 404: "failed", 410: "failed", 451: "failed"}
    return BadHost(
        "gone.example",
        {f"/{status}": _constant(Reply(b"<title>nein</title>", status)) for status in ends},
        [Case(f"http://gone.example/{status}", state, f"http {status}") for status, state in ends.items()],
    )


def _constant(reply: Reply) -> Answerer:
    return lambda _ask, _before: reply


def _refused(status: int, retry_after: str) -> Reply:
    return Reply(b"Bitte warten.", status, fields=(("Retry-After", retry_after),))


def _first(times: int, refuse: Answerer) -> Answerer:
    """Refuse the first times, then answer."""

    def answer(ask: Ask, before: int) -> Answer:
        return refuse(ask, before) if before < times else page("Alles gut", "Jetzt geht es.")

    return answer
