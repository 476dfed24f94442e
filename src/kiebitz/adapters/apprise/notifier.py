"""Alerts through Apprise, an optional part: ``slack://…``, ``ntfy://…``, ``matrix://…`` and a hundred more.

Apprise opens its own sockets, which our client cannot guard. So what has a host of its own is resolved and checked before
each message, redirects are off, and what would only be a webhook, a mail or a window on this machine is refused: there are
better ways for the first two. Between our look-up and Apprise's own a name may change; only Apprise's fixed services are
safe from that.
"""

import asyncio
from importlib import import_module
from typing import Any

from kiebitz.errors import AddressRefused, DeliveryFailed, DeliveryRefused, InputError, MissingExtra, Unreachable
from kiebitz.fetch.guard import Guard
from kiebitz.model.announcement import Announcement
from kiebitz.ports.resolver import Resolver

EXTRA = "pip install 'kiebitz[notify]'"
LOCAL = frozenset(("dbus", "glib", "gio", "kde", "qt", "gnome", "macosx", "windows", "syslog", "blink1", "file"))
OURS = frozenset(("json", "jsons", "xml", "xmls", "form", "forms", "http", "https", "mailto", "mailtos"))


class AppriseNotifier:
    """Implements the Notifier port. The announcement's id stands in the text: few services take one beside it."""

    def __init__(self, resolver: Resolver, guard: Guard) -> None:
        self._resolver = resolver
        self._guard = guard

    def check(self, channel: str) -> None:
        _plugin(channel)

    async def send(self, channel: str, announcement: Announcement) -> None:
        try:
            plugin = await asyncio.to_thread(_plugin, channel)
        except InputError as error:
            raise DeliveryRefused(str(error), hint=error.hint) from None
        await self._require_public(plugin)
        if not await asyncio.to_thread(_notify, plugin, announcement):
            raise DeliveryFailed(f"{_scheme(channel)} did not take it", hint="check its tokens")

    async def close(self) -> None:
        pass

    async def _require_public(self, plugin: Any) -> None:
        """Whatever has a host of its own. A token that stands in its place is never looked up as a name."""
        host = str(plugin.host or "")
        if not host or not any("{host" in template for template in plugin.templates):
            return
        try:
            endpoints = await self._resolver.resolve(host, int(plugin.port or 443))
        except Unreachable:
            return  # no address that it could reach; some services take a topic instead
        if any(self._guard.check(endpoint) for endpoint in endpoints):
            raise AddressRefused("address", f"{host} is not on the public internet")


def _notify(plugin: Any, announcement: Announcement) -> bool:
    try:
        return bool(plugin.notify(body=announcement.text, title=announcement.subject))
    except Exception as error:  # a hundred plugins, and any exception is one of theirs
        raise DeliveryFailed(f"{plugin.schema} broke: {type(error).__name__}") from error


def _plugin(channel: str) -> Any:
    """Raises InputError and MissingExtra."""
    scheme = _scheme(channel)
    if scheme in OURS:
        raise InputError(
            f"{scheme}:// is not sent through Apprise", hint="give the https:// URL or mailto:ADDRESS itself"
        )
    if scheme in LOCAL:
        raise InputError(f"{scheme}:// is not a receiver elsewhere", hint="alerts go to webhooks, mail and services")
    try:
        apprise = import_module("apprise")
    except ImportError:
        raise MissingExtra(f"{scheme}:// needs Apprise, which is not installed", hint=EXTRA) from None
    plugin = apprise.Apprise.instantiate(
        channel, asset=apprise.AppriseAsset(http_redirects=False), suppress_exceptions=True
    )
    if plugin is None:
        raise InputError(f"Apprise does not understand this {scheme}:// URL", hint="see its list of services")
    plugin.redirects = False  # an address may ask for them
    return plugin


def _scheme(channel: str) -> str:
    return channel.partition(":")[0].lower()
