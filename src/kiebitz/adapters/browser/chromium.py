"""A Chromium of the system: found, started without a network, watched, and ended with all its processes.

It gets no names (every one is mapped to nowhere), a proxy that does not exist, and an environment without our secrets.
"""

import asyncio
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kiebitz.errors import MissingExtra

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OFF = "off"
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
MARK = "--kiebitz-browser"  # Chromium ignores it; by it we know our own
LONG_PATH = 30
HEAP = 512  # MiB of objects that one page's scripts may hold
_PACKAGE = "pip install 'kiebitz[browser]'"
_SYSTEM = "apt install chromium (or your system's package)"
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=socks5://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",  # Chrome's name for it, and the engine's
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--no-pings",
    f"--js-flags=--max-old-space-size={HEAP}",
)


def find_chromium(setting: str) -> str:
    """The program to start. Raises MissingExtra with what to install."""
    if setting == OFF:
        raise MissingExtra("the browser is turned off", hint="unset the setting browser (KIEBITZ_BROWSER)")
    if find_spec("playwright") is None:
        raise MissingExtra("the browser part is not installed", hint=f"{_PACKAGE}, and {_SYSTEM}")
    wanted = (setting,) if setting else PROGRAMS
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        hint = f"{_SYSTEM}, or name it with KIEBITZ_BROWSER" if not setting else "name one with KIEBITZ_BROWSER"
        raise MissingExtra(f"there is no browser: {' or '.join(wanted)} cannot be started", hint=hint)
    return found


class Chromium:
    """One browser under way, with its driver."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._mark = f"{MARK}={secrets.token_hex(8)}"
        self._folder = _own_folder()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._pid = 0
        self._profile = ""
        self._is_closed = False

    @property
    def browser(self) -> "Browser":
        assert self._browser is not None
        return self._browser

    @property
    def is_fit(self) -> bool:
        return not self._is_closed and self._browser is not None and self._browser.is_connected()

    async def start(self) -> None:
        """Raises MissingExtra if it does not start: that is the machine's fault, and trying again would not help."""
        from playwright.async_api import Error, async_playwright

        try:
            async with asyncio.timeout(START_SECONDS):
                self._driver = await async_playwright().start()
                self._browser = await self._driver.chromium.launch(
                    executable_path=self._program,
                    headless=True,
                    chromium_sandbox=os.geteuid() != 0,  # Chromium has no sandbox for root
                    args=[*_ARGUMENTS, self._mark],
                    env={"PATH": os.defpath, "HOME": self._folder, "TMPDIR": self._folder, "LANG": "C.UTF-8"},
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            self._pid, self._profile = _marked(self._mark)
        except (Error, OSError, TimeoutError) as error:
            await self.close()
            raise MissingExtra(
                f"{self._program} does not start: {_complaint(error)}",
                hint="kiebitz doctor; start it by hand to see why",
            ) from error
        except BaseException:
            await self.close()
            raise

    def memory(self) -> int:
        """Bytes that its processes hold for themselves; 0 where the system does not tell."""
        return sum(_own_memory(pid) for pid in _group(self._pid)) if self._pid else 0

    def kill(self) -> None:
        """At once: a page that floods its browser would also delay the request to close it."""
        self._is_closed = True
        _kill(self._pid or _marked(self._mark)[0])

    async def close(self) -> None:
        """End it, by force if need be. Nothing of it is left afterwards, also if this is cancelled."""
        self._is_closed = True
        try:
            if self._browser is not None:
                await _within(self._browser.close())
        finally:
            self.kill()
            try:
                if self._driver is not None:
                    driver, self._driver = self._driver, None
                    await _within(driver.stop())
            finally:
                for folder in filter(
                    None, (self._folder, self._profile)
                ):  # a driver that was killed leaves the profile
                    shutil.rmtree(folder, ignore_errors=True)


def _own_folder() -> str:
    """Chromium puts a socket there, whose path the system cuts at about a hundred characters."""
    usual = tempfile.gettempdir()
    return tempfile.mkdtemp(prefix="kiebitz-browser-", dir=usual if len(usual) < LONG_PATH else "/tmp")  # noqa: S108


async def _within(closing: "asyncio.Future[None] | object") -> None:
    from playwright.async_api import Error

    with suppress(Error, TimeoutError, OSError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await closing  # type: ignore[misc]


def _complaint(error: BaseException) -> str:
    """What Chromium said itself, if it said anything."""
    text = str(error).strip() or type(error).__name__
    told = re.search(r"\[err\] (?:\[[^\]]*\] ?)?([^\n]+)", text)
    return (told[1] if told else text.splitlines()[0])[:200]


def _marked(mark: str) -> tuple[int, str]:
    """The browser that was started with this mark, which leads a process group of its own, and its profile's folder."""
    for pid, arguments in _processes():
        if mark in arguments and "--type=" not in arguments:
            profile = re.search(r"--user-data-dir=([^\0]*?/playwright_[\w-]+)", arguments)
            return pid, profile[1] if profile else ""
    return 0, ""


def _processes() -> list[tuple[int, str]]:
    if not Path("/proc/self/cmdline").exists():
        listed = subprocess.run(
            ("/bin/ps", "-axo", "pid=,args="), capture_output=True, text=True, check=False, timeout=10
        )
        return [
            (int(pid), rest) for pid, _, rest in (line.strip().partition(" ") for line in listed.stdout.splitlines())
        ]
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError):
                found.append((int(entry.name), Path(entry.path, "cmdline").read_bytes().decode(errors="replace")))
    return found


def _group(leader: int) -> list[int]:
    members = []
    with suppress(OSError):
        for entry in os.scandir("/proc"):
            if entry.name.isdecimal():
                with suppress(OSError):
                    if os.getpgid(int(entry.name)) == leader:
                        members.append(int(entry.name))
    return members


def _own_memory(pid: int) -> int:
    with suppress(OSError):
        found = re.search(
            r"^RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii", "replace"), re.MULTILINE
        )
        return int(found[1]) << 10 if found else 0
    return 0


def _kill(leader: int) -> None:
    if leader > 1:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)
