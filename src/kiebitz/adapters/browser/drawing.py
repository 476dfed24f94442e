"""Wait until a page has drawn itself, and read its document. Looks from a world of its own, where the page's scripts
cannot change what ``document`` means.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from kiebitz.adapters.browser.traffic import Traffic
from kiebitz.errors import LimitExceeded

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.5
LOOKS = 5
PATIENCE = 20.0  # a page that never comes to rest is taken as it is then
ANSWER_SECONDS = 10.0
ELEMENTS = 200_000
_LOOK = "[document.readyState, document.getElementsByTagName('*').length]"
_READ = """(() => {
    const count = document.getElementsByTagName('*').length, root = document.documentElement;
    if (count > %d || !root) return [count, 0, ''];
    const html = root.outerHTML;
    return [count, html.length, html.length > %d ? '' : html];
})()"""


class Eye:
    """Looks at a page from outside its own scripts."""

    def __init__(self, session: "CDPSession") -> None:
        self._session = session
        self._world = 0

    async def see(self, expression: str) -> Any:
        """The value of an expression. Raises LimitExceeded if a script keeps the page busy for too long."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._evaluate(expression)
        except TimeoutError:
            raise LimitExceeded(
                "script", f"a script keeps the page busy for more than {ANSWER_SECONDS:.0f} seconds"
            ) from None

    async def _evaluate(self, expression: str) -> Any:
        if not self._world:
            tree = await self._session.send("Page.getFrameTree")
            frame = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "kiebitz"}
            self._world = (await self._session.send("Page.createIsolatedWorld", frame))["executionContextId"]
        asked = {"expression": expression, "contextId": self._world, "returnByValue": True}
        return (await self._session.send("Runtime.evaluate", asked))["result"].get("value")


async def drawn(page: "Page", traffic: Traffic, max_bytes: int) -> str:
    """The document once the page has come to rest. Raises LimitExceeded if it is too large or its scripts do not end."""
    eye = Eye(await page.context.new_cdp_session(page))
    await _rest(eye, traffic)
    count, size, html = await eye.see(_READ % (ELEMENTS, max_bytes))
    if count > ELEMENTS:
        raise LimitExceeded("size", f"the page draws {count:,} elements; {ELEMENTS:,} are allowed")
    if size > max_bytes:
        raise LimitExceeded("size", f"the page draws {size:,} characters; {max_bytes:,} are allowed")
    return f"<!doctype html>\n{html}"


async def _rest(eye: Eye, traffic: Traffic) -> None:
    """Until nothing is asked for and no element comes or goes for half a second.

    Looks are counted too: on a busy machine, half a second may be too short for a script to go on with what it got.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + min(PATIENCE, traffic.seconds_left * 0.8)
    before, looks, since = (0, 0), 0, loop.time()
    while loop.time() < until:
        state, count = await eye.see(_LOOK)
        if count > ELEMENTS:
            return
        now = (count, traffic.events)
        if now != before or state != "complete" or traffic.is_busy:
            before, looks, since = now, 0, loop.time()
        looks += 1
        if looks > LOOKS and loop.time() - since >= QUIET_SECONDS:
            return
        await asyncio.sleep(LOOK_SECONDS)
