import random
from collections.abc import Sequence

from kiebitz.extract.duplicates import ALIKE, BANDS, Clusters, bands, near_duplicates, signature, similarity
from tests.pdf_pages import Drawing, columns


def words(seed: int, count: int = 400) -> list[str]:
    return columns(1, Drawing.COLUMNS, pages=2, seed=seed).words[:count]


def edited(text: list[str], share: float, seed: int) -> str:
    chance = random.Random(seed)
    changed = set(chance.sample(range(len(text)), round(share * len(text))))
    return " ".join(f"neu{chance.randrange(10**6)}" if at in changed else word for at, word in enumerate(text))


def test_a_text_is_like_itself_whatever_its_spacing_and_case() -> None:
    text = words(1)
    one, other = signature(" ".join(text)), signature("\n ".join(text).upper())
    assert similarity(one, other) == 1.0
    assert bands(one) == bands(other)


def test_a_signature_means_the_same_everywhere() -> None:
    """Stored signatures must survive an update: these bytes may only change with the version."""
    signed = signature(
        "der rat der stadt hat in seiner sitzung am montag den plan für das neue gebiet am see beschlossen und legt ihn aus"
    )
    assert signed[0] == 1
    assert len(signed) == 513
    assert signed[1:9].hex() == "c42a6d0a25f2f35a"


def test_nineteen_of_twenty_edits_are_found() -> None:
    texts = [words(seed) for seed in range(1, 61)]
    found = sum(similarity(signature(" ".join(t)), signature(edited(t, 0.05, n))) >= ALIKE for n, t in enumerate(texts))
    assert found >= 57


def test_different_texts_of_one_kind_are_not_alike() -> None:
    signed = [signature(" ".join(words(seed))) for seed in range(1, 25)]
    assert all(similarity(one, other) < 0.3 for n, one in enumerate(signed) for other in signed[:n])


def test_candidates_are_found_by_their_bands_alone() -> None:
    original = signature(" ".join(words(1)))
    copy = signature(edited(words(1), 0.05, 1))
    assert len(bands(original)) == BANDS
    assert set(bands(original)) & set(bands(copy))
    asked: list[bytes] = []

    def store(keys: Sequence[bytes]) -> list[tuple[str, bytes]]:
        asked.extend(keys)
        return [("original", original), ("other", signature(" ".join(words(2))))]

    assert [each.key for each in near_duplicates(copy, store)] == ["original"]
    assert asked == list(bands(copy))


def test_copies_join_the_group_of_the_first() -> None:
    clusters = Clusters()
    assert clusters.add("a", signature(" ".join(words(1)))) == "a"
    assert clusters.add("b", signature(" ".join(words(2)))) == "b"
    assert clusters.add("a2", signature(edited(words(1), 0.04, 3))) == "a"
    assert clusters.add("a3", signature(edited(words(1), 0.04, 4))) == "a"
    assert clusters.add("a2", b"") == "a"


def test_short_texts_are_alike_to_nothing() -> None:
    clusters = Clusters()
    assert signature("Amtsblatt Nr. 7") == b""
    assert clusters.add("a", b"") == "a"
    assert clusters.add("b", b"") == "b"
