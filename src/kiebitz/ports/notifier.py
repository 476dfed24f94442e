"""The notifier: tells a receiver what a saved search has found."""

from typing import Protocol

from kiebitz.model.announcement import Announcement


class Notifier(Protocol):
    """Sends one announcement to one channel, and returns when the receiver has taken it.

    Raises DeliveryFailed if a later try may succeed (it may say after how many seconds), DeliveryRefused if none will,
    MissingExtra if a part is not installed, FetchErrors of the guarded client; ``retryable`` tells them apart. It never
    retries by itself. The receiver is told the announcement's id, which is the same when it is sent again.
    """

    def check(self, channel: str) -> None:
        """Raises InputError, with what is wrong, if nothing could ever be sent there. Sends nothing."""
        ...

    async def send(self, channel: str, announcement: Announcement) -> None: ...

    async def close(self) -> None: ...
