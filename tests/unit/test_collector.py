"""What a run of a source takes from a page."""

import re
from datetime import date

from kiebitz.crawl.collector import MAX_DEPTH, Collector, Holdings
from kiebitz.model.document import document_id
from kiebitz.model.source import RuleAction, RuleKind, Source, SourceRule, source_id

PAGE_URL = "http://www.stadt.example/amtsblatt/"
ISSUES = [f"http://www.stadt.example/dateien/amtsblatt_{number:02}_2026.pdf" for number in range(12, 2, -1)]


def page() -> bytes:
    rows = "".join(
        f'<li><a href="{url}">Amtsblatt Nr. {12 - position}/2026 vom {28 - position}. Mai 2026 (PDF)</a></li>'
        for position, url in enumerate(ISSUES)
    )
    return (
        "<html><head><title>Amtsblatt</title></head><body><nav><a href='/'>Start</a></nav><main><h1>Amtsblatt der Stadt</h1>"
        f"<ul>{rows}</ul><p><a href='/formulare/hundesteuer.pdf'>Formular Hundesteuer</a></p>"
        "<ul><li><a href='/amtsblatt/2025/'>Jahrgang 2025</a></li><li><a href='/amtsblatt/2024/'>Jahrgang 2024</a></li></ul>"
        "</main></body></html>"
    ).encode()


def collector(*rules: SourceRule, held: frozenset[str] = frozenset(), holdings: Holdings | None = None) -> Collector:
    source = Source(source_id(PAGE_URL), "Stadt", (PAGE_URL,), rules=rules)
    return Collector(source, holdings or Holdings(held), lambda: date(2026, 6, 1))


def urls(collector: Collector, depth: int = 0, refused: str = "") -> list[str]:
    def refusal(url: str) -> str:
        return "robots" if refused and refused in url else ""

    links = collector.links(PAGE_URL, depth, page(), "text/html; charset=utf-8", refusal)
    return [url for _, url, _, _, reason in links if not reason]


def documents(collector: Collector) -> list[str]:
    return [url for url in urls(collector) if url.endswith(".pdf")]


def test_the_issues_are_taken_and_the_form_is_not() -> None:
    assert documents(collector()) == ISSUES


def test_pages_of_other_years_are_followed_but_not_for_ever() -> None:
    assert "http://www.stadt.example/amtsblatt/2025/" in urls(collector())
    assert not [url for url in urls(collector(), depth=MAX_DEPTH) if not url.endswith(".pdf")]


def test_what_is_held_is_left_alone_but_for_what_is_checked() -> None:
    held = frozenset(document_id(url) for url in ISSUES)
    assert documents(collector(held=held)) == []
    missing = frozenset(document_id(url) for url in ISSUES if url != ISSUES[7])
    assert documents(collector(held=missing)) == [ISSUES[7]]
    checked = frozenset(document_id(url) for url in ISSUES[:2])
    assert documents(collector(holdings=Holdings(held, checked))) == ISSUES[:2]


def test_what_is_held_and_has_a_new_label_is_asked_for_again() -> None:
    held = frozenset(document_id(url) for url in ISSUES)
    assert documents(collector(holdings=Holdings(held, labels={ISSUES[4]: "as it was called before"}))) == [ISSUES[4]]


def test_the_further_pages_of_a_list_are_as_deep_as_its_first() -> None:
    asked = collector()
    content = page().replace(b"</main>", b"<div class='pagination'><a href='?seite=2'>2</a></div></main>")
    found = asked.links(PAGE_URL, MAX_DEPTH, content, "text/html", lambda _: "")
    assert not [link for link in found if "seite" in link[1]]
    assert [link[1] for link in asked.beside(PAGE_URL)] == [PAGE_URL + "?seite=2"]
    assert asked.beside(PAGE_URL) == []


def test_tokens_do_not_make_one_document_many() -> None:
    def tokened(number: int) -> bytes:
        return re.sub(rb'\.pdf"', f'.pdf?token={number}f8a7c6b5d4e3f2a"'.encode(), page())

    asked = collector()
    first = [link for link in asked.links(PAGE_URL, 0, tokened(1), "text/html", lambda _: "") if ".pdf" in link[1]]
    again = [
        link for link in asked.links(PAGE_URL + "?x=1", 0, tokened(2), "text/html", lambda _: "") if ".pdf" in link[1]
    ]
    assert (len(first), len(again)) == (len(ISSUES), 0)
    assert asked.document_id(first[0][1], None) == document_id(ISSUES[0])
    issue = asked.issue(first[0][1], None)
    assert issue
    assert (issue.number, issue.year) == (12, 2026)


def test_the_operators_rules_go_before_the_score_and_the_first_that_fits_decides() -> None:
    form = "http://www.stadt.example/formulare/hundesteuer.pdf"
    taken = documents(
        collector(
            SourceRule(RuleAction.TAKE, RuleKind.LINK, form),
            SourceRule(RuleAction.LEAVE, RuleKind.LINK, ISSUES[0]),
            SourceRule(RuleAction.TAKE, RuleKind.PATTERN, "amtsblatt_1"),
            SourceRule(RuleAction.LEAVE, RuleKind.PATTERN, "_0[3-5]_"),
        )
    )
    assert taken == [*ISSUES[1:7], form]


def test_what_robots_forbids_is_recorded_and_not_fetched() -> None:
    assert ISSUES[2] not in urls(collector(), refused="amtsblatt_10_")


def test_what_a_page_yielded_can_be_asked_for() -> None:
    asked = collector()
    urls(asked)
    assert asked.findings[PAGE_URL].state == "documents"
