"""Is this machine fit, and is this home sound? Looks at everything, changes nothing."""

import os
import platform
import random
import shutil
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path

from kiebitz.adapters.local.archive import bundle_key
from kiebitz.adapters.local.clock import SystemClock
from kiebitz.deploy.backends import Backend, open_backend, state_folder
from kiebitz.deploy.copies import reading_archive
from kiebitz.errors import KiebitzError
from kiebitz.model.request import RequestQuery, State, request_key
from kiebitz.settings import Settings

DATABASES = ("frontier.db", "records.db", "jobs.db")
SAMPLE = 50
LOW_SPACE = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    subject: str
    ok: bool
    detail: str
    hint: str = ""


async def examine(settings: Settings) -> list[Finding]:
    findings = [_python(), _system(), _curl(), _files(), _contact(settings), _space(settings.home)]
    folder = state_folder(settings)
    if not (folder / DATABASES[0]).exists():
        return [*findings, Finding("home", True, f"{folder} is empty: nothing was crawled yet")]
    findings += [_database(folder / name) for name in DATABASES]
    if not all(finding.ok for finding in findings[-len(DATABASES) :]):
        return findings
    try:
        backend = open_backend(settings, SystemClock())
    except KiebitzError as error:
        return [*findings, Finding("home", False, str(error), error.hint)]
    try:
        return [*findings, await _copies(backend), await _documents(backend)]
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


def _contact(settings: Settings) -> Finding:
    if settings.contact:
        return Finding("contact", True, settings.contact)
    hint = "set KIEBITZ_CONTACT to a page or address where site owners reach you"
    return Finding("contact", True, "no contact is set; the User-Agent names the project only", hint)


def _space(home: Path) -> Finding:
    folder = next(path for path in (home.absolute(), *home.absolute().parents) if path.exists())
    free = shutil.disk_usage(folder).free
    writable = os.access(folder, os.W_OK)
    if not writable:
        return Finding("home", False, f"{folder} cannot be written", "check its owner and rights, or use --home")
    hint = "" if free > LOW_SPACE else "free some space: less than 1 GB is left"
    return Finding("space", free > 64 << 20, f"{free / 1e9:.1f} GB free for {home}", hint)


def _database(path: Path) -> Finding:
    hint = f"stop Kiebitz, keep a copy of {path}, and restore it from a back-up or move it away"
    if not path.exists():
        return Finding(path.name, True, "not there yet")
    try:
        sql = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            (answer,) = sql.execute("pragma quick_check(1)").fetchone()
            (version,) = sql.execute("pragma user_version").fetchone()
        finally:
            sql.close()
    except sqlite3.Error as error:
        return Finding(path.name, False, str(error), hint)
    sound = answer == "ok"
    return Finding(path.name, sound, f"{answer}, schema {version}", "" if sound else hint)


async def _copies(backend: Backend) -> Finding:
    """A sample of stored pages, read back and compared with their digest."""
    archive = reading_archive(backend)
    rows = await backend.state.frontier.read(RequestQuery(states=(State.DONE, State.UNCHANGED), limit=5000))
    checked = 0
    for (host, _), row in random.sample(rows, min(SAMPLE, len(rows))):
        captures = await backend.state.frontier.captures(host, request_key(row.url))
        if not captures:
            continue
        try:
            await archive.read(captures[-1])
        except KiebitzError as error:
            detail = f"the copy of {row.url} in {bundle_key(captures[-1].bundle)}: {error}"
            return Finding("pages", False, detail, "recrawl that URL: kiebitz retry URL --state done")
        checked += 1
    return Finding("pages", True, f"{checked} stored copies read back")


async def _documents(backend: Backend) -> Finding:
    page = await backend.state.documents.list(limit=SAMPLE)
    for document in page:
        info = await backend.blobs.info(document.blob_key)
        if info is None or info.size != document.bytes:
            hint = f"fetch it again: kiebitz retry {document.url} --state done"
            return Finding("documents", False, f"the content of {document.url} is missing or cut", hint)
    return Finding(
        "documents", True, f"{await backend.state.documents.count()} records, {len(page)} contents looked at"
    )
