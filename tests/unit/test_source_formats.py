"""Lists of sources as files: what one writes it reads, what others write too, and nothing that is broken or a bomb."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiebitz.adapters.memory.sources import MemorySources
from kiebitz.errors import InputError
from kiebitz.model.source import Focus, Look, Source
from kiebitz.sources.definition import source_from
from kiebitz.sources.formats import Format, format_of, read, write
from kiebitz.sources.registry import Intake, all_sources, take_in
from tests.contract.awaited import awaited

NOW = datetime(2026, 11, 15, tzinfo=UTC)
URL = "https://stadt.example/amtsblatt"
EVERY = [
    source_from({"entry_urls": URL}),
    source_from(
        {
            "entry_urls": "https://köln.example/ä?a=1&b=2 https://koeln.example/2",
            "name": 'Köln; "Amt", <Nord> & Süd',
            "labels": {"state": "NW", "ags": "05315000", "municipality": "Köln", "kreis": "x=y"},
            "focus": "pages",
            "schedule": "*/5 8-18 * * mon-fri Europe/Vienna",
            "delay": 0,
            "max_per_run": 9,
            "budget": 0,
            "enabled": False,
            "rules": [
                "take link https://koeln.example/a.pdf",
                'leave pattern (?i)"formular|antrag"',
                "leave group a>b",
            ],
        }
    ),
]


async def taken(sources: MemorySources, content: bytes | str, name: str = "") -> Intake:
    raw = content.encode() if isinstance(content, str) else content
    return await take_in(sources, read(raw, name), NOW)


@pytest.mark.parametrize("kind", Format)
@awaited
async def test_what_is_exported_is_imported_as_it_was(kind: Format) -> None:
    sources = MemorySources()
    text = write(EVERY, kind)
    intake = await taken(sources, text)
    assert (len(intake.added), intake.refused) == (2, [])
    assert await all_sources(sources) == sorted((replace(s, created_at=NOW) for s in EVERY), key=lambda s: s.name)
    again = await taken(sources, text, f"sources.{kind}")
    assert (again.added, again.updated, len(again.unchanged)) == ([], [], 2)


texts = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF), min_size=1, max_size=30).filter(
    lambda text: text.isprintable() and text.strip() == text and "  " not in text and text.split()
)


@given(texts, texts, st.sampled_from(Format))
def test_names_and_labels_of_any_kind_survive(name: str, label: str, kind: Format) -> None:
    source = source_from({"entry_urls": URL, "name": name, "labels": {"remark": label, "municipality": label}})
    (row,) = read(write([source], kind).encode(), f"x.{kind}")
    assert source_from(row.fields) == source


@awaited
async def test_a_row_is_a_source_by_its_id_or_by_its_first_url_and_says_only_what_it_says() -> None:
    sources = MemorySources()
    await taken(sources, f"url,name,state,delay\n{URL},Stadt,BB,2\n")
    (first,) = await all_sources(sources)
    await sources.note(first.id, Look(NOW, changed=True))
    intake = await taken(sources, f"name,url,ags,delay\nStadt (neu),{URL},12060005,\n")
    assert intake.updated == ["Stadt (neu)"]
    moved = await taken(sources, f"id,url\n{first.id},https://stadt.example/neu\n")
    assert moved.updated == ["Stadt (neu)"]
    (source,) = await all_sources(sources)
    assert source == replace(
        first,
        looks=(NOW,),
        name="Stadt (neu)",
        entry_urls=("https://stadt.example/neu",),
        labels={"ags": "12060005", "state": "BB"},
        last_crawled=NOW,
        last_change=NOW,
    )
    assert (await taken(sources, "url\nhttps://stadt.example/neu\n")).unchanged == ["Stadt (neu)"]


@awaited
async def test_rows_that_cannot_be_used_are_refused_with_line_and_reason_and_the_others_are_in() -> None:
    sources = MemorySources()
    lines = [
        "name,url,schedule,note",
        "Good,https://a.example/,,",
        "No page,not a url,,",
        '"Two',
        'lines",https://b.example/,61 * * * *,',
        ",,,",
        "Good,https://c.example/,,",
        "Twice,https://a.example/#x,,",
        "Late,https://d.example/,every 6h,a,b",
        "Also good,https://e.example/,every 6h,ignored",
    ]
    intake = await taken(sources, "\n".join(lines))
    assert intake.added == ["Good", "Also good"]
    assert [(each.line, each.name, each.reason.split(":")[0].split(" (")[0]) for each in intake.refused] == [
        (3, "No page", "not a URL"),
        (4, "Two\nlines", "bad schedule '61 * * * *'"),
        (7, "Good", "another source is named 'Good'"),
        (8, "Twice", "the same source as in line 2"),
        (9, "Late", "5 cells, but 4 columns"),
    ]
    assert [source.name for source in await all_sources(sources)] == ["Also good", "Good"]


@pytest.mark.parametrize(
    "content",
    [
        "name;url;state\nKöln;https://k.example/;NW\n".encode("cp1252"),
        "\ufeffName;URL;State\r\n\r\nKöln;https://k.example/;Nordrhein-Westfalen\r\n".encode(),
        "name\tpage_url\tstate\tlayout\nKöln\thttps://k.example/\tNW\tx\n".encode(),
        '[\n {"name": "Köln", "url": "https://k.example/", "state": "nw", "focus": null}\n]'.encode(),
        '{"name": "Köln", "entry_urls": ["https://k.example/"], "labels": {"state": "NW"}, "x": 1}\n\n'.encode(),
        '<opml><body><outline text="Land"><outline text="Köln" xmlUrl="https://k.example/" htmlUrl="https://x.example"'
        ' xmlns:k="https://kiebitz.example/opml" k:state="NW"/></outline></body></opml>'.encode(),
        '<?xml version="1.0" encoding="windows-1252"?><opml><outline title="Köln" htmlUrl="https://k.example/"'
        ' xmlns:k="https://kiebitz.example/opml" k:state="NW"/></opml>'.encode("cp1252"),
    ],
)
def test_lists_as_other_programs_write_them_are_read(content: bytes) -> None:
    (row,) = read(content)
    assert source_from(row.fields) == source_from(
        {"name": "Köln", "entry_urls": "https://k.example/", "labels": {"state": "NW"}}
    )


BOMB = """<?xml version="1.0"?>
<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<opml><body><outline text="&b;&c;" xmlUrl="https://a.example/"/></body></opml>"""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "", "the list is empty"),
        ("x.csv", "name,town\nA,B\n", "line 1: there is no column entry_urls"),
        ("x.csv", "url,page_url\na,b\n", "two columns are entry_urls"),
        ("x.csv", 'name,url\nA,"https://a.example/\nB,https://b.example/\n', "line 2: not CSV"),
        ("x.csv", f"name,url\n{'x' * 200_000},https://a.example/\n", "line 2: not CSV: field larger"),
        ("x.csv", "PK\3\4\0\0", "bytes that are no text"),
        ("x.json", "", ""),
        ("x.json", '[{"url": "https://a.example/"},\n{"url": }]', "line 2: not JSON"),
        ("x.json", '[{"url": "https://a.example/"}', "the array does not end"),
        ("x.json", '[{"url": "https://a.example/"} {}]', "line 1: not JSON: a comma is missing"),
        ("x.json", "[{}] []", "something follows"),
        ("x.json", "[" * 100_000, "too deep"),
        ("x.json", b"\xff\xfe", "no UTF-8"),
        ("x.opml", "", "line 1: not XML"),
        ("x.opml", "<opml><body>\n<outline text='A'>", "line 2: not XML"),
        ("x.opml", "<html></html>", "not OPML: it begins with <html>"),
        ("x.opml", '<?xml version="1.0" encoding="klingon"?><opml/>', "not XML"),
        ("x.opml", BOMB, "line 2: a DOCTYPE is not allowed"),
        ("", BOMB, "a DOCTYPE is not allowed"),
    ],
)
def test_what_is_broken_is_refused_as_a_whole(name: str, content: str | bytes, message: str) -> None:
    raw = content.encode() if isinstance(content, str) else content
    if not message:
        assert read(raw, name) == []
        return
    with pytest.raises(InputError) as refused:
        read(raw, name)
    assert message in str(refused.value)
    assert refused.value.hint


@awaited
async def test_values_of_the_wrong_type_are_refused_row_by_row() -> None:
    rows = [7, {"url": 7}, {"url": URL, "labels": "x"}, {"url": URL, "enabled": []}, {"url": URL, "rules": [1]}]
    intake = await taken(MemorySources(), "[" + ",\n".join(map(json.dumps, rows)) + "]")
    assert [refusal.line for refusal in intake.refused] == [1, 2, 3, 4, 5]
    assert intake.added == []


def test_the_format_follows_from_the_name() -> None:
    assert [format_of(name) for name in ("a.CSV", "a.jsonl", "a.xml", "a.txt", "")] == [
        "csv",
        "json",
        "opml",
        None,
        None,
    ]


@awaited
async def test_a_list_of_thousands_is_paged() -> None:
    sources = MemorySources()
    for number in range(2001):
        await sources.put(Source(f"{number}", f"{number:05}", (f"https://a.example/{number}",), focus=Focus.PAGES))
    assert len(await all_sources(sources)) == 2001
