"""Is this machine fit, and is this home sound? Looks at everything, changes nothing."""

import os
import platform
import random
import shutil
import sqlite3
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from kiebitz.adapters.local.clock import SystemClock
from kiebitz.adapters.sqlite.database import migrations
from kiebitz.deploy.backends import Backend, open_backend, state_folder
from kiebitz.deploy.copies import stored_copy
from kiebitz.errors import KiebitzError, MissingExtra
from kiebitz.model.request import RequestQuery, State, request_key
from kiebitz.ports.archive import bundle_key
from kiebitz.settings import Settings

DATABASES = ("frontier", "records", "jobs", "texts", "alerts")
SAMPLE = 50
LOW_SPACE = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(settings: Settings) -> list[Finding]:
    machine = [_python(), _system(), _curl(), _files(), _browser(settings), _contact(settings), _space(settings.home)]
    state = state_folder(settings)
    home = [_folder(settings.home), *(_database(state, name) for name in DATABASES)]
    if all(finding.ok for finding in home) and (state / "frontier.db").exists():
        home += await _contents(settings)
    return machine + home


async def _contents(settings: Settings) -> list[Finding]:
    backend = open_backend(settings, SystemClock())
    try:
        return [await _copies(backend, settings), await _documents(backend)]
    except KiebitzError as error:
        return [Finding("home", False, str(error), error.hint)]
    finally:
        await backend.close()


def _python() -> Finding:
    return Finding("python", sys.version_info >= (3, 11), platform.python_version(), "")


def _system() -> Finding:
    """Linux and macOS; Windows through WSL, which is Linux."""
    name = platform.system()
    wsl = "microsoft" in platform.release().lower()
    fit = name in ("Linux", "Darwin")
    detail = f"{name} {platform.release()}{' (WSL)' if wsl else ''}"
    return Finding("system", fit, detail, "" if fit else "on Windows, run Kiebitz inside WSL: wsl --install")


def _curl() -> Finding:
    import pycurl

    version = pycurl.version_info()
    http2 = bool(version[4] & pycurl.VERSION_HTTP2)
    return Finding("libcurl", True, f"{version[1]}, HTTP/2 {'yes' if http2 else 'no'}, {version[5]}")


def _files() -> Finding:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    fit = hard == resource.RLIM_INFINITY or hard >= 1024
    return Finding("open files", fit, f"up to {hard}", "" if fit else "raise it: ulimit -Hn 4096")


def _browser(settings: Settings) -> Finding:
    """Optional, so its absence is no failure; one that was named must be there."""
    from importlib.metadata import version

    from kiebitz.adapters.browser.chromium import OFF, find_chromium

    try:
        program = find_chromium(settings.browser)
    except MissingExtra as error:
        optional = settings.browser in ("", OFF)
        return Finding("browser", optional, f"{error}; pages that scripts draw are left out", error.hint)
    return Finding("browser", True, f"{program}, playwright {version('playwright')}")


def _contact(settings: Settings) -> Finding:
    if settings.contact:
        return Finding("contact", True, settings.contact)
    hint = "set KIEBITZ_CONTACT to a page or address where site owners reach you"
    return Finding("contact", True, "no contact is set; the User-Agent names the project only", hint)


def _space(home: Path) -> Finding:
    free = shutil.disk_usage(_existing(home)).free
    hint = "" if free > LOW_SPACE else "free some space: less than 1 GB is left"
    return Finding("space", free > 64 << 20, f"{free / 1e9:.1f} GB free for {home}", hint)


def _folder(home: Path) -> Finding:
    folder = _existing(home)
    if not folder.is_dir():
        return Finding("home", False, f"{folder} is not a folder", "choose another one with --home")
    if not os.access(folder, os.W_OK):
        return Finding("home", False, f"{folder} cannot be written", "check its owner and rights, or use --home")
    return Finding("home", True, str(home) if folder == home else f"{home} is not there yet: nothing was crawled")


def _existing(home: Path) -> Path:
    return next(path for path in (home, *home.parents) if path.exists())


def _database(folder: Path, name: str) -> Finding:
    path = folder / f"{name}.db"
    hint = f"stop Kiebitz, keep a copy of {path}, and restore it from a back-up or move it away"
    if not path.exists():
        return Finding(path.name, True, "not there yet")
    # SQLite wants to write beside a file in WAL mode even to read it, unless it is told that nobody will.
    access = "mode=ro" if os.access(folder, os.W_OK) or Path(f"{path}-wal").exists() else "immutable=1"
    try:
        sql = sqlite3.connect(f"{path.absolute().as_uri()}?{access}", uri=True)
        try:
            (answer,) = sql.execute("pragma quick_check(1)").fetchone()
            (version,) = sql.execute("pragma user_version").fetchone()
        finally:
            sql.close()
    except sqlite3.Error as error:
        return Finding(path.name, False, str(error), hint)
    if version > (known := len(migrations(name))):
        newer = f"schema {version} of a newer Kiebitz, this one knows {known}"
        return Finding(path.name, False, newer, "upgrade kiebitz, or choose another home with --home")
    sound = answer == "ok"
    return Finding(path.name, sound, f"{answer}, schema {version}", "" if sound else hint)


async def _copies(backend: Backend, settings: Settings) -> Finding:
    """A sample of stored pages, read back and compared with their digest."""
    rows = await backend.state.frontier.read(RequestQuery(states=(State.DONE, State.UNCHANGED), limit=5000))
    checked = 0
    for (host, _), row in random.sample(rows, min(SAMPLE, len(rows))):
        captures = await backend.state.frontier.captures(host, request_key(row.url))
        if not captures:
            continue
        problem = ""
        try:
            content, _ = await stored_copy(backend, settings, captures, None, -1)
            if row.digest and sha256(content).digest() != row.digest:
                problem = "it is not what was fetched"
        except KiebitzError as error:
            problem = str(error)
        if problem:
            detail = f"the copy of {row.url} in {bundle_key(captures[-1].bundle)}: {problem}"
            return Finding("pages", False, detail, "restore the bundle from a back-up")
        checked += 1
    return Finding("pages", True, f"{checked} stored copies read back")


async def _documents(backend: Backend) -> Finding:
    page = await backend.state.documents.list(limit=SAMPLE)
    for document in page:
        info = await backend.blobs.info(document.blob_key)
        if info is None or info.size != document.bytes:
            detail = f"the content of {document.url} is missing or cut: {document.blob_key}"
            return Finding("documents", False, detail, "restore the blob from a back-up")
    return Finding(
        "documents", True, f"{await backend.state.documents.count()} records, {len(page)} contents looked at"
    )
