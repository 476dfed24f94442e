"""Sitemaps lead to the gazette where no link does."""

import gzip

from kiebitz.collect.page import collect_page
from kiebitz.model.candidate import Collection
from tests.unit.gazette_page import TODAY, leads

URL = "https://www.musterstadt.de/sitemap.xml"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def collect(content: bytes) -> Collection:
    return collect_page(URL, content, "application/xml", TODAY)


def sitemap(*paths: str) -> bytes:
    places = "".join(f"<url><loc>https://www.musterstadt.de{path}</loc></url>" for path in paths)
    return f'{HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'.encode()


def test_documents_and_pages_of_the_gazette_are_found() -> None:
    found = collect(sitemap("/", "/kontakt", "/rathaus/amtsblatt", "/files/amtsblatt-2025-03.pdf", "/files/antrag.pdf"))
    assert [verdict.candidate.file_name for verdict in found.documents] == ["amtsblatt-2025-03.pdf"]
    assert leads(found, "archive") == ["/rathaus/amtsblatt"]


def test_an_index_leads_on() -> None:
    index = f"{HEAD}<sitemapindex><sitemap><loc>/?sitemap=pages</loc></sitemap><sitemap/></sitemapindex>"
    assert leads(collect(index.encode()), "sitemap") == ["/?sitemap=pages"]


def test_a_compressed_one_is_unpacked() -> None:
    assert collect(gzip.compress(sitemap("/files/amtsblatt-2025-03.pdf"))).documents


def test_a_bomb_is_refused() -> None:
    bomb = f'{HEAD}<!DOCTYPE x [<!ENTITY a "aa">]><urlset><url><loc>&a;</loc></url></urlset>'
    assert "document type" in collect(bomb.encode()).reason
    assert collect(gzip.compress(b" " * 50_000_000)).state == "not-a-page"


def test_addresses_are_bounded() -> None:
    found = collect(sitemap(*(f"/p/{n}" for n in range(12_000))))
    assert len(found.rejected) == 10_000
    assert "more than 10,000 addresses" in found.notes[0]
