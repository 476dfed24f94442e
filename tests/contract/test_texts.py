"""The contract of Texts."""

import asyncio
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from kiebitz.adapters.memory.texts import MemoryTexts
from kiebitz.adapters.sqlite import texts as sqlite_texts
from kiebitz.adapters.sqlite.texts import SqliteTexts
from kiebitz.errors import NotFound
from kiebitz.extract.duplicates import bands, signature
from kiebitz.model.text import Line, Text, TextState
from kiebitz.model.text_record import KnownText, TextRecord, packed, unpacked
from kiebitz.ports.texts import MOST_OF_A_BAND, Texts
from tests.contract.awaited import awaited
from tests.contract.samples import day
from tests.contract.stores import opened

WORDS = " ".join(f"wort{number}" for number in range(60))
TEXT = Text(TextState.READ, (Line("Bebauungsplan „Grüne Mitte“", 1), Line(WORDS, 2)), title="Nr. 1", pages=2)


def record(name: str, number: float = 1, *, words: str = "", cluster: str = "", **fields: object) -> TextRecord:
    made = TextRecord(
        id=name,
        url=f"https://stadt.example/{name}.pdf",
        source="s1",
        kind="gazette",
        state=TextState.READ,
        content_type="application/pdf",
        sha256="ab" * 32,
        crawled_at=day(number),
        content=packed(TEXT),
        title="Amtsblatt Nr. 1 „März“",
        language="de",
        pages=2,
        published=date(2026, 3, 1),
        signature=signature(words),
        cluster=cluster,
    )
    return made._replace(**fields)  # type: ignore[arg-type]


@pytest.fixture(params=["memory", "sqlite"])
def texts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Texts]:
    if request.param == "memory":
        yield MemoryTexts()
        return
    with opened(tmp_path, "texts") as database:
        yield SqliteTexts(database)


@awaited
async def test_a_text_comes_back_as_it_was_put(texts: Texts) -> None:
    odd = record("b", state=TextState.NEEDS_OCR, reason="2 pages", scanned=2, published=None, words=WORDS, cluster="c")
    assert await texts.put([record("a"), odd]) == 2
    assert await texts.get("a") == record("a")
    assert await texts.get("b") == odd
    assert unpacked((await texts.get("a")).content) == TEXT
    with pytest.raises(NotFound):
        await texts.get("c")


@awaited
async def test_the_feed_has_the_last_change_of_each_id_in_order(texts: Texts) -> None:
    assert (await texts.after(0), await texts.last()) == ([], 0)
    await texts.put([record("a"), record("b")])
    await texts.put([record("c")])
    first = await texts.after(0)
    assert [entry.id for entry in first] == ["a", "b", "c"]
    assert [entry.sequence for entry in first] == sorted({entry.sequence for entry in first})
    assert await texts.last() == first[-1].sequence
    await texts.put([record("a", 2, title="another")])
    (entry,) = await texts.after(first[-1].sequence)
    assert (entry.id, entry.record) == ("a", record("a", 2, title="another"))
    assert [entry.id for entry in await texts.after(0)] == ["b", "c", "a"]
    assert [entry.id for entry in await texts.after(0, limit=2)] == ["b", "c"]


@awaited
async def test_an_older_text_changes_nothing_and_the_same_one_is_no_change(texts: Texts) -> None:
    await texts.put([record("a", 2)])
    last = await texts.last()
    assert await texts.put([record("a", 1, title="older")]) == 0
    assert await texts.put([record("a", 2)]) == 0
    assert await texts.put([record("a", 3)]) == 0
    assert await texts.last() == last
    assert await texts.get("a") == record("a", 3)
    assert await texts.put([record("a", 2, title="older than the last time it was seen")]) == 0
    assert await texts.put([record("a", 3, title="read better")]) == 1
    assert await texts.last() > last


@awaited
async def test_within_one_put_the_later_of_an_id_wins(texts: Texts) -> None:
    assert await texts.put([record("a", title="one"), record("a", title="two")]) == 2
    assert (await texts.get("a")).title == "two"
    assert len(await texts.after(0)) == 1


