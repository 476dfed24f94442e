"""Bodies that do not come as announced: too slow, too long, too short, in broken pieces, or not at all."""

from kiebitz.lab.exchange import HTML, Answer, Ask, Script, Wire, head
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import Answerer, BadHost, html, raw

OK = html("Alles gut", "Diese Seite ist ganz.").encode()
TYPE = ("Content-Type", HTML)
CHUNKED = ("Transfer-Encoding", "chunked")
BLOCK = b"<p>Und so weiter und so fort, ohne Ende.</p>\n" * 1400  # about 64 KB
A_DAY = 86_400.0
LATE = "time|total|first byte"
FALSE = b"<title>untergeschoben</title>"
SMUGGLED = head(200, TYPE, ("Content-Length", str(len(FALSE)))) + FALSE


def hosts() -> list[BadHost]:
    return [_drip(), _endless(), _shortlength(), _longlength(), _chunks(), _reset(), _vanish(), _stall()]


def _drip() -> BadHost:
    """Bytes come one by one: once fast enough to be worth the wait, twice never."""
    base = "http://drip.example"
    start = head(200, TYPE, CHUNKED)
    pieces = [start, *(_chunk(OK[at : at + 16]) for at in range(0, len(OK), 16)), b"0\r\n\r\n"]
    return BadHost(
        "drip.example",
        {
            "/langsam": raw(200, *pieces, pause=0.05, end="keep"),
            "/tropfen": _forever(start, _chunk(b"."), 0.2),
            "/kopf": _forever(b"HTTP/1.1 200 OK\r\n", b"X", 0.2),
        },
        [
            Case(f"{base}/langsam", "done", text="Alles gut"),
            Case(f"{base}/tropfen", "failed", LATE),
            Case(f"{base}/kopf", "failed", LATE),
        ],
    )


def _endless() -> BadHost:
    base = "http://endless.example"
    unannounced = head(200, TYPE, ("Connection", "close"))
    return BadHost(
        "endless.example",
        {
            "/ohne-ende": _forever(head(200, TYPE, CHUNKED), _chunk(BLOCK), 0),
            "/ohne-laenge": _forever(unannounced, BLOCK, 0),
            "/angekuendigt": _forever(head(200, TYPE, ("Content-Length", str(1 << 40))), BLOCK, 0),
        },
        [
            Case(f"{base}/ohne-ende", "skipped", "limit|size", bytes_at_most=128 << 20),
            Case(f"{base}/ohne-laenge", "skipped", "limit|size", bytes_at_most=128 << 20),
            Case(f"{base}/angekuendigt", "skipped", "limit|size", bytes_at_most=128 << 20),
        ],
    )


def _shortlength() -> BadHost:
    """More bytes than announced; the rest looks like an answer and must not be taken for the next one."""
    base = "http://shortlength.example"
    announced = head(200, TYPE, ("Content-Length", str(len(OK))))
    return BadHost(
        "shortlength.example",
        {
            "/eins": raw(200, announced + OK + SMUGGLED, end="keep"),
            "/zwei": raw(200, announced + OK, end="keep"),
        },
        [Case(f"{base}/eins", "done", text="Alles gut"), Case(f"{base}/zwei", "done", text="Alles gut")],
    )


def _longlength() -> BadHost:
    base = "http://longlength.example"
    longer = head(200, TYPE, ("Content-Length", str(len(OK) + 5000)))
    return BadHost("longlength.example", {"/mehr": raw(200, longer + OK)}, [Case(f"{base}/mehr", "failed")])


def _chunks() -> BadHost:
    base = "http://chunks.example"
    start = head(200, TYPE, CHUNKED)
    good = b"%x;erweiterung=ja\r\n%b\r\n0\r\nTrailer-Feld: ja\r\n\r\n" % (len(OK), OK)
    return BadHost(
        "chunks.example",
        {
            "/gut": raw(200, start + good, end="keep"),
            "/beides": raw(200, head(200, TYPE, CHUNKED, ("Content-Length", "3")) + good),
            "/kaputt": raw(200, start + b"zz\r\n" + OK + b"\r\n0\r\n\r\n"),
            "/abgebrochen": raw(200, start + _chunk(OK)),
            "/riesig": raw(200, start + b"ffffffffffffffff\r\n" + OK),
            "/ohne-zeilenende": raw(200, start + b"5\r\nabcdefghij\r\n0\r\n\r\n"),
        },
        [
            Case(f"{base}/gut", "done", text="Alles gut"),
            Case(f"{base}/beides", "done|failed"),
            Case(f"{base}/kaputt", "failed"),
            Case(f"{base}/abgebrochen", "failed"),
            Case(f"{base}/riesig", "failed|skipped"),
            Case(f"{base}/ohne-zeilenende", "failed"),
        ],
    )


def _reset() -> BadHost:
    base = "http://reset.example"
    announced = head(200, TYPE, ("Content-Length", "100000"))
    return BadHost(
        "reset.example",
        {
            "/mitten-im-text": raw(200, announced + OK, end="reset"),
            "/mitten-im-kopf": raw(200, b"HTTP/1.1 200 OK\r\nContent-", end="reset"),
        },
        [Case(f"{base}/mitten-im-text", "failed"), Case(f"{base}/mitten-im-kopf", "failed")],
    )


def _vanish() -> BadHost:
    """Closes without a word; once only the first time, as servers do with a connection they are tired of."""
    base = "http://vanish.example"
    gone = raw(0)

    def once(ask: Ask, before: int) -> Answer:
        good = raw(200, head(200, TYPE, ("Content-Length", str(len(OK)))) + OK, end="keep")
        return (good if before else gone)(ask, before)

    return BadHost(
        "vanish.example",
        {"/weg": gone, "/einmal": once},
        [Case(f"{base}/weg", "failed"), Case(f"{base}/einmal", "done", text="Alles gut")],
    )


def _stall() -> BadHost:
    async def play(wire: Wire) -> None:
        await wire.pause(A_DAY)

    silent = Script(0, play)
    return BadHost(
        "stall.example",
        {"/schweigen": lambda _ask, _before: silent},
        [Case("http://stall.example/schweigen", "failed", LATE)],
    )


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _forever(start: bytes, piece: bytes, pause: float) -> Answerer:
    async def play(wire: Wire) -> None:
        await wire.send(start)
        while True:
            await wire.pause(pause)
            await wire.send(piece)

    return lambda _ask, _before: Script(200, play)
