"""What a page in the browser may ask for, and what to say when there is no browser."""

import pytest

from kiebitz.adapters.browser import chromium
from kiebitz.adapters.browser.admission import MAX_BODY, Wish, refusal, returned, sent
from kiebitz.adapters.browser.chromium import find_chromium
from kiebitz.errors import MissingExtra

PAGE = "https://www.stadt.example/amtsblatt"


@pytest.mark.parametrize("kind", ["script", "stylesheet", "xhr", "fetch"])
def test_scripts_and_data_are_answered(kind: str) -> None:
    assert refusal(Wish("https://cdn.example/app.js", kind), PAGE) == ""


@pytest.mark.parametrize(
    "kind", ["image", "font", "media", "websocket", "eventsource", "ping", "manifest", "document", "other", "texttrack"]
)
def test_what_no_list_of_documents_needs_is_refused(kind: str) -> None:
    assert refusal(Wish("https://www.stadt.example/x", kind), PAGE) == kind


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://stadt.example/", "chrome://version", "blob:x", ""])
def test_only_http_leaves_the_house(url: str) -> None:
    assert refusal(Wish(url, "fetch"), PAGE) == "scheme"


def test_nothing_is_changed_on_a_server_and_nothing_sent_to_others() -> None:
    def post(url: str, body: bytes = b"{}") -> str:
        return refusal(Wish(url, "fetch", "POST", body), PAGE)

    assert refusal(Wish("https://www.stadt.example/x", "fetch", "DELETE"), PAGE) == "method"
    assert refusal(Wish("https://www.stadt.example/x", "fetch", "PUT", b"x"), PAGE) == "method"
    assert post("https://api.stadt.example/suche") == ""
    assert post("https://www.nachbar.example/suche") == "foreign post"
    assert post("https://www.stadt.example/suche", b"x" * (MAX_BODY + 1)) == "body"


def test_header_fields_pass_only_if_they_say_nothing_about_us_or_the_connection() -> None:
    asked = {
        "accept": "*/*",
        "x-api": "1",
        "user-agent": "Chrome",
        "cookie": "a=b",
        "host": "x",
        "sec-fetch-mode": "cors",
    }
    assert dict(sent(asked)) == {"accept": "*/*", "x-api": "1"}
    assert sent({"x-api": "1\r\nHost: evil"}) == ()
    answered = {"content-type": "text/html", "set-cookie": "a=b", "content-encoding": "br", "link": "</x>; rel=preload",
                "strict-transport-security": "max-age=1", "access-control-allow-origin": "*"}  # fmt: skip
    assert returned(answered) == {"content-type": "text/html", "access-control-allow-origin": "*"}


def test_who_has_no_browser_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingExtra, match="chromium or chromium-browser or google-chrome") as nobody:
        find_chromium("")
    assert "apt install chromium" in nobody.value.hint
    with pytest.raises(MissingExtra, match="/opt/chrome"):
        find_chromium("/opt/chrome")
    with pytest.raises(MissingExtra, match="turned off"):
        find_chromium("off")
    monkeypatch.setattr(chromium, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match="not installed") as missing:
        find_chromium("")
    assert "pip install 'kiebitz[browser]'" in missing.value.hint
    assert "chromium" in missing.value.hint
