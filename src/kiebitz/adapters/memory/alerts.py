"""Alerts in memory."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kiebitz.errors import Conflict, NotFound, StaleLease
from kiebitz.model.alert import (
    MOST_OF_A_DELIVERY,
    ClaimedDelivery,
    Delivery,
    DeliveryState,
    FeedEntry,
    Match,
    SavedSearch,
    delivery_id,
)
from kiebitz.ports.alerts import Due


@dataclass(slots=True)
class _Parcel:
    delivery: Delivery
    matches: tuple[Match, ...]
    token: str = ""


class MemoryAlerts:
    def __init__(self) -> None:
        self._searches: dict[str, SavedSearch] = {}
        self._entries: dict[str, list[FeedEntry]] = {}
        self._keys: set[tuple[str, str, str]] = set()
        self._bundled: dict[str, int] = {}  # the last sequence number that is in deliveries
        self._parcels: dict[str, _Parcel] = {}
        self._last = 0
        self._position = 0

    async def put(self, search: SavedSearch) -> None:
        if any(each.name == search.name and each.id != search.id for each in self._searches.values()):
            raise Conflict(f"another saved search is named {search.name!r}", hint="choose another name")
        self._searches[search.id] = search

    async def get(self, id_or_name: str) -> SavedSearch:
        by_name = {each.name: each for each in self._searches.values()}
        found = self._searches.get(id_or_name) or by_name.get(id_or_name)
        if found is None:
            raise NotFound(f"there is no saved search {id_or_name!r}")
        return found

    async def searches(self) -> list[SavedSearch]:
        return sorted(self._searches.values(), key=lambda each: each.name)

    async def remove(self, search_id: str) -> None:
        self._searches.pop(search_id, None)
        for entry in self._entries.pop(search_id, []):
            self._keys.discard(entry.match.key)
        self._parcels = {key: one for key, one in self._parcels.items() if one.delivery.search != search_id}

    async def record(self, matches: Sequence[Match], *, position: int = 0) -> int:
        new = 0
        for match in matches:
            if match.search in self._searches and match.key not in self._keys:
                self._keys.add(match.key)
                self._last += 1
                new += 1
                self._entries.setdefault(match.search, []).append(FeedEntry(self._last, match))
        self._position = max(self._position, position)
        return new

    async def position(self) -> int:
        return self._position

    async def feed(self, search_id: str, *, after: int = 0, limit: int = 100, newest: bool = False) -> list[FeedEntry]:
        found = [entry for entry in self._entries.get(search_id, []) if entry.sequence > after]
        return found[max(len(found) - limit, 0) :] if newest else found[:limit]

    async def bundle(self, now: datetime, due: Due) -> int:
        made = 0
        for search in await self.searches():
            waiting = await self.feed(search.id, after=self._bundled.get(search.id, 0), limit=self._last)
            if waiting and due(search, waiting[0].match.found_at) <= now:
                made += self._bundle(search, waiting, now)
        return made

    def _bundle(self, search: SavedSearch, waiting: list[FeedEntry], now: datetime) -> int:
        made = 0
        self._bundled[search.id] = waiting[-1].sequence
        for start in range(0, len(waiting), MOST_OF_A_DELIVERY):
            matches = tuple(entry.match for entry in waiting[start : start + MOST_OF_A_DELIVERY])
            pairs = [(match.paper, match.version) for match in matches]
            for channel in search.channels:
                key = delivery_id(search.id, channel, pairs)
                if key not in self._parcels:
                    delivery = Delivery(key, search.id, channel, len(matches), now, next_at=now)
                    self._parcels[key] = _Parcel(delivery, matches)
                    made += 1
        return made

    async def claim(self, now: datetime, *, limit: int, until: datetime) -> list[ClaimedDelivery]:
        due = [one for one in self._parcels.values() if self._is_due(one.delivery, now)]
        due.sort(key=lambda one: one.delivery.next_at or now)  # stable: then by age
        errands = []
        for parcel in due[:limit]:
            parcel.token = secrets.token_hex(16)
            parcel.delivery = parcel.delivery._replace(tries=parcel.delivery.tries + 1, next_at=until)
            search = self._searches[parcel.delivery.search]
            errands.append(ClaimedDelivery(parcel.token, parcel.delivery, search, parcel.matches))
        return errands

    def _is_due(self, delivery: Delivery, now: datetime) -> bool:
        pending = delivery.state is DeliveryState.PENDING and self._searches[delivery.search].enabled
        return pending and (delivery.next_at or now) <= now

    async def settle(self, token: str, *, error: str = "", next_at: datetime | None = None) -> None:
        parcel = next((one for one in self._parcels.values() if token and one.token == token), None)
        if parcel is None:
            raise StaleLease([token])
        state = DeliveryState.SENT if not error else DeliveryState.PENDING if next_at else DeliveryState.FAILED
        parcel.token = ""
        parcel.delivery = parcel.delivery._replace(state=state, error=error, next_at=next_at)

    async def deliveries(self, search_id: str, *, limit: int = 100) -> list[Delivery]:
        found = [one.delivery for one in self._parcels.values() if one.delivery.search == search_id]
        return found[::-1][:limit]

    async def revive(self, search_id: str, now: datetime) -> int:
        revived = 0
        for parcel in self._parcels.values():
            if parcel.delivery.search == search_id and parcel.delivery.state is DeliveryState.FAILED:
                parcel.delivery = parcel.delivery._replace(state=DeliveryState.PENDING, tries=0, next_at=now)
                revived += 1
        return revived

    async def close(self) -> None:
        pass
