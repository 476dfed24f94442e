"""The catalogue that ships: sound, unique, findable."""

import pytest

from kiebitz.errors import InputError, NotFound
from kiebitz.sources.catalogue import entries, entry
from kiebitz.sources.definition import source_from
from kiebitz.sources.registry import nearest
from kiebitz.sources.states import STATES
from kiebitz.standards.url import canonical


def test_names_and_pages_are_unique_and_every_entry_makes_a_source() -> None:
    every = entries()
    assert len(every) > 150
    assert len({each.name.casefold() for each in every}) == len({each.url for each in every}) == len(every)
    for each in every:
        assert canonical(each.url) == each.url
        source = source_from(each.fields)
        assert source.name == each.name
        assert source.labels["municipality"] == each.municipality


def test_keys_and_states_agree() -> None:
    for each in entries():
        assert each.kind in {"gazette", "notices", "planning"}
        assert not each.ags or each.ags.startswith(STATES[each.state][1]), each.name
        assert len(each.ags) in {0, 8}


def test_entries_are_found_by_state_and_by_a_part_of_their_name() -> None:
    assert {each.state for each in entries("Brandenburg")} == {"BB"}
    assert entries("bb") == entries("BB")
    assert [each.kind for each in entries(name="ahrens")] == ["gazette", "notices"]
    assert [each.name for each in entries("BB", "EBERSWALDE")] == ["Eberswalde", "Eberswalde (Bekanntmachungen)"]
    assert entries("HH") == []
    with pytest.raises(InputError, match="unknown state 'Prussia'"):
        entries("Prussia")


def test_an_entry_is_found_by_its_name_or_suggested() -> None:
    assert entry("ahrensfelde").name == "Ahrensfelde"
    for wrong in ("Luebben", "lubben", "Lübben"):
        with pytest.raises(NotFound) as unknown:
            entry(wrong)
        assert "Lübben (Spreewald)" in unknown.value.hint
    with pytest.raises(NotFound, match="Xyzzy") as unknown:
        entry("Xyzzy")
    assert "kiebitz source catalogue" in unknown.value.hint


def test_the_nearest_names_are_those_that_contain_the_text_then_those_that_look_alike() -> None:
    names = ["Göttingen", "Bad Gandersheim", "Gottmadingen", "Bremen"]
    assert nearest("goettingen", names)[0] == "Göttingen"
    assert nearest("bad", names) == ["Bad Gandersheim"]
    assert nearest("", names) == []
