"""The contract of Notifier, over loopback, and what each technology adds to it."""

import base64
import hmac
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email import message_from_bytes
from email.policy import default
from hashlib import sha256

import pytest

from kiebitz.adapters.apprise.notifier import AppriseNotifier
from kiebitz.adapters.mail.notifier import MailNotifier, mail_server
from kiebitz.adapters.memory.clock import ManualClock
from kiebitz.adapters.memory.resolver import TableResolver
from kiebitz.adapters.webhook.notifier import WebhookNotifier
from kiebitz.errors import AddressRefused, DeliveryFailed, DeliveryRefused, InputError, KiebitzError, MissingExtra
from kiebitz.fetch.guard import Guard
from kiebitz.model.alert import Match, SavedSearch
from kiebitz.model.announcement import Announcement
from kiebitz.ports.notifier import Notifier
from tests.contract.awaited import awaited
from tests.contract.wire import curl
from tests.receivers import mailbox, webhooks

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
SEARCH = SavedSearch("6ba7b811-9dad-11d1-80b4-00c04fd430c8", "Bau\r\nBcc: all@example.org", "bebauungsplan", AT)
MATCH = Match(
    SEARCH.id,
    "p1",
    "v1",
    "https://stadt.example/1.pdf",
    "Amtsblatt „5“\r\n.\r\nRSET \x1b[31m\u202e",
    AT,
    excerpt="… der Bebauungsplan <script>",
    source="Köln",
    published=date(2026, 2, 28),
)
NEWS = Announcement("d" * 32, SEARCH, (MATCH,), AT)
SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


@dataclass
class Post:
    """A notifier, a channel that takes everything, and how often it was told."""

    notifier: Notifier
    channel: str
    told: list[object]


