"""What stays the same of a request while its tokens change."""

import pytest

from kiebitz.standards.identity import stable

FILE = "https://stadt.example/download.php"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{FILE}?id=5&token=9f8a7c6b5d4e3f2a", f"{FILE}?id=5&token=0123456789abcdef"),
        (
            f"{FILE}?id=5&expires=1763200000&signature=aB3dE5fG7hJ9kL1m",
            f"{FILE}?id=5&expires=1763286400&signature=zZ3dE5fG7hJ9kL1m",
        ),
        (f"{FILE}?sid=ab12cd34ef56&id=5", f"{FILE}?sid=ff12cd34ef56&id=5"),
        (f"{FILE}?id=5&_=1763200000123", f"{FILE}?id=5&_=1763200000999"),
        (f"{FILE}?id=5&hash=5be794352befb7a9", f"{FILE}?id=5&hash=99991111aaaa2222"),
        (f"{FILE}?tx_x[token]=9f8a7c6b5d4e3f2a&id=5", f"{FILE}?tx_x[token]=aa8a7c6b5d4e3f2a&id=5"),
    ],
)
def test_a_token_in_the_address_does_not_make_another_document(one: str, other: str) -> None:
    assert stable(one) == stable(other)
    assert "id=5" in stable(one)


def test_a_field_against_forgery_does_not_make_another_form() -> None:
    assert stable(FILE, b"id=5&__RequestVerificationToken=abc") == stable(FILE, b"id=5&__RequestVerificationToken=xyz")
    assert stable(FILE, b"id=5&csrf_token=1") != stable(FILE, b"id=6&csrf_token=1")
    assert stable(FILE, b"id=5") != stable(FILE)
    assert stable(FILE, b"id=5&hash=5be794352befb7a9") == stable(FILE, b"id=5&hash=9af869b5eb20478d")


def test_a_mark_against_caches_does_not_make_another_file() -> None:
    assert stable("https://s.example/a.pdf?v=5be794352befb7a9") == "https://s.example/a.pdf"


@pytest.mark.parametrize(
    "url",
    [
        f"{FILE}?id=5",
        f"{FILE}?hash=9f8a7c6b5d4e3f2a",
        f"{FILE}?file=amtsblatt_05_2026.pdf",
        f"{FILE}?file=Amtsblatt052026Ausgabe7",
        f"{FILE}?doc=3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        f"{FILE}?t=5&ausgabe=12",
        "https://stadt.example/amtsblatt/2026/05.pdf",
    ],
)
def test_what_names_the_document_is_kept(url: str) -> None:
    assert stable(url) == url
