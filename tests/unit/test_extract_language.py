import pytest

from kiebitz.extract.language import language_of

TEXTS = {
    "de": "Die Unterlagen liegen in der Zeit vom 1. bis zum 30. April im Rathaus öffentlich aus und können dort eingesehen werden.",
    "en": "The documents are on display at the town hall from the first of April and can be inspected by any resident.",
    "fr": "Les documents sont exposés à la mairie du premier au trente avril et peuvent être consultés par le public.",
    "nl": "De stukken liggen van één tot dertig april ter inzage op het gemeentehuis en kunnen daar worden ingezien door iedereen.",
    "it": "I documenti sono esposti nel municipio dal primo al trenta aprile e possono essere consultati da tutti i cittadini.",
    "es": "Los documentos están expuestos en el ayuntamiento del uno al treinta de abril y pueden ser consultados por los vecinos.",
    "pl": "Dokumenty są wyłożone w urzędzie od pierwszego do trzydziestego kwietnia i mogą być przeglądane przez mieszkańców, którzy się zgłoszą.",
    "da": "Dokumenterne er fremlagt på rådhuset fra den første til den tredivte april og kan ses af alle, der har interesse i det.",
    "tr": "Belgeler nisan ayı için belediyede bir ay boyunca görülebilir ve bu süre sonra uzatılabilir, ancak daha çok başvuru gerekir.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert language_of(TEXTS[language]) == language


@pytest.mark.parametrize(
    "text", ["", "Amtsblatt 7/2026", "12.03.2026 14:00", "Download PDF", "Nr. 1\nNr. 2\nNr. 3", "die"]
)
def test_too_little_text_is_unsure(text: str) -> None:
    assert language_of(text) == ""


def test_two_languages_in_equal_parts_are_unsure() -> None:
    assert language_of(f"{TEXTS['de']} {TEXTS['en']}") == ""


def test_a_list_of_names_is_unsure() -> None:
    assert language_of("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann " * 5) == ""
