"""Documents of strangers are read in child processes: whatever they do there costs one document, never the worker.

A pool over plain pipes, because Lambda has no shared memory. A child has a limit of memory, CPU time, wall time and
output, writes no files, sees none of our environment, and ends with its parent. It is replaced after a crash, when a limit
was hit, and after a number of documents. Every document gets an answer: if not its text, then the state it ended in.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from types import TracebackType
from typing import Self

from kiebitz.extract.frames import LENGTH, LONGEST
from kiebitz.extract.limits import DEFAULT, ReadLimits
from kiebitz.model.text import Text, TextState, from_json

START_SECONDS = 30.0
STOP_SECONDS = 2.0
DOCUMENTS_PER_CHILD = 200
_OVERHEAD = 1_000_000  # bytes of an answer beside its text
# A child needs to find Python and tesseract, and nothing else of ours: no keys, no tokens.
_ENVIRONMENT = (
    "PATH",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "TESSDATA_PREFIX",
    "LANG",
    "LC_ALL",
    "VIRTUAL_ENV",
)
# pdfium ends itself on purpose when memory runs out.
_OUT_OF_MEMORY = (signal.SIGABRT, signal.SIGTRAP, signal.SIGILL)


class Sandbox:
    """``async with Sandbox() as sandbox: text = await sandbox.read(content, content_type, url)``"""

    def __init__(
        self, workers: int = 2, limits: ReadLimits = DEFAULT, documents_per_child: int = DOCUMENTS_PER_CHILD
    ) -> None:
        self._limits = limits
        self._documents_per_child = documents_per_child
        self._slots = asyncio.Semaphore(workers)
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self.started = 0  # children so far
        self.missing: tuple[str, ...] = ()  # limits this system does not have

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for child in (*self._idle, *self._busy):
            await child.kill()
        self._idle.clear()
        self._busy.clear()

    async def read(self, content: bytes, content_type: str, url: str = "") -> Text:
        """Never raises for what a document does; CancelledError ends the child that reads it."""
        if len(content) > min(self._limits.input_bytes, LONGEST):
            return Text(TextState.TOO_LARGE, reason=f"larger than {self._limits.input_bytes:,} bytes")
        async with self._slots:
            child = self._idle.pop() if self._idle else await self._start()
            if child is None:
                return Text(TextState.CRASHED, reason="the reader could not be started")
            self._busy.add(child)
            try:
                return await self._ask(child, content, content_type, url)
            finally:
                self._busy.discard(child)
                if child.is_sound and child.documents < self._documents_per_child:
                    self._idle.append(child)
                else:
                    await child.kill()

    async def _start(self) -> "Child | None":
        self.started += 1
        child = await Child.start(self._limits)
        if child is not None:
            self.missing = child.missing
        return child

    async def _ask(self, child: "Child", content: bytes, content_type: str, url: str) -> Text:
        limits = self._limits
        try:
            async with asyncio.timeout(limits.wall_seconds):
                return await child.ask(content, content_type, url, limits.output_bytes + _OVERHEAD)
        except TimeoutError:
            return Text(TextState.TIMED_OUT, reason=f"not read within {limits.wall_seconds:,.0f} s")
        except (asyncio.IncompleteReadError, ConnectionError):
            return _ended(await child.kill(), limits)
        except ValueError as error:
            return Text(TextState.CRASHED, reason=f"the reader answered nonsense: {error}"[:300])


def _ended(code: int, limits: ReadLimits) -> Text:
    """What the exit code of a child says about its document."""
    if code == -signal.SIGXCPU:
        return Text(TextState.TIMED_OUT, reason=f"not read within {limits.cpu_seconds} CPU-seconds")
    if -code in _OUT_OF_MEMORY:
        return Text(TextState.TOO_LARGE, reason=f"it needs more than {limits.memory // 1_000_000:,} MB of memory")
    name = signal.Signals(-code).name if code < 0 and -code in set(signal.Signals) else f"exit code {code}"
    return Text(TextState.CRASHED, reason=f"the reader crashed: {name}")


class Child:
    """One process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process, missing: tuple[str, ...]) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("a child without pipes")
        self._process = process
        self._requests, self._answers = process.stdin, process.stdout
        self.missing = missing
        self.documents = 0
        self.is_sound = True

    @classmethod
    async def start(cls, limits: ReadLimits) -> "Child | None":
        """None if it cannot be started, or does not report in time."""
        command = [sys.executable, "-P", "-B", "-m", "kiebitz.extract.child", str(os.getpid()), json.dumps(limits)]
        environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # so that what it starts can be ended with it, and Ctrl-C is ours alone
            )
        except OSError:
            return None
        child = cls(process, ())
        try:
            async with asyncio.timeout(START_SECONDS):
                child.missing = tuple(json.loads(await child._frame(_OVERHEAD)))
        except (TimeoutError, asyncio.IncompleteReadError, ValueError):
            await child.kill()
            return None
        except BaseException:
            await child.kill()
            raise
        return child

    async def ask(self, content: bytes, content_type: str, url: str, most: int) -> Text:
        """Raises what the pipe raises; the child is not sound until it has answered."""
        self.is_sound = False
        self.documents += 1
        header = json.dumps([content_type, url]).encode()
        for part in (header, content):
            self._requests.write(LENGTH.pack(len(part)))
            self._requests.write(part)
        await self._requests.drain()
        text = from_json(await self._frame(most))
        # After these it has ended itself.
        self.is_sound = text.state not in (TextState.TOO_LARGE, TextState.CRASHED)
        return text

    async def _frame(self, most: int) -> bytes:
        (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
        if length > most:
            raise ValueError(f"a frame of {length:,} bytes")
        return await self._answers.readexactly(length)

    async def kill(self) -> int:
        """With everything it started; its exit code. A child that is ending by itself may say how it ended."""
        self.is_sound = False
        if self._process.returncode is None and self._answers.at_eof():
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    await self._process.wait()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._requests.close()
        return await self._process.wait()
