"""Scrapy: scrapy_peer.py SEED OUT idiomatic|tuned|tuned-aiohttp

idiomatic      the stock LinkExtractor and a Request per link, as the documentation shows
tuned          anchors by XPath, joined by hand, a set of seen URLs before a Request is made, the
               middlewares that have nothing to do here switched off
tuned-aiohttp  the same, with the aiohttp download handler on uvloop instead of Twisted's reactor

All store the same: bodies appended to one file, one JSON line about each page.
"""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor

PREFIX = "http://127.0."
UNWANTED = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS)
BUFFER = 1 << 20


class Peer(scrapy.Spider):  # type: ignore[misc]
    name = "peer"

    def __init__(self, seed: str, out: str) -> None:
        super().__init__()
        self.seed = seed
        self.bodies = Path(out, "bodies.bin").open("ab", BUFFER)  # noqa: SIM115 (closed by `closed`)
        self.pages = Path(out, "pages.jsonl").open("a", BUFFER)  # noqa: SIM115

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(self.seed, callback=self.parse)

    def store(self, response: Any, title: str | None, links: int) -> None:
        self.bodies.write(response.body)
        about = {"url": response.url, "status": response.status, "title": title, "links": links}
        self.pages.write(json.dumps(about) + "\n")

    def closed(self, _reason: str) -> None:
        self.bodies.close()
        self.pages.close()


class Idiomatic(Peer):
    extractor = LinkExtractor(allow=r"^http://127\.0\.")

    def parse(self, response: Any) -> Iterator[Any]:
        links = self.extractor.extract_links(response)
        self.store(response, response.css("title::text").get(), len(links))
        for link in links:
            yield scrapy.Request(link.url, callback=self.parse)


class Tuned(Peer):
    def __init__(self, seed: str, out: str) -> None:
        super().__init__(seed, out)
        self.seen: set[str] = set()

    def parse(self, response: Any) -> Iterator[Any]:
        root, base, seen, fresh = response.selector.root, response.url, self.seen, []
        hrefs = root.xpath("//a/@href")
        for href in hrefs:
            url = urldefrag(urljoin(base, href.strip())).url
            if url in seen:
                continue
            seen.add(url)
            if url.startswith(PREFIX) and not url.endswith(UNWANTED):
                fresh.append(url)
        self.store(response, root.findtext(".//title"), len(hrefs))
        for url in fresh:
            yield scrapy.Request(url, callback=self.parse)


COMMON = {
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "COOKIES_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": 60,
    "EXTENSIONS": {"scrapy.extensions.logstats.LogStats": None, "scrapy.extensions.memusage.MemoryUsage": None},
    "LOG_LEVEL": "ERROR",
    "REFERER_ENABLED": False,
    "RETRY_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
    "TELNETCONSOLE_ENABLED": False,
    "USER_AGENT": "peerbot/1.0",
}
TUNED = COMMON | {
    "SPIDER_MIDDLEWARES": {"scrapy.spidermiddlewares.referer.RefererMiddleware": None},
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
        "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
        "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
    },
}
UVLOOP = {"ASYNCIO_EVENT_LOOP": "uvloop.Loop"}
AIOHTTP = {
    "DOWNLOAD_HANDLERS": {"http": "scrapy.core.downloader.handlers._aiohttp.AiohttpDownloadHandler"},
    "TWISTED_REACTOR_ENABLED": False,
}
STYLES: dict[str, tuple[type[Peer], dict[str, Any]]] = {
    "idiomatic": (Idiomatic, COMMON | UVLOOP),
    "tuned": (Tuned, TUNED),
    "tuned-aiohttp": (Tuned, TUNED | UVLOOP | AIOHTTP),
}


def main() -> None:
    seed, out, style = sys.argv[1:]
    spider, settings = STYLES[style]
    process = AsyncCrawlerProcess(settings)
    process.crawl(spider, seed=seed, out=out)
    process.start()


if __name__ == "__main__":
    main()
