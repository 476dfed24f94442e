"""The pool of children: what it keeps, what it replaces, and that nothing of it stays behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.sandbox import Child, Sandbox
from kiebitz.model.text import TextState
from tests.hostile_documents import SENTENCE, simple
from tests.pdf_pages import Drawing, columns, document

pytestmark = pytest.mark.slow

PDF = "application/pdf"
GOOD = document([simple()])
LIMITS = ReadLimits(ocr_seconds=0)


def test_children_are_kept_for_the_next_document_and_replaced_after_some() -> None:
    async def read() -> list[int]:
        async with Sandbox(1, LIMITS, documents_per_child=3) as sandbox:
            started = []
            for _ in range(7):
                assert (await sandbox.read(GOOD, PDF)).plain == SENTENCE
                started.append(sandbox.started)
            return started

    assert asyncio.run(read()) == [1, 1, 1, 2, 2, 2, 3]


def test_several_documents_are_read_at_once_by_no_more_children_than_allowed() -> None:
    async def read() -> int:
        async with Sandbox(2, LIMITS) as sandbox:
            texts = await asyncio.gather(*(sandbox.read(GOOD, PDF) for _ in range(12)))
            assert all(text.plain == SENTENCE for text in texts)
            return sandbox.started

    assert asyncio.run(read()) == 2


def test_a_large_document_comes_through_the_pipe_whole() -> None:
    made = columns(2, Drawing.RANDOM, pages=40)

    async def read() -> None:
        async with Sandbox(1, LIMITS) as sandbox:
            text = await sandbox.read(made.content, PDF, "https://stadt.example/x.pdf")
            assert text.pages == 40
            assert len(text.lines) > 2_000

    asyncio.run(read())


def test_a_child_that_is_killed_costs_one_document() -> None:
    async def read() -> None:
        async with Sandbox(1, LIMITS) as sandbox:
            await sandbox.read(GOOD, PDF)
            os.kill(sandbox._idle[0]._process.pid, signal.SIGSEGV)
            crashed = await sandbox.read(GOOD, PDF)
            assert (crashed.state, crashed.reason) == (TextState.CRASHED, "the reader crashed: SIGSEGV")
            assert (await sandbox.read(GOOD, PDF)).plain == SENTENCE

    asyncio.run(read())


def test_a_child_that_hangs_is_ended_by_the_clock() -> None:
    async def read() -> None:
        async with Sandbox(1, LIMITS._replace(wall_seconds=1.5)) as sandbox:
            child = await Child.start(LIMITS)
            assert child is not None
            sandbox._idle.append(child)
            os.kill(child._process.pid, signal.SIGSTOP)
            text = await sandbox.read(GOOD, PDF)
            assert text.state is TextState.TIMED_OUT
            assert child._process.returncode == -signal.SIGKILL

    asyncio.run(read())


def test_a_document_that_eats_cpu_is_ended_by_the_cpu_limit() -> None:
    made = columns(3, Drawing.RANDOM, pages=400).content

    async def read() -> None:
        async with Sandbox(1, LIMITS._replace(cpu_seconds=1)) as sandbox:
            text = await sandbox.read(made, PDF)
            assert text.state is TextState.TIMED_OUT
            assert "CPU-seconds" in text.reason
            assert (await sandbox.read(GOOD, PDF)).plain == SENTENCE

    asyncio.run(read())


def test_cancelling_ends_the_child_and_the_pool_goes_on() -> None:
    made = columns(3, Drawing.RANDOM, pages=300).content

    async def read() -> None:
        async with Sandbox(1, LIMITS) as sandbox:
            await sandbox.read(GOOD, PDF)
            pid = sandbox._idle[0]._process.pid
            reading = asyncio.ensure_future(sandbox.read(made, PDF))
            await asyncio.sleep(0.3)
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            assert not is_running(pid)
            assert (await sandbox.read(GOOD, PDF)).plain == SENTENCE

    asyncio.run(read())


def test_the_pool_leaves_no_child_behind() -> None:
    async def read() -> list[int]:
        async with Sandbox(3, LIMITS) as sandbox:
            await asyncio.gather(*(sandbox.read(GOOD, PDF) for _ in range(6)))
            return [child._process.pid for child in sandbox._idle]

    assert not any(is_running(pid) for pid in asyncio.run(read()))


def test_children_die_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = """
import asyncio, sys
from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.sandbox import Child
async def main():
    children = [await Child.start(ReadLimits()) for _ in range(2)]
    print(*(child._process.pid for child in children), flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    assert all(is_running(pid) for pid in pids)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems lack some of the limits")
def test_linux_has_every_limit() -> None:
    async def read() -> None:
        async with Sandbox(1, LIMITS) as sandbox:
            await sandbox.read(GOOD, PDF)
            assert sandbox.missing == ()
            pid = sandbox._idle[0]._process.pid
            rows = limits_of(pid)
            assert rows["Max address space"] == str(LIMITS.memory)
            assert rows["Max core file size"] == "0"
            assert rows["Max file size"] == "0"
            assert int(rows["Max cpu time"]) <= LIMITS.cpu_seconds + 5

    asyncio.run(read())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the environment of another process")
def test_a_child_sees_none_of_our_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "geheim")

    async def read() -> bytes:
        async with Sandbox(1, LIMITS) as sandbox:
            await sandbox.read(GOOD, PDF)
            return environment_of(sandbox._idle[0]._process.pid)

    assert b"geheim" not in asyncio.run(read())


def limits_of(pid: int) -> dict[str, str]:
    limits = Path(f"/proc/{pid}/limits").read_text()
    return {line[:26].strip(): line[26:].split()[0] for line in limits.splitlines()[1:]}


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


def is_running(pid: int) -> bool:
    """A zombie that nobody has waited for yet is dead."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
