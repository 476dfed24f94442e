"""Contents that are not what they are called: types that nobody asked for, types that are wrong, types that are missing."""

from kiebitz.lab.exchange import HTML, PDF, Reply, Script, Wire, head
from kiebitz.lab.misbehaviour.case import Case
from kiebitz.lab.misbehaviour.host import BadHost, always, html
from kiebitz.lab.pdf import write_pdf

FILM_BYTES = 40 << 20  # below what a document may weigh: only its type speaks against it
BLOCK = bytes(64 << 10)
UNWANTED_BYTES = 16 << 20  # what the kernel's buffers may hold before the client's refusal is noticed
DOCUMENT = write_pdf("Amtsblatt", ["Amtsblatt Nr. 1", "Bekanntmachung der Gemeinde"])
PAGE = html("Alles gut", "Dies ist eine Seite.").encode()
TWIN = write_pdf("Zwilling", ["Dasselbe Dokument", "unter drei Adressen"])
TWIN_PAGE = html("Zwilling", "Dieselbe Seite unter vielen Adressen.").encode()
TWIN_PATHS = ("/", "/index.html", "/start", "/start/", "/Start", "/?druck=1", "/index.html?sprache=de")
TWIN_DOCUMENTS = ("/a.pdf", "/b.pdf", "/herunterladen?id=7")


def hosts() -> list[BadHost]:
    return [_types(), _twins()]


def _types() -> BadHost:
    base = "http://types.example"
    stream = "application/octet-stream"
    table = {
        "/film.mp4": always(Script(200, _film)),
        "/bild.png": always(Reply(b"\x89PNG\r\n\x1a\n" + bytes(100), content_type="image/png")),
        "/stil.css": always(Reply(b"body{}", content_type="text/css")),
        "/programm": always(Reply(b"MZ\x90\0" + bytes(5000), content_type=stream)),
        "/oktett.pdf": always(Reply(DOCUMENT, content_type=stream)),
        "/oktett": always(Reply(DOCUMENT, content_type=stream)),
        "/dokument": always(Reply(DOCUMENT, content_type=PDF)),
        "/seite.pdf": always(Reply(PAGE, content_type=HTML)),
        "/angeblich.pdf": always(Reply(PAGE, content_type=PDF)),
        "/ohne-typ": always(Reply(PAGE, content_type="")),
        "/grossgeschrieben": always(Reply(PAGE, content_type="TEXT/HTML ;Charset=UTF-8")),
        "/leer": always(Reply(b"")),
    }
    cases = [
        Case(f"{base}/film.mp4", "skipped", "type", bytes_at_most=UNWANTED_BYTES),
        Case(f"{base}/bild.png", "skipped", "type"),
        Case(f"{base}/stil.css", "skipped", "type"),
        Case(f"{base}/programm", "skipped|done", "type|^$"),
        Case(f"{base}/oktett.pdf", "done"),
        Case(f"{base}/oktett", "done"),
        Case(f"{base}/dokument", "done"),
        Case(f"{base}/seite.pdf", "done", text="Alles gut"),
        Case(f"{base}/angeblich.pdf", "done|skipped", "type|^$"),
        Case(f"{base}/ohne-typ", "done", text="Alles gut"),
        Case(f"{base}/grossgeschrieben", "done", text="Alles gut"),
        Case(f"{base}/leer", "done"),
    ]
    return BadHost("types.example", table, cases)


def _twins() -> BadHost:
    """Each is a URL of its own; the document is stored once."""
    base = "http://twins.example"
    links = "".join(f'<a href="{path}">Zwilling</a> ' for path in (*TWIN_PATHS, *TWIN_DOCUMENTS)).encode()
    page = Reply(TWIN_PAGE.replace(b"<ul>", b"<ul>" + links))
    table = {path: always(page) for path in TWIN_PATHS}
    documents = {path: always(Reply(TWIN, content_type=PDF)) for path in TWIN_DOCUMENTS}
    cases = [Case(f"{base}{path}", "done") for path in (*TWIN_PATHS, *TWIN_DOCUMENTS)]
    return BadHost("twins.example", {**table, **documents}, cases)


async def _film(wire: Wire) -> None:
    await wire.send(head(200, ("Content-Type", "video/mp4"), ("Content-Length", str(FILM_BYTES))))
    for _ in range(FILM_BYTES // len(BLOCK)):
        await wire.send(BLOCK)
