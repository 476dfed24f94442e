"""What holds for the index in parts beyond the contract: files, seals, tombstones, versions, comparable scores."""

import asyncio
import json
import random
from datetime import date
from pathlib import Path

import pytest

from kiebitz.adapters.tantivy.index import TantivyIndex, manifest
from kiebitz.adapters.tantivy.index.writer import PartLimits
from kiebitz.errors import HomeCorrupt, HomeNewer, InputError, Locked
from kiebitz.model.hit import PageText
from kiebitz.model.query import Everything, Search, Word
from kiebitz.search.schema import VERSION
from tests.contract.awaited import awaited
from tests.contract.index_papers import PAPERS, found, paper

TWO = PartLimits(papers=2)


async def filled(folder: Path, limits: PartLimits = TWO) -> TantivyIndex:
    index = TantivyIndex(folder, limits=limits)
    await index.add(PAPERS)
    await index.commit(1)
    return index


@awaited
async def test_a_full_part_is_sealed_and_its_files_never_change(tmp_path: Path) -> None:
    index = await filled(tmp_path)
    sealed = [part for part in manifest.read(tmp_path).parts if part.sealed]
    assert [part.papers for part in sealed] == [2, 2, 2]
    await index.add([paper("plan", "Neu."), paper("more", "Noch eins.")])
    await index.delete(["road"])
    await index.commit(2)
    after = {part.name: part for part in manifest.read(tmp_path).parts}
    assert all(after[part.name].files == part.files for part in sealed)
    assert sum(len(part.tombstones) for part in after.values()) == 2
    await index.close()


@awaited
async def test_compacting_drops_tombstones_and_joins_small_parts(tmp_path: Path) -> None:
    index = await filled(tmp_path)
    await index.delete(["plan", "road"])
    await index.commit(2)
    await index.close()
    larger = TantivyIndex(tmp_path, limits=PartLimits(papers=100))
    await larger.add([paper("late", "Später.")])
    with pytest.raises(InputError, match="not committed"):
        await larger.compact()
    await larger.commit(3)
    await larger.compact()
    parts = manifest.read(tmp_path).parts
    assert sum(len(part.tombstones) for part in parts) == 0
    assert len(parts) == 2
    assert {hit.id for hit in (await larger.search(Search(Everything(), limit=50))).hits} == {
        "plural", "plain", "fire", "english", "gazette", "late",
    }  # fmt: skip
    assert await larger.verify() == []
    await larger.close()
    folders = {path.name for path in (tmp_path / "parts").iterdir()}
    await TantivyIndex(tmp_path).add([])  # a writer sweeps when it opens
    assert {part.folder for part in parts} <= folders


@awaited
async def test_another_process_may_read_and_only_one_may_write(tmp_path: Path) -> None:
    writer = await filled(tmp_path)
    reader = TantivyIndex(tmp_path)
    assert await found(reader, "feuerwehr") == ["fire"]
    await writer.delete(["fire"])
    await writer.commit(2)
    assert await found(reader, "feuerwehr") == []
    with pytest.raises(Locked):
        await reader.add(PAPERS)
    await writer.close()
    await reader.add(PAPERS)
    await reader.commit(3)
    assert await found(reader, "feuerwehr") == ["fire"]
    await reader.close()


@awaited
async def test_what_was_not_committed_is_gone_after_reopening(tmp_path: Path) -> None:
    index = await filled(tmp_path)
    await index.add([paper(f"x{n}", "Unfertig.") for n in range(5)])
    await index.delete(["plan"])
    await index.close()
    again = TantivyIndex(tmp_path, limits=TWO)
    assert (await again.status()).papers == len(PAPERS)
    await again.add([paper("y", "Fertig.")])
    await again.commit(2)
    assert await found(again, "unfertig") == []
    assert await found(again, "fertig") == ["y"]
    assert (await again.status()).papers == len(PAPERS) + 1
    assert {path.name for path in (tmp_path / "parts").iterdir()} >= {
        part.folder for part in manifest.read(tmp_path).parts
    }
    await again.close()


@awaited
async def test_damage_is_found_and_named(tmp_path: Path) -> None:
    index = await filled(tmp_path)
    await index.close()
    (part, other, *_) = manifest.read(tmp_path).parts
    store = next(file.name for file in part.files if file.name.endswith(".store"))
    path = tmp_path / "parts" / part.folder / store
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    missing = next(file.name for file in other.files if file.name.endswith(".idx"))
    (tmp_path / "parts" / other.folder / missing).unlink()
    faults = await TantivyIndex(tmp_path).verify()
    assert faults == [f"{part.name}: {store} is damaged", f"{other.name}: {missing} is missing"]


