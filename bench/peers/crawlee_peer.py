"""Crawlee for Python: crawlee_peer.py SEED OUT

ParselCrawler with its default client (impit), memory storage, no sessions, concurrency pinned;
bodies appended to one file, one JSON line about each page.
"""

# mypy: disable-error-code="import-not-found"

import json
import logging
import re
import sys
from pathlib import Path

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.http_clients import ImpitHttpClient
from crawlee.storage_clients import MemoryStorageClient

CONCURRENCY = 16
INCLUDE = [re.compile(r"^http://127\.0\.")]
EXCLUDE = [re.compile(r".*\.(pdf|jpg|zip)$")]
BUFFER = 1 << 20


async def crawl(seed: str, out: Path) -> None:
    crawler = ParselCrawler(
        http_client=ImpitHttpClient(),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
        ),
        respect_robots_txt_file=True,
        use_session_pool=False,
        max_request_retries=0,
        configure_logging=False,
    )
    logging.getLogger("crawlee").setLevel(logging.ERROR)

    with (out / "bodies.bin").open("ab", BUFFER) as bodies, (out / "pages.jsonl").open("a", BUFFER) as pages:

        @crawler.router.default_handler  # type: ignore[untyped-decorator,unused-ignore]
        async def handle(context: ParselCrawlingContext) -> None:
            bodies.write(await context.http_response.read())
            title = context.selector.css("title::text").get()
            pages.write(json.dumps({"url": context.request.url, "title": title}) + "\n")
            await context.enqueue_links(strategy="all", include=INCLUDE, exclude=EXCLUDE)

        await crawler.run([seed])


if __name__ == "__main__":
    uvloop.run(crawl(sys.argv[1], Path(sys.argv[2])))
