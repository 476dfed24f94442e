"""Alerts by mail: plain text, to one address, through the operator's own SMTP server.

``Message-ID`` is made of the delivery's id, so that mail programs show a repetition once. A login is sent only over TLS.
The server is the operator's word and not a stranger's, so the guard is not asked about it.
"""

import asyncio
import re
import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from kiebitz.errors import DeliveryFailed, DeliveryRefused, InputError
from kiebitz.model.announcement import Announcement

SECONDS = 20.0  # for each answer of the server
_SCHEME = "mailto:"
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*", re.ASCII)
_LONGEST = 254
_NOT_SET = "set KIEBITZ_MAIL_SERVER, as in smtps://user:password@mail.example.org, and KIEBITZ_MAIL_SENDER"


class MailServer(NamedTuple):
    host: str
    port: int
    encrypted: bool  # from the first byte; else by STARTTLS, if the server offers it
    user: str = ""
    password: str = ""


def mail_server(url: str) -> MailServer:
    """Raises InputError."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("mail_server is not a URL", hint=_NOT_SET) from None
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.path.strip("/"):
        raise InputError("mail_server is not smtp://HOST or smtps://HOST", hint=_NOT_SET)
    encrypted = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or (465 if encrypted else 587 if user else 25), encrypted, user, password)


class MailNotifier:
    """Implements the Notifier port for ``mailto:someone@example.org``."""

    def __init__(self, server: str, sender: str, *, trust: ssl.SSLContext | None = None) -> None:
        self._server = mail_server(server) if server else None
        self._sender = sender
        self._trust = trust

    def check(self, channel: str) -> None:
        _address(channel)
        if self._server is None or not self._sender:
            raise InputError("there is no server or no sender for mail", hint=_NOT_SET)

    async def send(self, channel: str, announcement: Announcement) -> None:
        if self._server is None or not self._sender:
            raise DeliveryRefused("there is no server or no sender for mail", hint=_NOT_SET)
        message = _message(announcement, self._sender, _address(channel))
        await asyncio.to_thread(_hand_over, self._server, message, self._trust)

    async def close(self) -> None:
        pass


def _address(channel: str) -> str:
    address = unquote(channel.removeprefix(_SCHEME))
    if not channel.startswith(_SCHEME) or len(address) > _LONGEST or not _ADDRESS.fullmatch(address):
        raise InputError(f"not a mail address: {channel[:80]!r}", hint="write mailto:someone@example.org")
    return address


def _message(announcement: Announcement, sender: str, receiver: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = receiver
    message["Subject"] = announcement.subject
    message["Date"] = format_datetime(announcement.at)
    message["Message-ID"] = f"<{announcement.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no machine shall answer
    message.set_content(announcement.text.encode("utf-8", "replace").decode(), cte="base64")
    return message


def _hand_over(server: MailServer, message: EmailMessage, trust: ssl.SSLContext | None) -> None:
    try:
        session = _opened(server, trust or ssl.create_default_context())
        try:
            session.send_message(message)
        finally:
            with suppress(smtplib.SMTPException, OSError):  # taken is taken, however they part
                session.quit()
    except smtplib.SMTPRecipientsRefused as error:
        ((code, said),) = error.recipients.values()
        raise _error(code, said) from error
    except smtplib.SMTPResponseException as error:
        raise _error(error.smtp_code, error.smtp_error) from error
    except ssl.SSLCertVerificationError as error:
        raise DeliveryRefused(f"the mail server has no valid certificate: {error.verify_message}") from error
    except (smtplib.SMTPException, OSError) as error:
        raise DeliveryFailed(f"the mail server {server.host} did not take it: {error}") from error


def _opened(server: MailServer, trust: ssl.SSLContext) -> smtplib.SMTP:
    if server.encrypted:
        session: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=trust)
    else:
        session = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        session.ehlo_or_helo_if_needed()
        is_private = server.encrypted
        if not is_private and session.has_extn("starttls"):
            session.starttls(context=trust)
            session.ehlo()
            is_private = True
        if server.user and not is_private:
            raise DeliveryRefused("the mail server offers no TLS, and a password is not sent in the clear")  # noqa: TRY301 -- closed below
        if server.user:
            session.login(server.user, server.password)
    except BaseException:
        session.close()
        raise
    return session


def _error(code: int, said: bytes | str) -> DeliveryFailed:
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    plain = " ".join(words.split())[:200]
    kind = DeliveryRefused if 500 <= code < 600 else DeliveryFailed
    return kind(f"the mail server answered {code} {plain}")
