"""What is stored of a text: its title, kind and date come from whoever knows best."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from kiebitz.deploy.indexing import paper_of
from kiebitz.deploy.reading.records import day_of, record_of_document, record_of_page, title_of
from kiebitz.model.document import Document, Version
from kiebitz.model.hit import PageText
from kiebitz.model.issue import Issue
from kiebitz.model.text import Line, Text, TextState
from tests.contract.samples import document

URL = "https://www.stadt.example/dateien/Amtsblatt%2005.pdf"
AT = datetime(2026, 3, 12, 8, tzinfo=UTC)
TEXT = Text(
    TextState.READ,
    (Line("Erste Seite", 1), Line("geht weiter", 1), Line("Zweite Seite", 2)),
    title="Microsoft Word - blatt.doc",
    published="2026-02-01T10:00:00Z",
    language="de",
    pages=2,
)


def stored(**fields: object) -> Document:
    given = replace(document(URL), **fields)  # type: ignore[arg-type]
    version = Version(given.sha256, given.bytes, given.content_type, given.downloaded_on)
    return replace(given, versions=(version,))


def test_an_issue_gives_its_title_and_date_and_makes_it_a_gazette() -> None:
    issue = Issue(5, None, 2026, date(2026, 3, 1), title="Amtsblatt Nr. 5/2026")
    given = stored(issue=issue)
    record = record_of_document(given, given.versions[-1], TEXT)
    assert (record.kind, record.title, record.published) == ("gazette", "Amtsblatt Nr. 5/2026", date(2026, 3, 1))
    assert (record.id, record.sha256, record.crawled_at) == (given.id, given.sha256, given.downloaded_on)
    assert (record.state, record.pages, record.language) == (TextState.READ, 2, "de")


def test_without_a_number_it_is_a_notice_and_without_an_issue_a_document() -> None:
    given = stored(issue=Issue(title="Haushaltssatzung"))
    assert record_of_document(given, given.versions[-1], TEXT).kind == "notice"
    given = stored(issue=None)
    record = record_of_document(given, given.versions[-1], TEXT)
    assert (record.kind, record.published) == ("document", date(2026, 2, 1))


def test_of_a_plain_crawl_the_text_of_the_link_tells_the_date() -> None:
    given = stored(issue=None, link_text="Mitteilungsblatt Nr. 18/2026 vom 28. August 2026")
    record = record_of_document(given, given.versions[-1], TEXT)
    assert (record.title, record.published) == (given.link_text, date(2026, 8, 28))


@pytest.mark.parametrize(
    "nameless", ["Download", "hier", "PDF (1,2 MB)", "Microsoft Word - x.doc", " 12 ", "untitled", ""]
)
def test_what_names_nothing_is_no_title(nameless: str) -> None:
    assert title_of([nameless, "Satzung"], URL) == "Satzung"
    assert title_of([nameless], URL) == "Amtsblatt 05.pdf"


def test_titles_are_short_and_hold_no_control_characters() -> None:
    assert title_of(["a\x1b[31m\nb" + "c" * 1000], URL) == "a [31m b" + "c" * 292
    assert title_of([], "https://stadt.example/") == "stadt.example"


def test_a_date_that_no_honest_page_says_is_left_out() -> None:
    assert day_of("2026-03-01", AT) == date(2026, 3, 1)
    assert day_of("2026-03-01T23:00:00+01:00", AT) == date(2026, 3, 1)
    assert [day_of(text, AT) for text in ("9999-01-01", "0001-01-01", "", "morgen")] == [None] * 4


def test_a_page_is_known_by_the_hash_of_its_content_and_its_first_heading() -> None:
    text = Text(TextState.READ, (Line("Inhalt"),), headings=("Neues aus dem Rathaus",))
    record = record_of_page("https://stadt.example/x", "s1", b"<p>Inhalt", "text/html; charset=utf-8", AT, text)
    assert (record.kind, record.source, record.title) == ("page", "s1", "Neues aus dem Rathaus")
    assert len(record.sha256) == 64
    assert record.signature == b""


def test_a_paper_has_its_pages_and_the_facts_one_filters_by() -> None:
    given = stored(issue=Issue(5, None, 2026, date(2026, 3, 1), title="Amtsblatt Nr. 5/2026"))
    paper = paper_of(record_of_document(given, given.versions[-1], TEXT), "Stadt")
    assert paper.pages == (PageText(1, "Erste Seite\ngeht weiter"), PageText(2, "Zweite Seite"))
    assert (paper.domain, paper.source, paper.type, paper.kind) == ("stadt.example", "Stadt", "pdf", "gazette")
    assert dict(paper.metadata) == {"state": "read", "pages": "2"}


def test_what_could_not_be_read_has_a_paper_without_pages_that_says_so() -> None:
    given = stored(issue=None)
    record = record_of_document(given, given.versions[-1], Text(TextState.ENCRYPTED, pages=3))
    paper = paper_of(record, "Stadt")
    assert (paper.pages, paper.title) == ((), given.link_text)
    assert dict(paper.metadata)["state"] == "encrypted"
    assert paper_of(record._replace(content=b"harmed"), "Stadt").pages == ()