@awaited
async def test_what_is_deleted_is_gone_told_by_the_feed_and_comes_back_by_a_younger_one_only(texts: Texts) -> None:
    await texts.put([record("a", words=WORDS, cluster="c"), record("b")])
    last = await texts.last()
    await texts.delete(["a", "nobody"])
    await texts.delete(["a"])
    with pytest.raises(NotFound):
        await texts.get("a")
    (entry,) = await texts.after(last)
    assert (entry.id, entry.record, entry.sequence) == ("a", None, last + 1)
    assert await texts.counts() == {"read": 1}
    assert await texts.in_state(TextState.READ) == [record("b")]
    assert await texts.similar(bands(signature(WORDS))) == []
    assert await texts.put([record("a")]) == 0
    assert await texts.put([record("a", 2)]) == 1
    assert await texts.get("a") == record("a", 2)


@awaited
async def test_states_are_counted_and_listed_in_parts(texts: Texts) -> None:
    scans = [record(name, state=TextState.NEEDS_OCR) for name in "abc"]
    await texts.put([*scans, record("d"), record("e", state=TextState.ENCRYPTED)])
    assert await texts.counts() == {"needs-ocr": 3, "read": 1, "encrypted": 1}
    assert await texts.in_state(TextState.NEEDS_OCR, limit=2) == scans[:2]
    assert await texts.in_state(TextState.NEEDS_OCR, after="b") == scans[2:]
    await texts.put([record("a", 2)])
    assert await texts.counts() == {"needs-ocr": 2, "read": 2, "encrypted": 1}


@awaited
async def test_known_texts_are_told_with_content_and_time(texts: Texts) -> None:
    await texts.put([record("a"), record("b", 2)])
    await texts.delete(["b"])
    assert await texts.known(["a", "b", "c"]) == {
        "a": KnownText("ab" * 32, day(1)),
        "b": KnownText("ab" * 32, day(2)),
    }


@awaited
async def test_similar_texts_are_found_by_their_bands(texts: Texts) -> None:
    near = WORDS.replace("wort59", "anders")
    await texts.put([record("a", words=WORDS, cluster="c1"), record("b", words="zwei " * 30), record("d")])
    assert await texts.similar(bands(signature(near))) == [("a", signature(WORDS), "c1")]
    await texts.put([record("a", 2, words="ganz anders " * 30)])
    assert await texts.similar(bands(signature(near))) == []
    assert await texts.similar(()) == []


@awaited
async def test_a_band_that_very_many_share_answers_with_its_first_few(texts: Texts) -> None:
    await texts.put([record(f"{number:03}", words=WORDS) for number in range(MOST_OF_A_BAND * 3)])
    found = await texts.similar(bands(signature(WORDS)))
    assert [each for each, _, _ in found] == [f"{number:03}" for number in range(MOST_OF_A_BAND)]


def test_the_sequence_goes_on_across_processes_and_a_reader_misses_nothing(tmp_path: Path) -> None:
    async def write(mine: Texts, theirs: Texts) -> list[str]:
        seen: list[str] = []
        position = 0
        for number in range(20):
            await asyncio.gather(mine.put([record(f"m{number}")]), theirs.put([record(f"t{number}")]))
            for entry in await mine.after(position):
                seen.append(entry.id)
                position = entry.sequence
        return seen

    with opened(tmp_path, "texts") as one, opened(tmp_path, "texts") as other:
        seen = asyncio.run(write(SqliteTexts(one), SqliteTexts(other)))
    assert len(seen) == len(set(seen)) == 40


def test_what_is_not_a_text_is_refused() -> None:
    for content in (b"", b"nonsense", packed(TEXT)[:-9]):
        with pytest.raises(ValueError, match="not a"):
            unpacked(content)


@pytest.mark.parametrize(
    "statement", [value for name, value in vars(sqlite_texts).items() if name.isupper() and isinstance(value, str)]
)
def test_no_statement_scans_the_texts_or_sorts_them(tmp_path: Path, statement: str) -> None:
    values = dict.fromkeys(re.findall(r":(\w+)", statement), "1")
    with opened(tmp_path, "texts") as database:
        explained = database.run(lambda sql: sql.execute(f"explain query plan {statement}", values).fetchall())
        steps = [step[3] for step in asyncio.run(explained)]
    assert not [step for step in steps if "TEMP B-TREE" in step]
    scans = [step for step in steps if re.match(r"SCAN (text|band)", step)]
    assert all("COVERING INDEX" in step for step in scans), "counting may walk an index"
