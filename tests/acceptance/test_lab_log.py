from pathlib import Path

from kiebitz.lab.log import AccessLog, Entry, from_lines, most_at_once, repeated, smallest_gaps


def entry(start: float, end: float, host: str = "a.example", target: str = "/", address: str = "127.1.0.1") -> Entry:
    return Entry(start, end, start, host, address, "GET", target, "test", 1, 200, 100, complete=True)


def test_the_gap_is_from_the_end_of_an_answer_to_the_next_request() -> None:
    entries = [entry(5.0, 6.0), entry(0.0, 1.0), entry(2.0, 3.0), entry(0, 9, "b.example")]
    assert smallest_gaps(entries) == {"a.example": 1.0}
    assert smallest_gaps([entry(0, 3), entry(1, 2), entry(4, 5)])["a.example"] == -2.0


def test_answers_that_overlap_are_counted_by_host_and_by_address() -> None:
    entries = [entry(0, 2), entry(1, 3, "b.example"), entry(2, 4)]
    assert most_at_once(entries, lambda e: e.host) == {"a.example": 1, "b.example": 1}
    assert most_at_once(entries, lambda e: e.address) == {"127.1.0.1": 2}


def test_what_was_asked_for_twice_is_named_but_not_robots() -> None:
    entries = [entry(0, 1), entry(2, 3), entry(4, 5, target="/robots.txt"), entry(6, 7, target="/robots.txt")]
    assert repeated(entries) == {"http://a.example/": 2}


def test_the_file_holds_what_memory_holds(tmp_path: Path) -> None:
    file = tmp_path / "access.jsonl"
    log = AccessLog(file)
    log.add(entry(0, 1, target="/straße"))
    try:
        assert from_lines(file.read_text().splitlines()) == log.entries
        assert log.stats()["requests"] == 1
        log.clear()
        assert log.stats()["requests"] == 0
    finally:
        log.close()
