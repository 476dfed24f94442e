"""Words, their forms, and the parts of compounds."""

from pathlib import Path
from time import process_time

import pytest

from kiebitz.search.analyse import folded, forms, is_stop, located, stem, tokens
from kiebitz.search.compounds import LONGEST_WORD, Splitter
from kiebitz.search.distance import within

WHOLE = (
    "Verordnung Genehmigung Oktober Karlsruhe Wolfsburg Landschaft Verantwortung Bekanntmachung Wirtschaft Vorbescheid Beirat Ausbau "
    "Baracke Ratte Holunder Universität Bergmann öffentlichen bauen elektronische bestehende Monitoring Plan Amt"
)
DATA = Path(__file__).parents[1] / "data" / "search"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Der Bebauungsplan, Nr. 12a", ["der", "bebauungsplan", "nr", "12", "a"]),
        ("Az. 63-123/2026", ["az", "63", "123", "2026"]),
        ("§ 34 BauGB", ["§", "34", "baugb"]),
        ("Stra\u00dfe Stra\u00adße A\u0308nderung ﬁnden", ["straße", "straße", "änderung", "finden"]),
        ("E-Mail_adresse", ["e", "mail", "adresse"]),
        ("\0\ud800 ", []),
    ],
)
def test_a_text_has_these_words(text: str, words: list[str]) -> None:
    assert tokens(text) == words
    assert [token.word for token in located(text)] == words


def test_the_place_of_a_word_is_that_of_the_text_as_it_is() -> None:
    text = "Die A\u0308nderung der Stra\u00adße, İzmir ﬁnden"
    assert [text[token.start : token.end] for token in located(text)] == [
        "Die",
        "A\u0308nderung",
        "der",
        "Stra\u00adße",
        "İzmir",
        "ﬁnden",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("änderung", "aenderung", "anderung", "änderungen"),
        ("straße", "strasse", "straßen"),
        ("plan", "pläne", "plänen", "plans"),
        ("häuser", "haus", "hauses"),
    ],
)
def test_spellings_and_endings_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word, "de") for word in words}) == 1


def test_folding_tells_what_umlauts_tell() -> None:
    assert folded("schön") == folded("schoen") != folded("schon")
    assert folded("café") == "cafe"
    assert folded("łódź") == "lodz"


def test_a_word_has_its_exact_form_its_stem_and_its_parts() -> None:
    found = forms("bebauungspläne", "de")
    assert found.exact == "bebauungsplaene"
    assert found.stem == stem("bebauungsplan", "de")
    assert found.parts == (stem("bebauung", "de"), "plan")
    assert forms("buildings", "en") == ("buildings", "build", ())


def test_stop_words_are_of_both_languages() -> None:
    assert all(map(is_stop, ("der", "und", "für", "the", "of")))
    assert not any(map(is_stop, ("plan", "berlin", "permit")))


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Bebauungsplanänderung", "bebauung+plan+änderung"),
        ("Bauamt", "bau+amt"),
        ("Ratssitzung", "rat+sitzung"),
        ("Seeufer", "see+ufer"),
        ("Länderausschuss", "land+ausschuss"),
        ("Gaststättengesetz", "gast+stätte+gesetz"),
        ("Häuserblock", "haus+block"),
        ("Bürgermeisterwahl", "bürgermeister+wahl"),
        ("Umweltverträglichkeitsprüfung", "umwelt+verträglichkeit+prüfung"),
        ("Kolonnenstraße", "kolonne+straße"),
        ("Gebuehrensatzung", "gebühr+satzung"),
        ("Strassenausbau", "straße+ausbau"),
        ("Beschlußfassung", "beschluss+fassung"),
        ("Corona-Virus", "corona+virus"),
        ("Bebauungspläne", "bebauung+plan"),
    ],
)
def test_compounds_are_taken_apart(word: str, parts: str) -> None:
    assert "+".join(Splitter.shipped().parts(word)) == parts


def test_what_is_no_compound_stays_whole() -> None:
    taken_apart = {
        word: parts for word in WHOLE.split() if (parts := Splitter.shipped().parts(word)) != (word.lower(),)
    }
    assert taken_apart == {}


def test_a_splitter_learns_the_words_of_its_corpus() -> None:
    assert Splitter.shipped().parts("Zorbelweg") != ("zorbel", "gasthaus")
    learned = Splitter({"Zorbel": 9, "zorbelplan": 9, "selten": 1})
    assert learned.parts("Zorbelhof") == ("zorbel", "hof")
    assert learned.parts("Zorbelplan") == ("zorbel", "plan")  # its own count does not keep it whole
    assert Splitter.shipped().parts("Zorbelhof") == ("zorbelhof",)


def test_the_shared_splitter_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="shared"):
        Splitter.shipped().learn({"zorbel": 9})


@pytest.mark.parametrize(
    "word", ["", "-", "---", "a" * 100_000, "ä" * LONGEST_WORD, "bau" * 21, "\0\ud800", "baubaubau-" * 1_000, "𝔅𝔞𝔲"]
)
def test_no_word_is_too_odd_to_be_taken_apart(word: str) -> None:
    splitter = Splitter.shipped()
    begin = process_time()
    assert splitter.parts(word)
    assert process_time() - begin < 0.2


def without_link(part: str) -> str:
    return next((part[: -len(link)] for link in ("en", "er", "es", "e", "n", "s") if part.endswith(link)), part)


@pytest.mark.parametrize(("half", "precision", "recall"), [("tune", 0.98, 0.98), ("held", 0.97, 0.95)])
def test_compounds_of_gazettes_are_taken_apart_as_judged(half: str, precision: float, recall: float) -> None:
    """The floors only rise. Nothing about a single word of the held half is shown."""
    split = compounds = right = 0
    for line in (DATA / f"compounds_{half}.tsv").read_text("utf-8").splitlines()[1:]:
        word, parts = line.split("\t")[:2]
        wanted = [without_link(part) for part in parts.split("+")]
        found = [without_link(part) for part in Splitter.shipped().parts(word)]
        split, compounds = split + (len(found) > 1), compounds + (len(wanted) > 1)
        right += len(found) > 1 and found == wanted
    assert right / split >= precision
    assert right / compounds >= recall


@pytest.mark.parametrize(
    ("first", "second", "most", "distance"),
    [
        ("plan", "plan", 1, 0),
        ("plan", "palm", 2, 2),
        ("plan", "paln", 1, 1),
        ("plan", "plans", 1, 1),
        ("plan", "an", 1, None),
        ("", "ab", 2, 2),
        ("abc", "xyz", 2, None),
    ],
)
def test_letters_that_are_wrong_are_counted(first: str, second: str, most: int, distance: int | None) -> None:
    assert within(first, second, most) == within(second, first, most) == distance
