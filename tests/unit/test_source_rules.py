"""What a source's own rules make of a page, and what people are told of its troubles."""

import pytest

from kiebitz.crawl.traps import MAX_BARREN, LeadRules, TrapRules
from kiebitz.model.candidate import Candidate, Collection, Verdict
from kiebitz.model.source import RuleAction, RuleKind, SourceRule
from kiebitz.sources.definition import rule_of
from kiebitz.sources.rules import fault, ruled
from kiebitz.sources.trouble import explained

SITE = "https://www.stadt.example"
OLD = SourceRule(RuleAction.TAKE, RuleKind.PATTERN, "(?=x)")  # as an older version may have stored it


def verdict(path: str, group: str, *, is_document: bool) -> Verdict:
    return Verdict(Candidate(SITE + path, 0), 0.0, (), group, is_document)


FOUND = Collection(
    (verdict("/1.pdf", "list", is_document=True), verdict("/2.pdf", "list", is_document=True)),
    (verdict("/form.pdf", "aside", is_document=False),),
    (),
    "documents",
    "2 documents",
)


def taken(*rules: str) -> list[str]:
    found = ruled(FOUND, [rule_of(text) for text in rules])
    return [each.candidate.url.removeprefix(SITE) for each in found.documents]


def test_without_rules_nothing_changes() -> None:
    assert ruled(FOUND, ()) is FOUND


def test_links_groups_and_patterns_are_taken_and_left_and_the_first_that_fits_decides() -> None:
    assert taken(f"leave link {SITE}/1.pdf") == ["/2.pdf"]
    assert taken("leave group list") == []
    assert taken("take group aside") == ["/1.pdf", "/2.pdf", "/form.pdf"]
    assert taken(f"take link {SITE}/1.pdf", "leave pattern .") == ["/1.pdf"]
    assert taken("leave pattern .", f"take link {SITE}/1.pdf") == []


def test_a_verdict_by_a_rule_says_which_one() -> None:
    found = ruled(FOUND, [rule_of("leave group list")])
    assert found.state == "empty"
    assert "leave group list" in found.rejected[0].evidence[0].reason


def test_a_stored_pattern_that_is_refused_today_fits_nothing_and_is_told() -> None:
    assert len(ruled(FOUND, [OLD]).documents) == 2
    assert "cannot be used" in fault(OLD)
    assert not fault(rule_of("leave pattern x"))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("http://login.example/: http 410", "gone for good"),
        ("http://www.example/robots/: robots", "robots.txt forbids"),
        ("http://a.example/: robots.txt: http 500", "robots.txt cannot be had"),
        ("http://a.example/: robots.txt: dns", "name is unknown"),
        ("login: the page asks for a password", "password"),
        ("http://a.example/empty: type", "no web page"),
        ("not-a-page: the feed has a document type of its own, which could expand without end", "expand"),
        ("http://a.example/: first byte", "too slowly"),
        ("something new", "could not be read"),
    ],
)
def test_a_trouble_is_explained_by_its_reason_and_not_by_the_address(reason: str, words: str) -> None:
    assert words in explained(reason).words
    assert explained(reason).step


def test_leads_that_lead_to_nothing_end_and_documents_pay_for_more() -> None:
    leads = LeadRules(TrapRules())
    refused = [leads.refusal(f"{SITE}/archiv/{n}") for n in range(MAX_BARREN + 5)]
    assert refused[:MAX_BARREN] == [""] * MAX_BARREN
    assert set(refused[MAX_BARREN:]) == {"trap: leads to nothing"}
    assert not leads.refusal(f"{SITE}/archiv/0"), "what passed once passes again"
    leads.looked(documents=False)
    assert leads.refusal(f"{SITE}/archiv/neu")
    leads.looked(documents=True)
    assert not leads.refusal(f"{SITE}/archiv/neu")
    assert leads.refusal(f"{SITE}/veranstaltungen/2999/01/01") == "trap: calendar"