@pytest.mark.parametrize(("version", "error"), [(VERSION - 1, HomeCorrupt), (VERSION + 1, HomeNewer)])
@awaited
async def test_another_schema_is_refused_with_what_to_do(tmp_path: Path, version: int, error: type[Exception]) -> None:
    index = await filled(tmp_path)
    await index.close()
    values = json.loads((tmp_path / manifest.NAME).read_text())
    (tmp_path / manifest.NAME).write_text(json.dumps(values | {"schema": version}))
    with pytest.raises(error) as caught:
        await TantivyIndex(tmp_path).search(Search(Everything()))
    assert "kiebitz index rebuild" in caught.value.hint or error is HomeNewer  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', "null"])
@awaited
async def test_a_damaged_manifest_is_an_error_of_ours(tmp_path: Path, text: str) -> None:
    (tmp_path / manifest.NAME).write_text(text)
    with pytest.raises(HomeCorrupt):
        await TantivyIndex(tmp_path).position()
    assert len(await TantivyIndex(tmp_path).verify()) == 1


def test_a_manifest_cannot_name_a_file_elsewhere() -> None:
    entry = manifest.PartEntry("p1", "../p1", 1, False, "{}", ())
    with pytest.raises(HomeCorrupt, match="not a file name"):
        manifest.loads(manifest.dumps(manifest.Manifest(parts=(entry,))))


@awaited
async def test_a_paper_comes_out_of_compaction_as_it_went_in(tmp_path: Path) -> None:
    long = paper(
        "long",
        pages=(PageText(1, "Ein Satz. " * 3_000), PageText(2, "ohneLeerzeichen" * 2_000), PageText(7, "")),
        metadata=(("author", "Amt"),),
        keywords=("a b", "c"),
        headings=("H1", "H2"),
    )
    index = TantivyIndex(tmp_path, limits=PartLimits(papers=1))
    await index.add([long, paper("gone", "Weg.")])
    await index.commit(1)
    writer = await index._opened()
    (part,) = [sealed for sealed in writer._sealed.values() if len(sealed.keys) == 1][:1]
    assert list(writer._papers(part)) == [long]
    await index.close()


@awaited
async def test_scores_are_those_of_one_index(tmp_path: Path) -> None:
    """Rarity is exact over all parts; what may differ is the average length."""
    rng = random.Random(7)
    words = [f"wort{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(120)]
    weights = [1 / (1 + n) for n in range(120)]
    papers = [
        paper(f"n{n}", " ".join(rng.choices(words, weights, k=rng.randint(20, 60))), published=date(2026, 1, 1))
        for n in range(300)
    ]
    whole = TantivyIndex(tmp_path / "whole")
    parts = TantivyIndex(tmp_path / "parts", limits=PartLimits(papers=37))
    for index in (whole, parts):
        await index.add(papers)
        await index.commit(1)
    agreed = 0
    queries = [Word(word) for word in words[5:65:3]]
    for query in queries:
        one = {hit.id: hit.score for hit in (await whole.search(Search(query, limit=10))).hits}
        many = {hit.id: hit.score for hit in (await parts.search(Search(query, limit=10))).hits}
        agreed += len(one.keys() & many.keys())
        for name in one.keys() & many.keys():
            assert many[name] == pytest.approx(one[name], rel=0.05)
    assert agreed >= 0.9 * 10 * len(queries)  # the rest are near ties
    await asyncio.gather(whole.close(), parts.close())


@awaited
async def test_umlauts_are_suggested_as_papers_write_them(tmp_path: Path) -> None:
    index = await filled(tmp_path)
    assert "hauptstraße" in await index.suggest("haupts")
    await index.close()


@awaited
async def test_of_near_duplicates_one_is_shown(tmp_path: Path) -> None:
    empty = TantivyIndex(tmp_path, limits=TWO)
    await empty.add([paper(f"n{n}", "Das Wasser wird abgestellt. " * n, cluster="water") for n in (1, 2, 3)])
    await empty.add([paper("other", "Das Wasser ist warm.")])
    await empty.commit(1)
    hits = (await empty.search(Search(Word("Wasser"), limit=2))).hits
    assert len(hits) == 2
    (shown,) = [hit for hit in hits if hit.id != "other"]
    assert {shown.id, *shown.similar} == {"n1", "n2", "n3"}
