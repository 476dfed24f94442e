"""What a process tree costs: CPU seconds, wall-clock seconds, memory.

A measured command runs in a session of its own, so that everything it starts is found in /proc by
the session's number. CPU is read from the processes' own clocks (nanoseconds, not ticks of 10 ms);
at the end the kernel's sum over the waited children counts, or what was sampled if that is more.
Memory is the sum of resident sets: pages that processes share count in each of them.
"""

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
EVERY = 0.1  # seconds between two samples


@dataclass(frozen=True, slots=True)
class Reading:
    """A process tree at one moment, `seconds` after its start."""

    seconds: float
    cpu: float
    rss: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What a whole run cost. `code` is the exit code, negative for a signal."""

    code: int
    timed_out: bool
    wall: float
    cpu: float
    rss: int


@dataclass(frozen=True, slots=True)
class Job:
    """A command to measure; its output goes to `log`.out and `log`.err."""

    command: Sequence[str]
    env: Mapping[str, str]
    log: Path
    limit: float


def clean_environment() -> dict[str, str]:
    """Our environment without proxies: everything measured stays on loopback."""
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


def run(job: Job, watch: Callable[[Reading], None] | None = None) -> Cost:
    """Run the job to its end, or kill it at its limit; `watch` sees each sample."""
    timed_out, peak, sampled = False, 0, 0.0
    with started(job) as process, ending(process.pid) as ended:
        begin = time.perf_counter()
        while not ended(EVERY):
            seconds = time.perf_counter() - begin
            cpu, rss = read_tree(process.pid)
            peak, sampled = max(peak, rss), max(sampled, cpu)
            if watch:
                watch(Reading(seconds, cpu, rss))
            if seconds > job.limit:
                timed_out = True
                os.killpg(process.pid, signal.SIGKILL)
        wall = time.perf_counter() - begin
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        left_behind, _ = read_tree(process.pid)  # what the leader did not wait for
    waited = usage.ru_utime + usage.ru_stime
    return Cost(process.returncode, timed_out, wall, max(waited + left_behind, sampled), peak)


@contextlib.contextmanager
def started(job: Job) -> Iterator[subprocess.Popen[bytes]]:
    """The job's process, leader of its own session; nothing of the session survives."""
    out, err = Path(f"{job.log}.out"), Path(f"{job.log}.err")
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            job.command,
            env=dict(job.env),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            for pid in session(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()


@contextlib.contextmanager
def ending(pid: int) -> Iterator[Callable[[float], bool]]:
    """A function that waits up to so many seconds and says whether the process has ended."""
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        yield lambda seconds: bool(poll.poll(seconds * 1000))
    finally:
        os.close(handle)


def read_tree(leader: int) -> tuple[float, int]:
    """CPU seconds and resident bytes of a session's living processes and of what they have reaped."""
    cpu, rss = 0.0, 0
    for pid in session(leader):
        with contextlib.suppress(OSError):
            fields = read_stat(pid)
            cpu += read_clock(pid) + (int(fields[13]) + int(fields[14])) / TICKS
            rss += int(fields[21]) * PAGE
    return cpu, rss


def read_clock(pid: int) -> float:
    """CPU seconds of one process, ended threads included (clock_getcpuclockid of the C library)."""
    return time.clock_gettime((~pid << 3) | 2)


def session(leader: int) -> Iterator[int]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if int(read_stat(int(folder.name))[3]) == leader:
                    yield int(folder.name)


def read_stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on: 3 session, 13 and 14 reaped CPU ticks, 21 resident pages."""
    text = Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2 :].split()


def stored_bytes(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
