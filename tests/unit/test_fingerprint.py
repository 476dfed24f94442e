"""What matters of a source, and what is different from the last time."""

from datetime import UTC, datetime, timedelta

from kiebitz.model.candidate import Candidate, Verdict
from kiebitz.model.issue import Issue
from kiebitz.model.sight import Change, PageSight, Sight
from kiebitz.watch.alarm import alarm
from kiebitz.watch.fingerprint import RESTLESS, difference, sight_of

URL = "https://stadt.example/amtsblatt"
START = datetime(2026, 11, 15, 12, tzinfo=UTC)


def issue(number: int, url: str = "", label: str = "", *, is_document: bool = True) -> Verdict:
    text = label or f"Amtsblatt Nr. {number}/2026"
    link = Candidate(url or f"https://stadt.example/{number}.pdf", number, text=text)
    return Verdict(link, 1.0, (), "ul/li", is_document, Issue(number, None, 2026))


def page(*verdicts: Verdict, text: tuple[str, ...] = (), url: str = URL, state: str = "documents") -> PageSight:
    return PageSight(url, url, "r", START, state, "", "Amtsblatt", verdicts, text)


def look(*pages: PageSight, before: Sight | None = None, number: int = 0) -> Sight:
    return sight_of(pages, f"r{number}", START + timedelta(days=number), before)


def changed(old: Sight, *pages: PageSight) -> Change | None:
    return difference(old, look(*pages, before=old, number=1))[0]


def test_order_and_place_do_not_matter() -> None:
    one = look(page(issue(1), issue(2), text=("a b", "c d")), page(issue(3), url=URL + "/2"))
    other = look(page(issue(3), text=("c d", "a b")), page(issue(2), issue(1), url=URL + "/2"))
    assert one.fingerprint == other.fingerprint
    assert difference(one, other)[0] is None


def test_what_is_new_and_what_is_gone_is_told() -> None:
    change = changed(look(page(issue(1), issue(2))), page(issue(2), issue(3)))
    assert change
    assert [item.label for item in change.new] == ["Amtsblatt Nr. 3/2026"]
    assert [item.label for item in change.gone] == ["Amtsblatt Nr. 1/2026"]
    assert change.summary == "1 new, 1 gone"
    assert change.since == START


def test_another_label_is_a_change_and_so_is_another_address_of_the_same_issue() -> None:
    relabelled = changed(look(page(issue(1))), page(issue(1, label="Amtsblatt Nr. 1/2026 (korrigiert)")))
    assert relabelled
    assert [(old.label, young.label) for old, young in relabelled.changed] == [
        ("Amtsblatt Nr. 1/2026", "Amtsblatt Nr. 1/2026 (korrigiert)")
    ]
    moved = changed(look(page(issue(1))), page(issue(1, "https://stadt.example/neu/1.pdf")))
    assert moved
    assert (moved.new, moved.gone, len(moved.changed)) == ((), (), 1)


def test_tokens_sizes_and_counters_of_a_document_are_no_change() -> None:
    old = look(page(issue(1, "https://s.example/d?id=1&token=9f8a7c6b5d4e3f2a", "Amtsblatt Nr. 1/2026 (1,2 MB)")))
    assert not changed(
        old, page(issue(1, "https://s.example/d?id=1&token=aaaa7c6b5d4e3f2a", "Amtsblatt Nr. 1/2026 (1,3 MB)"))
    )


def test_documents_whose_addresses_differ_in_tokens_only_are_told_apart_by_their_labels() -> None:
    both = [issue(n, f"https://s.example/d?token={n}f8a7c6b5d4e3f2a") for n in (1, 2)]
    assert len(look(page(*both)).items) == 2
    again = [issue(n, f"https://s.example/d?token={n}bbbb7c6b5d4e3f2a") for n in (2, 1)]
    assert not changed(look(page(*both)), page(*again))


def test_a_changed_line_is_shown_as_a_pair_and_the_rows_of_documents_are_told_once() -> None:
    old = look(page(issue(1), text=("Redaktionsschluss ist der dritte Freitag.", "Amtsblatt Nr. 1/2026")))
    now = page(issue(1), issue(2), text=("Redaktionsschluss ist der zweite Freitag.", "Amtsblatt Nr. 2/2026"))
    change = changed(old, now)
    assert change
    assert [item.kind for item in change.new] == ["document"]
    assert change.gone == ()
    assert [young.label for _, young in change.changed] == ["Redaktionsschluss ist der zweite Freitag."]


def test_a_line_whose_figures_change_at_every_look_is_taken_for_a_counter() -> None:
    sight, told = look(page(issue(1), text=("Bisher 100 Unterschriften",))), 0
    for number in range(1, 10):
        count = f"Bisher {100 + number} Unterschriften"
        change, sight = difference(sight, look(page(issue(1), text=(count,)), before=sight, number=number))
        told += change is not None
    assert told == RESTLESS - 1


def test_a_counter_does_not_hide_a_new_line() -> None:
    sight = look(page(text=("Stufe 1", "alt")))
    for number in range(1, 5):
        _, sight = difference(sight, look(page(text=(f"Stufe {number}", "alt")), before=sight, number=number))
    change, _ = difference(sight, look(page(text=("Stufe 9", "alt", "ganz neue Zeile")), before=sight, number=9))
    assert change
    assert [item.label for item in change.new] == ["ganz neue Zeile"]


def test_a_source_that_suddenly_shows_nothing_is_broken() -> None:
    before = look(page(*(issue(n) for n in range(1, 9))))
    empty = page(state="empty", text=("Hier entsteht etwas Neues",))
    assert "8 were listed" in alarm(before, look(empty), [empty])
    login = page(state="login")._replace(reason="the page asks for a password")
    assert alarm(before, look(login), [login]) == "login: the page asks for a password"
    assert alarm(None, look(empty), [empty]).startswith("empty")
    assert "not-a-page" in alarm(before, look(), [])


def test_a_layout_that_loses_the_newest_is_broken_and_a_tidied_archive_is_not() -> None:
    before = look(page(*(issue(n) for n in range(1, 9))))
    remains = page(issue(1), issue(2))
    assert "only 2 of 8" in alarm(before, look(remains), [remains])
    tidied = page(issue(7), issue(8))
    assert not alarm(before, look(tidied), [tidied])
    next_year = page(issue(9))
    assert not alarm(before, look(next_year), [next_year])