@pytest.fixture(params=["webhook", "mail"])
def technology(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def opened(technology: str, stack: AsyncExitStack) -> Post:
    if technology == "webhook":
        receiver = stack.enter_context(webhooks())
        fetcher = await stack.enter_async_context(curl())
        return Post(WebhookNotifier(fetcher, ManualClock()), receiver.url, receiver.posted)  # type: ignore[arg-type]
    box = stack.enter_context(mailbox())
    return Post(MailNotifier(box.url, "kiebitz@example.org"), "mailto:a@b.example", box.mails)  # type: ignore[arg-type]


@awaited
async def test_what_is_sent_is_taken_once(technology: str) -> None:
    async with AsyncExitStack() as stack:
        post = await opened(technology, stack)
        post.notifier.check(post.channel)
        assert not post.told
        await post.notifier.send(post.channel, NEWS)
        await post.notifier.close()
        assert len(post.told) == 1


@awaited
async def test_a_channel_that_is_none_is_refused_before_anything_is_sent(technology: str) -> None:
    async with AsyncExitStack() as stack:
        post = await opened(technology, stack)
        for channel in (
            "",
            "nonsense",
            "mailto:",
            "mailto:a@b\r\nRCPT TO:<c@d>",
            "http://",
            "ftp://x/",
            "https://u:p@x/",
        ):
            with pytest.raises(InputError):
                post.notifier.check(channel)
        assert not post.told


@awaited
async def test_nobody_there_is_an_error_that_may_pass(technology: str) -> None:
    async with AsyncExitStack() as stack, AsyncExitStack() as receivers:
        post = await opened(technology, receivers)
        if technology == "webhook":
            post.notifier = WebhookNotifier(await stack.enter_async_context(curl()), ManualClock())
        await receivers.aclose()
        with pytest.raises(KiebitzError) as caught:
            await post.notifier.send(post.channel, NEWS)
        assert caught.value.retryable


# ---------------------------------------------------------------------- webhooks


@awaited
async def test_a_webhook_is_signed_and_the_same_whenever_it_is_sent() -> None:
    clock = ManualClock(1_800_000_000)
    with webhooks() as receiver:
        async with curl() as fetcher:
            notifier = WebhookNotifier(fetcher, clock, SECRET)
            await notifier.send(receiver.url, NEWS)
            clock.advance(60)
            await notifier.send(receiver.url, NEWS)
    first, again = receiver.posted
    assert first.body == again.body
    for posted, at in ((first, 1_800_000_000), (again, 1_800_000_060)):
        assert posted.headers["webhook-id"] == posted.headers["idempotency-key"] == NEWS.id
        assert posted.headers["webhook-timestamp"] == str(at)
        expected = hmac.new(b"k" * 24, f"{NEWS.id}.{at}.".encode() + posted.body, sha256).digest()
        assert posted.headers["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    told = json.loads(first.body)
    assert (told["id"], told["type"]) == (NEWS.id, "alert.matches")
    (match,) = told["matches"]
    assert (match["id"], match["title"], match["published"]) == (MATCH.id, MATCH.title, "2026-02-28")


@awaited
async def test_without_a_secret_nothing_is_signed() -> None:
    with webhooks() as receiver:
        async with curl() as fetcher:
            await WebhookNotifier(fetcher, ManualClock()).send(receiver.url, NEWS)
    assert "webhook-signature" not in receiver.posted[0].headers


@pytest.mark.parametrize(
    ("status", "error", "wait"),
    [
        (500, DeliveryFailed, 0),
        (503, DeliveryFailed, 90),
        (429, DeliveryFailed, 90),
        (400, DeliveryRefused, 0),
        (410, DeliveryRefused, 0),
        (307, DeliveryRefused, 0),
    ],
)
def test_an_answer_says_whether_a_later_try_may_succeed(status: int, error: type[DeliveryFailed], wait: float) -> None:
    @awaited
    async def ask() -> None:
        headers = {"Retry-After": "90"} if wait else {"Location": "http://169.254.169.254/"}
        with webhooks(lambda _posted: (status, headers)) as receiver:
            async with curl() as fetcher:
                with pytest.raises(error) as caught:
                    await WebhookNotifier(fetcher, ManualClock()).send(receiver.url, NEWS)
        assert (type(caught.value), caught.value.wait) == (error, wait)
        assert len(receiver.posted) == 1

    ask()


@awaited
async def test_a_webhook_on_a_private_address_is_refused_and_not_tried_again() -> None:
    with webhooks() as receiver:
        async with curl(TableResolver({"hook.example": "127.0.0.1"}), allow="") as fetcher:
            notifier = WebhookNotifier(fetcher, ManualClock())
            for host in ("127.0.0.1", "hook.example", "[::ffff:127.0.0.1]"):
                with pytest.raises(AddressRefused) as caught:
                    await notifier.send(f"http://{host}:{receiver.port}/hook", NEWS)
                assert not caught.value.retryable
    assert receiver.posted == []


# ---------------------------------------------------------------------- mail


@awaited
async def test_a_mail_has_one_receiver_and_hostile_text_stays_text() -> None:
    with mailbox() as box:
        notifier = MailNotifier(box.url, "kiebitz@example.org")
        await notifier.send("mailto:a@b.example", NEWS)
        await notifier.send("mailto:a@b.example", NEWS)
    (sender, receiver, content), again = box.mails
    assert (sender, receiver) == ("kiebitz@example.org", "a@b.example")
    assert again[2] == content
    mail = message_from_bytes(content, policy=default)
    assert mail["Message-ID"] == f"<{NEWS.id}@example.org>"
    assert mail["Subject"] == "Bau Bcc: all@example.org: 1 new document"
    assert mail["Bcc"] is None
    text = mail.get_content()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Amtsblatt „5“ . RSET [31m" in text
    assert "https://stadt.example/1.pdf" in text


@pytest.mark.parametrize(("said", "error"), [("550 nobody", DeliveryRefused), ("450 later", DeliveryFailed)])
def test_a_mail_server_says_whether_a_later_try_may_succeed(said: str, error: type[DeliveryFailed]) -> None:
    @awaited
    async def ask() -> None:
        with mailbox(said) as box:
            with pytest.raises(error, match=said) as caught:
                await MailNotifier(box.url, "kiebitz@example.org").send("mailto:a@b.example", NEWS)
            assert type(caught.value) is error
            assert box.mails == []

    ask()


@awaited
async def test_a_password_is_not_sent_in_the_clear() -> None:
    with mailbox() as box:
        url = box.url.replace("//", "//user:secret@")
        with pytest.raises(DeliveryRefused, match="no TLS"):
            await MailNotifier(url, "kiebitz@example.org").send("mailto:a@b.example", NEWS)
        assert (box.logins, box.mails) == (0, [])


@awaited
async def test_without_a_server_or_a_sender_the_next_step_is_named() -> None:
    for notifier in (MailNotifier("", "kiebitz@example.org"), MailNotifier("smtp://127.0.0.1", "")):
        with pytest.raises(InputError) as caught:
            notifier.check("mailto:a@b.example")
        assert "KIEBITZ_MAIL_SERVER" in caught.value.hint
        with pytest.raises(DeliveryRefused):
            await notifier.send("mailto:a@b.example", NEWS)


def test_a_mail_server_has_the_usual_ports() -> None:
    assert mail_server("smtps://u:p%40x@mail.example")[:2] == ("mail.example", 465)
    assert mail_server("smtps://u:p%40x@mail.example").password == "p@x"
    assert mail_server("smtp://u:p@mail.example").port == 587
    assert mail_server("smtp://mail.example").port == 25
    for wrong in ("http://x", "smtp://", "smtp://x:99999", "smtp://x/path"):
        with pytest.raises(InputError):
            mail_server(wrong)


# ---------------------------------------------------------------------- Apprise


def test_without_apprise_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apprise", None)
    with pytest.raises(MissingExtra) as caught:
        AppriseNotifier(TableResolver(), Guard()).check("slack://a/b/c")
    assert "kiebitz[notify]" in caught.value.hint


@pytest.mark.parametrize("channel", ["json://127.0.0.1", "jsons://x", "mailto://u:p@x", "syslog://", "dbus://"])
def test_what_apprise_would_do_unguarded_or_on_this_machine_is_refused(channel: str) -> None:
    with pytest.raises(InputError):
        AppriseNotifier(TableResolver(), Guard()).check(channel)
