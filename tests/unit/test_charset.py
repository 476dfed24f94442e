import codecs
import time

import pytest

from kiebitz.standards import charset

LATIN = "Größe".encode("windows-1252")


def test_a_byte_order_mark_outranks_the_header() -> None:
    assert charset.sniff(codecs.BOM_UTF8 + b"x", "text/html; charset=iso-8859-1") == "utf-8"
    assert charset.decode("\ufeffGröße".encode("utf-16-le"), "text/html; charset=utf-8") == "Größe"
    assert charset.decode("\ufeffGröße".encode("utf-16-be"), "") == "Größe"
    assert charset.decode("\ufeffGröße".encode(), "") == "Größe"


def test_the_header_outranks_the_document() -> None:
    assert charset.sniff(b'<meta charset="koi8-r">', "text/html; charset=utf-8") == "utf-8"


@pytest.mark.parametrize(
    ("header", "codec"),
    [
        ("text/html;charset=UTF-8", "utf-8"),
        ('text/html; charset="iso-8859-1"', "windows-1252"),
        ("text/html; Charset = 'latin1'", "windows-1252"),
        ("text/html; boundary=x; charset=ascii", "windows-1252"),
        ("text/html; charset=ISO-8859-15 ; x=y", "iso8859-15"),
        ("text/html; charset=gb2312", "gb18030"),
        ("text/html; charset=shift_jis", "cp932"),
        ("text/html; charset=utf-16", "utf-16-le"),
    ],
)
def test_labels_mean_what_browsers_mean_by_them(header: str, codec: str) -> None:
    assert charset.sniff(b"x", header) == codec


@pytest.mark.parametrize(
    "header", ["text/html; charset=klingon", "text/html; charset=", "text/html", "", "; charset=iso-2022-kr"]
)
def test_a_label_nobody_knows_is_as_good_as_none(header: str) -> None:
    assert charset.sniff("Größe".encode(), header) == "utf-8"
    assert charset.sniff(LATIN, header) == "windows-1252"


@pytest.mark.parametrize(
    ("document", "codec"),
    [
        (b'<html><head><meta charset="iso-8859-15">', "iso8859-15"),
        (b"<META CHARSET=windows-1251 />", "cp1251"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        (b"<meta content='text/html; charset=koi8-r' http-equiv=content-type>", "koi8-r"),
        (b'<meta name="description" content="charset=koi8-r"><meta charset=big5>', "big5hkscs"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5hkscs"),
        (b'<meta charset="klingon"><meta charset=big5>', "big5hkscs"),
        (b'<meta charset="utf-16">', "utf-8"),
        (b'<?xml version="1.0" encoding="ISO-8859-2"?><html>', "iso8859-2"),
        (b'<meta charset="x-user-defined">', "windows-1252"),
        (b" " * 1024 + b"<meta charset=koi8-r>", "utf-8"),
        (b"<!-- <meta charset=koi8-r>", "utf-8"),
        (b'<meta "charset=koi8-r', "utf-8"),
    ],
)
def test_the_first_kilobyte_may_say_the_charset(document: bytes, codec: str) -> None:
    assert charset.sniff(document, "text/html") == codec


def test_windows_1252_has_a_character_for_every_byte() -> None:
    text = charset.decode(bytes(range(256)), "text/plain; charset=latin1")
    assert len(text) == 256
    assert "\ufffd" not in text
    assert (text[0x80], text[0x81], text[0xFC]) == ("€", "\x81", "ü")


@pytest.mark.parametrize("codec", sorted(set(charset.CODECS.values())))
def test_decoding_never_fails(codec: str) -> None:
    label = next(label for label, known in charset.CODECS.items() if known == codec)
    assert isinstance(charset.decode(bytes(range(255, -1, -1)) * 2, f"text/html; charset={label}"), str)


def test_what_cannot_be_decoded_becomes_the_replacement_character() -> None:
    assert charset.decode(b"a\xffb", "text/html; charset=utf-8") == "a\ufffdb"


def test_garbage_costs_linear_time() -> None:
    garbage = b"<meta " + b"\x81\xff<meta '" * 200_000
    begin = time.process_time()
    charset.decode(garbage, "")
    charset.decode(garbage, "text/html; charset=utf-8")
    assert time.process_time() - begin < 1.0
