"""robots.txt that is broken, late, elsewhere or too long (RFC 9309 says what each means)."""

from collections.abc import Mapping, Sequence

from kiebitz.lab.exchange import PLAIN, Reply, delayed, missing, redirect
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import Answerer, BadHost, always, page, raw, rules

LIMIT = 500 << 10
LATE_SECONDS = 1.5
OPEN, SECRET = always(page("Offen")), always(page("Geheim"))
RULE = ("User-agent: *", "Disallow: /geheim")


def hosts() -> list[BadHost]:
    return [
        *_unreachable(),
        _with_rules(
            "robotsslow.example", lambda ask, _before: delayed(Reply(_text(), content_type=PLAIN), LATE_SECONDS, ask)
        ),
        *_redirected(),
        _named(),
        _big(),
        _with_rules("robotsbom.example", always(Reply(b"\xef\xbb\xbf" + _text(), content_type=PLAIN))),
        _allowed("robots404.example", always(missing())),
        _allowed("robots403.example", always(Reply(b"", 403))),
        _allowed(
            "robotsbinary.example", always(Reply(bytes(range(256)) * 40, content_type="application/octet-stream"))
        ),
    ]


def _unreachable() -> list[BadHost]:
    """A server error, or no answer at all, means: everything is forbidden. Nothing but robots.txt may be asked for."""
    answers = {"robots500.example": always(Reply(b"", 500)), "robotsvanish.example": raw(0)}
    return [
        BadHost(
            name,
            {"/robots.txt": robots, "/offen": OPEN, "/": OPEN},
            [
                Case(f"http://{name}/", "skipped|failed", "robots", unasked=True),
                Case(f"http://{name}/offen", "", unasked=True),
            ],
        )
        for name, robots in answers.items()
    ]


def _redirected() -> list[BadHost]:
    """Up to five redirects are followed, to another host as well; the rules are those of the host asked first."""
    here = always(redirect("/robots/hier.txt", 301))
    there = always(redirect("http://robotsthere.example/fern.txt", 302))
    first = _with_rules("robotsredirect.example", here, {"/robots/hier.txt": there})
    far = BadHost("robotsthere.example", {"/fern.txt": rules(*RULE)})
    return [first, far]


def _named() -> BadHost:
    """A group with our name counts instead of the group for everybody."""
    robots = rules("User-agent: *", "Disallow: /", "", "User-agent: kiebitz", "Disallow: /geheim")
    return _with_rules("robotsnamed.example", robots)


def _big() -> BadHost:
    """The first rule lies within the 500 KiB that must be read, the last one beyond."""
    filler = b"# " + b"x" * 97 + b"\n"
    text = _text() + filler * (LIMIT // len(filler) + 1200) + b"Disallow: /spaet\n"
    late = Case("http://robotsbig.example/spaet", "done")
    return _with_rules("robotsbig.example", always(Reply(text, content_type=PLAIN)), {"/spaet": OPEN}, [late])


def _with_rules(
    name: str, robots: Answerer, more: Mapping[str, Answerer] | None = None, cases: Sequence[Case] = ()
) -> BadHost:
    return BadHost(
        name,
        {"/robots.txt": robots, "/offen": OPEN, "/geheim": SECRET, **(more or {})},
        [
            Case(f"http://{name}/offen", "done"),
            Case(f"http://{name}/geheim", "skipped", "robots", unasked=True),
            *cases,
        ],
    )


def _allowed(name: str, robots: Answerer) -> BadHost:
    return BadHost(name, {"/robots.txt": robots, "/offen": OPEN}, [Case(f"http://{name}/offen", "done")])


def _text() -> bytes:
    return "\n".join([*RULE, ""]).encode()
