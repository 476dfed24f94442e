"""Documents that mean harm get a clear state within the limits, and the pool that read them reads the next one."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.sandbox import Sandbox
from kiebitz.model.text import Text, TextState
from tests.hostile_documents import (
    DOCX_TYPE,
    ODT_TYPE,
    SENTENCE,
    billion_laughs,
    encrypted,
    flate_bomb,
    huge_picture,
    many_pages,
    mutated,
    nested_forms,
    nested_html,
    page_tree_cycle,
    scan,
    simple,
    two_gigabytes_declared,
    with_script,
    without_unicode,
    xref_cycle,
    zip_bomb,
)
from tests.pdf_pages import document

pytestmark = pytest.mark.slow

PDF = "application/pdf"
LIMITS = ReadLimits(memory=700_000_000, cpu_seconds=8, wall_seconds=100, ocr_seconds=0)
GOOD = document([simple()])
ENDED = {TextState.TOO_LARGE, TextState.TIMED_OUT, TextState.CRASHED}

CASES: dict[str, tuple[Callable[[], bytes], str, set[TextState]]] = {
    "an empty file": (lambda: b"", PDF, {TextState.EMPTY}),
    "a flate bomb": (lambda: flate_bomb(900), PDF, {TextState.TOO_LARGE}),
    "a table of objects that points at itself": (xref_cycle, PDF, {TextState.READ, TextState.DAMAGED}),
    "pages that contain themselves": (page_tree_cycle, PDF, {TextState.DAMAGED}),
    "forms in forms in forms": (nested_forms, PDF, ENDED),
    "a stream that claims 2 GB": (two_gigabytes_declared, PDF, {TextState.READ, TextState.DAMAGED}),
    "a picture of 60,000 times 60,000": (huge_picture, PDF, {TextState.NEEDS_OCR}),
    "a file cut in half": (lambda: many_pages(20)[:4_000], PDF, {TextState.DAMAGED}),
    "a password": (lambda: encrypted(b"secret"), PDF, {TextState.ENCRYPTED}),
    "a scan": (lambda: scan(3), PDF, {TextState.NEEDS_OCR}),
    "fonts without Unicode": (without_unicode, PDF, {TextState.NEEDS_OCR}),
    "a zip bomb": (zip_bomb, DOCX_TYPE, {TextState.TOO_LARGE}),
    "a billion laughs": (billion_laughs, ODT_TYPE, {TextState.TOO_LARGE}),
    "HTML without end": (nested_html, "text/html", {TextState.TOO_LARGE}),
    "random bytes as PDF": (lambda: random.Random(1).randbytes(50_000), PDF, {TextState.DAMAGED}),
    "random bytes as HTML": (lambda: random.Random(2).randbytes(50_000), "text/html", {TextState.UNSUPPORTED}),
    "random bytes as DOCX": (lambda: random.Random(3).randbytes(50_000), DOCX_TYPE, {TextState.DAMAGED}),
    "random bytes": (lambda: random.Random(4).randbytes(50_000), "", {TextState.UNSUPPORTED}),
}


def read(content: bytes, content_type: str, limits: ReadLimits = LIMITS) -> tuple[Text, Text, float]:
    """The document, the good one after it, and how long the first took."""

    async def both() -> tuple[Text, Text, float]:
        async with Sandbox(1, limits) as sandbox:
            start = time.monotonic()
            text = await sandbox.read(content, content_type, "https://stadt.example/a")
            took = time.monotonic() - start
            return text, await sandbox.read(GOOD, PDF), took

    return asyncio.run(both())


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_document_has_a_clear_state_and_the_pool_lives(name: str) -> None:
    make, content_type, states = CASES[name]
    text, after, took = read(make(), content_type)
    assert text.state in states
    assert text.reason or text.state is TextState.READ
    assert after.plain == SENTENCE
    assert took < LIMITS.wall_seconds + 10


def test_encryption_that_only_the_owner_knows_is_read() -> None:
    text, _, _ = read(encrypted(b""), PDF)
    assert (text.state, text.plain, text.title) == (TextState.READ, SENTENCE, "Amtsblatt")


def test_a_script_inside_is_never_run() -> None:
    text, _, _ = read(with_script(), PDF)
    assert (text.state, text.plain) == (TextState.READ, SENTENCE)


def test_of_three_thousand_pages_a_thousand_are_read_and_the_rest_is_said() -> None:
    text, _, _ = read(many_pages(3_000), PDF)
    assert (text.state, text.pages, len(text.lines)) == (TextState.READ, 3_000, 1_000)
    assert "2,000 of 3,000 pages were not read" in text.reason


def test_fifty_megabytes_of_text_are_cut() -> None:
    limits = LIMITS._replace(characters=5_000_000, cpu_seconds=30)
    text, after, _ = read(b"Der Rat hat den Plan und die Satzung beschlossen.\n" * 1_000_000, "text/plain", limits)
    assert text.state is TextState.READ
    assert "cut" in text.reason
    assert 4_800_000 < sum(len(line.text) for line in text.lines) <= 5_000_000
    assert after.plain == SENTENCE


def test_a_text_larger_than_the_pipe_may_carry_is_too_large() -> None:
    text, after, _ = read(
        b"Der Rat hat beschlossen.\n" * 100_000, "text/plain", LIMITS._replace(output_bytes=1_000_000)
    )
    assert text.state is TextState.TOO_LARGE
    assert after.plain == SENTENCE


def test_files_that_were_damaged_at_random_never_end_the_pool() -> None:
    async def all_of_them() -> list[Text]:
        async with Sandbox(2, LIMITS._replace(cpu_seconds=5)) as sandbox:
            async with asyncio.TaskGroup() as tasks:
                reading = [tasks.create_task(sandbox.read(mutated(seed), PDF)) for seed in range(120)]
            texts = [task.result() for task in reading]
            assert (await sandbox.read(GOOD, PDF)).plain == SENTENCE
            return texts

    texts = asyncio.run(all_of_them())
    assert len(texts) == 120
    assert sum(text.state is TextState.READ for text in texts) > 30  # most damage is survived
    assert all(text.reason for text in texts if text.state not in (TextState.READ, TextState.EMPTY))
