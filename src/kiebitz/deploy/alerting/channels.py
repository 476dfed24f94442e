"""Channels: which notifier reaches which, by the scheme of its URL; each is opened when it is first needed."""

from functools import cached_property
from types import TracebackType
from typing import Self

from kiebitz.adapters.http.fetcher import CurlFetcher
from kiebitz.adapters.local.resolver import SystemResolver
from kiebitz.deploy.outfit import client_of
from kiebitz.errors import AddressRefused, InputError
from kiebitz.fetch.guard import Guard
from kiebitz.model.announcement import Announcement
from kiebitz.ports.clock import Clock
from kiebitz.ports.notifier import Notifier
from kiebitz.ports.resolver import Endpoint
from kiebitz.settings import Settings
from kiebitz.standards.address import layers, parse_networks
from kiebitz.standards.url import canonical, host_of, port_of

HINT = "write https://example.org/hook, mailto:someone@example.org, or a URL of Apprise"
LONGEST = 2_000


class Channels:
    """Implements the Notifier port for every channel that there is."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    def check(self, channel: str) -> None:
        notifier = self._for(channel)
        notifier.check(channel)
        if notifier is self._webhook:
            self._require_public(canonical(channel))

    async def send(self, channel: str, announcement: Announcement) -> None:
        await self._for(channel).send(channel, announcement)

    async def close(self) -> None:
        if "_client" in self.__dict__:
            await self._client[1].close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _for(self, channel: str) -> Notifier:
        scheme = channel.partition(":")[0].lower()
        if len(channel) > LONGEST or not channel.isprintable() or not scheme or scheme == channel:
            raise InputError(f"not a channel: {channel[:80]!r}", hint=HINT)
        if scheme in {"http", "https"}:
            return self._webhook
        return self._mail if scheme == "mailto" and not channel[7:].startswith("//") else self._apprise

    def _require_public(self, url: str) -> None:
        """Early, for what is written as an address; a name is asked for when something is sent."""
        host = host_of(url).strip("[]")
        if layers(host) and self._guard.check(Endpoint(host, port_of(url))):
            raise AddressRefused(
                "address",
                f"{host} is not on the public internet",
                hint="KIEBITZ_ALLOW_NETWORKS may name a network that alerts and crawls may enter",
            )

    @cached_property
    def _client(self) -> tuple[SystemResolver, CurlFetcher]:
        return client_of(self._settings, self._clock)

    @cached_property
    def _guard(self) -> Guard:
        return Guard(parse_networks(self._settings.allow_networks))

    @cached_property
    def _webhook(self) -> Notifier:
        from kiebitz.adapters.webhook.notifier import WebhookNotifier

        return WebhookNotifier(self._client[1], self._clock, self._settings.webhook_secret)

    @cached_property
    def _mail(self) -> Notifier:
        from kiebitz.adapters.mail.notifier import MailNotifier

        return MailNotifier(self._settings.mail_server, self._settings.mail_sender)

    @cached_property
    def _apprise(self) -> Notifier:
        from kiebitz.adapters.apprise.notifier import AppriseNotifier

        return AppriseNotifier(self._client[0], self._guard)
