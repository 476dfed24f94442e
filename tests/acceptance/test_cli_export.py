"""``kiebitz export``: the thesis' tree of documents, and their records as lines of JSON."""

from pathlib import Path

from kiebitz.lab.graph import SpotKind
from kiebitz.lab.running import RunningLab
from kiebitz.model.document import document_id
from tests.program import Program

FIELDS = {
    "id", "url", "parent_url", "link_text", "source", "valid", "first_seen", "visited_on", "downloaded_on",
    "tries", "status", "content_type", "bytes", "sha256", "versions", "issue",
}  # fmt: skip
THESIS = {
    "downloaded", "downloaded_on", "downloaded_tries_number", "full_url", "link_text", "parent_url", "uuid", "valid",
    "visited", "visited_on",
}  # fmt: skip


def served(lab: RunningLab, url: str) -> bytes:
    _, _, host, path = url.split("/", 3)
    return lab.graph.page(host, f"/{path}")


def sources(program: Program) -> dict[str, str]:
    """Of each document: the host that linked to it first, which depends on who was faster."""
    return {record["url"]: record["source"] for record in program("export", "jsonl").lines}


def test_documents_become_a_tree_of_sources_and_a_second_export_writes_nothing(
    lab: RunningLab, kept: Program, tmp_path: Path
) -> None:
    folder = tmp_path / "tree"
    urls = lab.graph.urls(SpotKind.DOCUMENT)
    first = kept("export", "documents", str(folder), "--json")
    assert first.code == 0
    assert first.json == {"folder": str(folder), "written": len(urls), "present": 0}
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    for url, source in sources(kept).items():
        path = Path(f"{source}+{document_id(f'https://{source}/')}") / f"{document_id(url)}.pdf"
        assert files.pop(path).read_bytes() == served(lab, url)
    assert not files
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    again = kept("export", "documents", str(folder))
    assert again.out == f"0 documents written to {folder}, {len(urls)} were there already\n"
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_an_export_mends_a_file_that_was_cut_and_can_be_of_one_source(
    lab: RunningLab, kept: Program, tmp_path: Path
) -> None:
    found = sources(kept)
    url, source = min(found.items())
    export = ("export", "documents", str(tmp_path / "tree"), "--source", source, "--json")
    assert kept(*export).json["written"] == list(found.values()).count(source)
    (folder,) = (tmp_path / "tree").iterdir()
    file = folder / f"{document_id(url)}.pdf"
    file.write_bytes(b"%PDF-")
    assert kept(*export).json["written"] == 1
    assert file.read_bytes() == served(lab, url)


def test_records_of_documents_have_all_their_fields(lab: RunningLab, kept: Program, tmp_path: Path) -> None:
    done = kept("export", "jsonl")
    assert done.code == 0
    records = {record["url"]: record for record in done.lines}
    assert records.keys() == lab.graph.urls(SpotKind.DOCUMENT)
    digests = lab.graph.digests(records.keys())
    for url, record in records.items():
        assert record.keys() == FIELDS
        assert (record["id"], record["sha256"]) == (document_id(url), digests[url])
        assert record["bytes"] == len(served(lab, url))
        assert (record["valid"], record["status"], record["tries"]) == (True, 200, 1)
        assert record["content_type"] == "application/pdf"
        assert record["source"] == record["parent_url"].split("/")[2]
        assert record["link_text"]
        assert record["first_seen"] == record["downloaded_on"] == record["visited_on"]
        assert record["first_seen"].endswith("Z")
        assert [version["sha256"] for version in record["versions"]] == [record["sha256"]]
    file = tmp_path / "records.jsonl"
    written = kept("export", "jsonl", str(file))
    assert (written.code, written.out) == (0, "")
    assert file.read_text() == done.out


def test_records_can_have_exactly_the_ten_fields_of_the_thesis(lab: RunningLab, kept: Program) -> None:
    full = {record["id"]: record for record in kept("export", "jsonl").lines}
    thesis = kept("export", "jsonl", "--thesis").lines
    assert {record["uuid"] for record in thesis} == full.keys()
    for record in thesis:
        assert record.keys() == THESIS
        original = full[record["uuid"]]
        assert (record["full_url"], record["parent_url"]) == (original["url"], original["parent_url"])
        assert (record["downloaded"], record["visited"], record["valid"]) == (True, True, True)
        assert record["downloaded_tries_number"] == original["tries"] - 1
        assert record["downloaded_on"] + "Z" == original["downloaded_on"]


def test_an_export_to_where_nothing_can_be_written_says_so(kept: Program, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for command in (("documents", str(tmp_path / "file")), ("jsonl", str(tmp_path / "file" / "x"))):
        done = kept("export", *command)
        assert (done.code, done.out) == (3, "")
        assert str(tmp_path / "file") in done.err
        assert "  next: " in done.err
    assert (tmp_path / "file").read_text() == "in the way"
