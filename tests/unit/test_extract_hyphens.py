import pytest

from kiebitz.extract.characters import plain, unmapped
from kiebitz.extract.hyphens import joined
from kiebitz.model.text import Line


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (["Der Bebau-", "ungsplan der Stadt"], ["Der Bebauungsplan", "der Stadt"]),
        (["Der Bebau\ufffe", "ungsplan"], ["Der Bebauungsplan"]),
        (["Der Bebau\u00ad", "ungsplan"], ["Der Bebauungsplan"]),
        (["nach ärztlicher Be-", "ratung einer"], ["nach ärztlicher Beratung", "einer"]),
        (["das Bau-", "und Planungsamt"], ["das Bau-", "und Planungsamt"]),
        (["die Straßen-", "bzw. Grünflächen"], ["die Straßen-", "bzw. Grünflächen"]),
        (["in Baden-", "Württemberg gilt"], ["in Baden-Württemberg", "gilt"]),
        (["von 2020-", "2021 an"], ["von 2020-2021", "an"]),
        (["eine CO2-", "neutrale Stadt"], ["eine CO2-neutrale", "Stadt"]),
        (["per E-", "mail an"], ["per E-mail", "an"]),
        (["https://stadt.example/unsere-", "satzung.pdf"], ["https://stadt.example/unsere-satzung.pdf"]),
        (["Ende -", "kein Wort"], ["Ende -", "kein Wort"]),
        (["Genehmigungsver-", "fahrens-", "recht gilt"], ["Genehmigungsverfahrensrecht", "gilt"]),
        (["am Schluss Be-"], ["am Schluss Be-"]),
        (["weich\u00adge\u00adtrennt"], ["weichgetrennt"]),
    ],
)
def test_divided_words_become_whole_and_hyphens_stay(lines: list[str], read: list[str]) -> None:
    assert [line.text for line in joined([Line(text) for text in lines])] == read


def test_a_word_joins_across_pages_and_stays_in_the_line_it_began_in() -> None:
    first, second = joined([Line("Für Per-", 1), Line("sonen gilt", 2)])
    assert (first.text, first.page, second.text, second.page) == ("Für Personen", 1, "gilt", 2)


def test_ligatures_and_odd_spaces_become_what_people_type() -> None:
    assert plain("Grundﬂäche\u00a0und\u2009Größe\u200b \uf0b7 Punkt") == "Grundfläche und Größe • Punkt"
    assert plain("plain text – mit „Zeichen“ …") == "plain text – mit „Zeichen“ …"


def test_characters_without_meaning_are_counted_but_bullets_are_not() -> None:
    assert unmapped("ab\ue123\ufffd\x05 \uf0b7") == 3
