"""What a sound source is, and what is refused."""

import pytest

from kiebitz.errors import BadUrl, InputError
from kiebitz.model.source import DEFAULT_SCHEDULE, Focus, RuleAction, RuleKind, SourceRule, source_id
from kiebitz.sources.definition import changed, fields_of, rule_of, source_from

URL = "https://www.stadt.example/amtsblatt"


def test_a_url_is_enough() -> None:
    source = source_from({"entry_urls": ["www.STADT.example/amtsblatt#top"]})
    assert source.entry_urls == (URL,)
    assert source.id == source_id(URL)
    assert source.name == "stadt.example"
    assert (source.focus, source.schedule, source.enabled) == (Focus.DOCUMENTS, DEFAULT_SCHEDULE, True)
    assert source.politeness.delay is None


def test_fields_come_back_as_texts_and_as_values() -> None:
    texts = {
        "entry_urls": f"{URL} {URL}/archiv {URL}",
        "name": "  Amt   Stadt ",
        "labels": {"state": "Brandenburg", "ags": "12060005", "Remark": "x", "empty": ""},
        "focus": "Pages",
        "schedule": "every 6h",
        "delay": "2.5",
        "max_per_run": "7",
        "budget": "0",
        "enabled": "nein",
        "rules": f"take link {URL}/1.pdf\n\nleave pattern /formulare/\nleave pattern /formulare/",
    }
    source = source_from(texts)
    assert source.name == "Amt Stadt"
    assert source.entry_urls == (URL, f"{URL}/archiv")
    assert source.labels == {"ags": "12060005", "remark": "x", "state": "BB"}
    assert (source.politeness.delay, source.politeness.max_per_run, source.budget) == (2.5, 7, 0)
    assert not source.enabled
    assert source.rules == (
        SourceRule(RuleAction.TAKE, RuleKind.LINK, f"{URL}/1.pdf"),
        SourceRule(RuleAction.LEAVE, RuleKind.PATTERN, "/formulare/"),
    )
    assert source_from(fields_of(source)) == source


def test_a_change_touches_only_what_it_names() -> None:
    source = source_from({"entry_urls": URL, "labels": {"state": "BB", "ags": "12060005"}, "delay": 3})
    other = changed(source, {"entry_urls": f"{URL}/neu", "labels": {"state": "", "kreis": "Barnim"}, "max_per_run": 5})
    assert other.id == source.id
    assert other.labels == {"ags": "12060005", "kreis": "Barnim"}
    assert (other.politeness.delay, other.politeness.max_per_run) == (3, 5)
    assert changed(other, {"delay": ""}).politeness.delay is None
    assert changed(source, {}) == source


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", " ", "bad name ''"),
        ("name", "a\x1b[31m", "bad name"),
        ("name", "x" * 201, "bad name"),
        ("entry_urls", "", "no entry URL"),
        ("entry_urls", [], "no entry URL"),
        ("entry_urls", ["a b"], "not a URL"),
        ("entry_urls", "ftp://stadt.example/", "unknown scheme"),
        ("entry_urls", [1], "bad entry_urls"),
        ("entry_urls", [f"https://stadt.example/{n}" for n in range(101)], "101 entry URLs"),
        ("labels", "state=BB", "bad labels"),
        ("labels", {"a b": "c"}, "bad label 'a b'"),
        ("labels", {"note": "a\x00b"}, "bad label note"),
        ("labels", {"ags": "1206"}, "bad AGS"),
        ("labels", {"state": "XY"}, "unknown state 'XY'"),
        ("focus", "films", "bad focus"),
        ("schedule", "sometimes", "bad schedule"),
        ("delay", "fast", "bad delay"),
        ("delay", "nan", "bad delay"),
        ("delay", -1, "bad delay"),
        ("delay", 1e6, "bad delay"),
        ("max_per_run", "1.5", "bad max_per_run"),
        ("budget", True, "bad budget"),
        ("budget", -1, "bad budget"),
        ("budget", "9" * 400, "bad budget"),
        ("enabled", "maybe", "bad enabled"),
        ("rules", "take everything", "bad rule"),
        ("rules", ["leave pattern ("], "bad rule"),
        ("rules", ["leave pattern (a)\\1"], "not allowed"),
        ("rules", ["leave pattern (?=a)"], "not allowed"),
        ("rules", [f"leave pattern {n}" for n in range(51)], "51 patterns"),
        ("rules", [f"take link https://stadt.example/{'a' * 5000}"], "too long"),
        ("rules", ["take link javascript:void(0)"], "unknown scheme"),
        ("rules", {"take": "link"}, "bad rules"),
        ("id", "../../x", "bad id"),
    ],
)
def test_what_is_wrong_is_refused_with_the_value(field: str, value: object, message: str) -> None:
    with pytest.raises(InputError) as refused:
        source_from({"entry_urls": URL, field: value})
    assert message in str(refused.value)
    assert refused.value.hint


def test_what_is_no_web_page_is_no_url() -> None:
    with pytest.raises(BadUrl):
        source_from({"entry_urls": "Amtsblatt"})


def test_a_rule_is_its_text() -> None:
    for text in (f"take link {URL}", "leave group ul>li>a|nr", "leave pattern (?i)formular|antrag"):
        assert str(rule_of(text)) == text
