"""A page that a script draws: through the browser, if there is one, and collected again from what was drawn.

It is a request to the host like any other, so the host is left alone before and after it. What is stored of the page
stays its own answer.
"""

import asyncio
from collections.abc import Callable

from kiebitz.crawl.kit import Kit, RunContext
from kiebitz.crawl.politeness import pause
from kiebitz.errors import FetchError, KiebitzError, Unreachable
from kiebitz.model.request import Due, Link
from kiebitz.model.response import Call, Limits, Response
from kiebitz.ports.fetcher import Fetcher
from kiebitz.standards.robots import Rules
from kiebitz.standards.url import host_of, join, origin_of, registrable

SECONDS = 45.0
NEEDS_BROWSER = "needs-browser"
_DRAWN = "the page is drawn by a script"
IN_VAIN = f"{_DRAWN}, and no link on it looks like a gazette"


def needs_browser(due: Due, context: RunContext) -> bool:
    """True if the page was judged to be an empty shell. An answer to a form is not asked for a second time."""
    found = context.collector.findings.get(due.url) if context.collector is not None else None
    return found is not None and found.state == NEEDS_BROWSER and due.body is None


async def rendered_links(
    due: Due, rules: Rules, context: RunContext, kit: Kit, refusal: Callable[[str], str]
) -> list[Link]:
    """The links of the page as it was drawn; none if it could not be, and then the finding says why.

    Raises FetchError if it may work later.
    """
    assert context.collector is not None
    findings = context.collector.findings
    shell = findings[due.url]
    drawn = await _drawn(due, rules, context, kit)
    if isinstance(drawn, str):
        findings[due.url] = shell._replace(reason=f"{_DRAWN}: {drawn}")
        return []
    if 300 <= drawn.status < 400:
        target = join(due.url, drawn.headers.get("location", ""))
        if target is None or registrable(host_of(target)) != registrable(host_of(due.url)):
            findings[due.url] = shell._replace(reason=f"{_DRAWN}, and leads elsewhere: {target}")
            return []
        findings[due.url] = shell._replace(state="leads-on", reason=f"a script leads on to {target}")
        same = target.startswith(origin_of(due.url) + "/")
        return [(host_of(target), target, due.text, None, refusal(target) if same else "")]
    content_type = drawn.headers.get("content-type", "")
    collect = context.collector.links
    links = await asyncio.to_thread(collect, due.url, due.depth, drawn.content, content_type, refusal)
    if findings[due.url].state == NEEDS_BROWSER:
        findings[due.url] = findings[due.url]._replace(state="empty", reason=IN_VAIN)
    return links


async def _drawn(due: Due, rules: Rules, context: RunContext, kit: Kit) -> Response | str:
    if kit.browser is None:
        return "there is no browser here"
    await kit.clock.sleep(pause(context.delay, rules.delay, kit.rng))
    drawn = await draw(kit.browser, due.url, kit.policy.limits)
    await kit.clock.sleep(pause(context.delay, rules.delay, kit.rng))
    return drawn


async def draw(browser: Fetcher, url: str, limits: Limits) -> Response | str:
    """The page as it was drawn, or why it could not be. Raises FetchError if it may work later."""
    call = Call(url, limits=limits._replace(total_seconds=min(limits.total_seconds, SECONDS)))
    try:
        response = await browser.fetch(call)
    except FetchError as error:
        if error.retryable:
            raise
        return f"the browser gave up: {error}"
    except KiebitzError as error:
        return f"{error}: {error.hint}" if error.hint else str(error)
    if response.status >= 500 or response.status == 429:
        raise Unreachable(f"http {response.status}", f"{url} answers the browser with status {response.status}")
    return response if response.status < 400 else f"the browser was answered with status {response.status}"
