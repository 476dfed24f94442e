"""Every setting: name, default, what is allowed, what it means, and where its value came from.

Precedence: flag > environment (``KIEBITZ_DELAY``) > ``.env`` here > ``kiebitz.toml`` here, or else in the home > default.
A value that cannot be used is refused with the place it stands in. Written by hand on dataclasses, because every start of
the program and of each Lambda pays for this import; ``python -m kiebitz.settings`` prints docs/reference/settings.md.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from kiebitz.errors import InputError

PREFIX = "KIEBITZ_"
NOT_SETTINGS = ("KIEBITZ_BENCH_", "KIEBITZ_FAULTS")  # of the benchmarks and the tests
FILE = "kiebitz.toml"
HOME = Path("~/.kiebitz")
_NO_LIMIT = 1e15
_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_DOTENV = r"""\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|((?:[^\s#]|(?<=\S)#|\s+(?=[^\s#]))*))"""


def _size(text: str) -> int:
    digits = text.rstrip("BGIKMbgikm ")
    return int(digits) * _UNITS[text[len(digits) :].strip().lower()]


def _networks(text: str) -> str:
    from kiebitz.standards.address import parse_networks

    parse_networks(text)
    return text


class ValueForm(NamedTuple):
    """What a value looks like, in words and as a pattern, and what makes it a value."""

    allowed: str
    pattern: str
    read: Callable[[str], object] = str


_FOLDER = ValueForm("a folder", r".+", Path)
_NUMBER = ValueForm("a whole number", r"[+-]?[0-9_]+", int)
_SECONDS = ValueForm("a number of seconds", r"[+-]?[0-9._]+(?:e[+-]?[0-9]+)?", float)
_BYTES = ValueForm("a number of bytes, or with a unit as in 64MiB", r"[0-9_]+ *(?:[kmgKMG]?i?[bB])?", _size)
_STATE = ValueForm("sqlite://…, postgresql://… or dynamodb://…", r"(?:sqlite|postgresql|dynamodb)://.*")
_BLOBS = ValueForm("file://… or s3://…", r"(?:file|s3)://.*")
_QUEUE = ValueForm("sqlite://…, postgresql://… or sqs://…", r"(?:sqlite|postgresql|sqs)://.*")
_CONTACT = ValueForm("a URL or a mail address", r"|https?://[^\s()]+|(?:mailto:)?[^\s@()]+@[^\s@()]+")
_PRODUCT = ValueForm("letters, - and _ (a product token, RFC 9309)", r"[A-Za-z_-]+")
_NETWORKS = ValueForm("networks with commas between, as in 10.1.0.0/16,fd00::/8", r".*", _networks)
_MAPPING = r"\s*[*\w.-]+\s*=\s*[0-9a-fA-F.:\[\]]+:[0-9]{1,5}\s*"
_MAPPINGS = ValueForm(
    "name=address:port with commas between, as in *.example=127.1.0.1:8901", rf"|{_MAPPING}(?:,{_MAPPING})*"
)
_PROGRAM = ValueForm("a program's name or path, or off", r"[^\n]*")
_NAME = ValueForm("a queue's name: letters, digits, - and _", r"[A-Za-z0-9_-]{1,80}")
_BUCKET = ValueForm("a bucket's name", r"|[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_REGION = ValueForm("an AWS region, as in eu-central-1", r"|[a-z]{2}(?:-[a-z]+)+-[0-9]")
_ADDRESS = ValueForm("an address or a host name", r"[A-Za-z0-9.:_-]+")
_MAIL_SERVER = ValueForm("smtp://… or smtps://…, with user:password@ if it wants a login", r"|smtps?://\S+")
_MAIL_ADDRESS = ValueForm("a mail address", r"|[^\s@<>()]+@[^\s@<>()]+")
_SIGNING_KEY = ValueForm("whsec_ and 24 bytes or more as base64", r"|whsec_[A-Za-z0-9+/]{32,}={0,2}")


class _Fact(NamedTuple):
    default: object
    form: ValueForm
    meaning: str
    least: float = -_NO_LIMIT
    most: float = _NO_LIMIT
    seed: str = ""  # the variables of the distributed crawler (seeds/001) that it replaces


def _setting(default: object, form: ValueForm, meaning: str, **more: Any) -> Any:
    return field(default=default, metadata={"fact": _Fact(default, form, meaning, **more)})


class Setting(NamedTuple):
    """One line of ``kiebitz settings``; passwords in URLs are masked."""

    name: str
    value: str
    origin: str
    meaning: str
    variable: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """The values of one start of the program."""

    home: Path = _setting(HOME, _FOLDER, "folder with everything Kiebitz keeps")  # noqa: RUF009 -- a field
    state: str = _setting("sqlite://", _STATE, "where runs, requests and records are kept; without a path: in the home")
    blobs: str = _setting("file://", _BLOBS, "where pages and documents are kept; without a path: in the home")
    queue: str = _setting("sqlite://", _QUEUE, "where jobs wait; without a path: in the home")
    contact: str = _setting("", _CONTACT, "where site owners reach you; part of the User-Agent")
    user_agent: str = _setting("kiebitz", _PRODUCT, "product name in the User-Agent; robots.txt may address it")
    allow_networks: str = _setting("", _NETWORKS, "private networks that may be crawled; none by default")
    resolve: str = _setting("", _MAPPINGS, "names sent to exactly one address and port, past DNS and the guard")
    delay: float = _setting(1.0, _SECONDS, "between two requests to a host, if robots.txt asks for no more", least=0)
    hosts_in_flight: int = _setting(256, _NUMBER, "hosts visited at the same time", least=1, most=10_000)
    per_address: int = _setting(8, _NUMBER, "hosts of one IP address visited at the same time", least=1)
    max_tries: int = _setting(3, _NUMBER, "of a request or job, the first included", least=1, seed="MAX_RETRIES")
    retry_delay: float = _setting(10.0, _SECONDS, "before the second try; later ones wait longer", least=0)
    patience: float = _setting(120.0, _SECONDS, "how long a crawl with nothing else to do waits for retries", least=0)
    first_byte_seconds: float = _setting(20.0, _SECONDS, "until an answer must have begun", least=0.1)
    total_seconds: float = _setting(120.0, _SECONDS, "until an answer must have ended", least=0.1)
    max_bytes: int = _setting(64 << 20, _BYTES, "of a document, unpacked", least=1024)
    max_page_bytes: int = _setting(10 << 20, _BYTES, "of a page, unpacked", least=1024)
    header_bytes: int = _setting(64 << 10, _BYTES, "of the header fields of an answer", least=1024)
    max_redirects: int = _setting(10, _NUMBER, "in a row", least=0, most=50)
    ratio: int = _setting(200, _NUMBER, "how many times larger than sent an unpacked body may be", least=1)
    layers: int = _setting(2, _NUMBER, "of compression around one body", least=1, most=10)
    bundle_bytes: int = _setting(32 << 20, _BYTES, "of a WARC file, before the next one is begun", least=1 << 20)
    browser: str = _setting("", _PROGRAM, "Chromium, for pages that scripts draw; empty: looked for; off: never used")
    task_timeout: float = _setting(300.0, _SECONDS, "that one job may take", least=1, seed="TASK_TIMEOUT")
    heartbeat: float = _setting(30.0, _SECONDS, "between signs of life of a node", least=1, seed="HEARTBEAT_INTERVAL")
    lease_seconds: float = _setting(180.0, _SECONDS, "after which what a dead worker held is given to another", least=1)
    index_batch: int = _setting(100, _NUMBER, "documents indexed in one step", least=1, seed="INDEX_BATCH_SIZE")
    host: str = _setting("127.0.0.1", _ADDRESS, "the web app listens here", seed="DASHBOARD_HOST CLIENT_HOST")
    port: int = _setting(5000, _NUMBER, "of the web app", least=1, most=65_535, seed="DASHBOARD_PORT CLIENT_PORT")
    crawl_queue: str = _setting("crawl-tasks", _NAME, "SQS queue that wakes crawlers", seed="CRAWL_TASK_QUEUE")
    result_queue: str = _setting("crawl-results", _NAME, "SQS queue of what was crawled", seed="CRAWL_RESULT_QUEUE")
    index_queue: str = _setting("index-tasks", _NAME, "SQS queue that wakes the indexer", seed="INDEX_TASK_QUEUE")
    command_queue: str = _setting("master-commands", _NAME, "SQS queue of commands", seed="MASTER_COMMAND_QUEUE")
    data_bucket: str = _setting("", _BUCKET, "S3 bucket of pages and documents", seed="CRAWL_DATA_BUCKET")
    index_bucket: str = _setting("", _BUCKET, "S3 bucket of the index", seed="INDEX_BUCKET")
    aws_region: str = _setting("", _REGION, "of queues and buckets; empty: as AWS's tools decide", seed="AWS_REGION")
    mail_server: str = _setting("", _MAIL_SERVER, "that takes alerts to mail addresses")
    mail_sender: str = _setting("", _MAIL_ADDRESS, "from which alerts are mailed")
    webhook_secret: str = _setting("", _SIGNING_KEY, "signs alerts to webhooks, as in Standard Webhooks")
    origins: Mapping[str, str] = field(default_factory=dict, repr=False)
    warnings: tuple[str, ...] = ()

    def explain(self) -> list[Setting]:
        return [
            Setting(name, _shown(getattr(self, name)), self.origins.get(name, "default"), fact.meaning, variable(name))
            for name, fact in _FACTS.items()
        ]


_FACTS: dict[str, _Fact] = {each.name: each.metadata["fact"] for each in fields(Settings) if each.metadata}


class _Given(NamedTuple):
    value: object
    origin: str
    place: str  # for people: where to correct it


def variable(name: str) -> str:
    return PREFIX + name.upper()


def load(flags: Mapping[str, object], environ: Mapping[str, str], cwd: Path) -> Settings:
    """The settings of this start. Flags that are None were not given. Raises InputError."""
    warnings: list[str] = []
    given = {
        name: _Given(value, "flag", f"--{name.replace('_', '-')}") for name, value in flags.items() if value is not None
    }
    unknown = next((name for name in given if name not in _FACTS), None)
    if unknown is not None:
        raise InputError(f"there is no setting {unknown!r}", hint=_meant(unknown))
    for name, value in [*_from_environment(environ, warnings), *_from_dotenv(cwd / ".env", warnings)]:
        given.setdefault(name, value)
    home = given["home"].value if "home" in given else HOME
    here, at_home = cwd / FILE, _folder(home, environ, cwd) / FILE
    for name, value in _from_toml(here if here.is_file() else at_home):
        given.setdefault(name, value)
    values: dict[str, Any] = {name: _read(name, value) for name, value in given.items()}
    values["home"] = _folder(values.get("home", HOME), environ, cwd)
    return Settings(**values, origins={name: one.origin for name, one in given.items()}, warnings=tuple(warnings))


def _folder(path: object, environ: Mapping[str, str], cwd: Path) -> Path:
    text = str(path)
    if text == "~" or text.startswith("~/"):
        text = str(environ.get("HOME") or Path.home()) + text[1:]
    return cwd / text


def _from_environment(environ: Mapping[str, str], warnings: list[str]) -> Iterator[tuple[str, _Given]]:
    for key, value in environ.items():
        if key.startswith(PREFIX) and value and (name := _known(key, "the environment", warnings)):
            yield name, _Given(value, "environment", key)


def _from_dotenv(path: Path, warnings: list[str]) -> Iterator[tuple[str, _Given]]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        match = re.match(_DOTENV, line)
        value = next(filter(None, match.groups()[1:]), "") if match else ""
        if match and value and match[1].startswith(PREFIX) and (name := _known(match[1], str(path), warnings)):
            yield name, _Given(value, str(path), f"{match[1]} in {path}, line {number}")


def _from_toml(path: Path) -> Iterator[tuple[str, _Given]]:
    text = _text(path)
    if not text:
        return
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}", hint="write lines such as delay = 2.5") from None
    for name, value in table.items():
        found = re.search(rf"""^[ \t]*\[?[ \t]*["']?{re.escape(name)}\b""", text, re.MULTILINE)
        place = f"{name} in {path}" + (f", line {text.count(chr(10), 0, found.start()) + 1}" if found else "")
        if name not in _FACTS:
            raise InputError(f"{place}: there is no such setting", hint=_meant(name))
        yield name, _Given(",".join(map(str, value)) if isinstance(value, list) else value, str(path), place)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", hint="check its rights, or that it is UTF-8") from None


def _known(key: str, where: str, warnings: list[str]) -> str:
    name = key.removeprefix(PREFIX).lower()
    if name in _FACTS and key == variable(name):
        return name
    if not key.startswith(NOT_SETTINGS):
        warnings.append(f"{key} in {where} is no setting; {_meant(name, variable)}")
    return ""


def _meant(name: str, shown: Callable[[str], str] = str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower().replace("-", "_"), _FACTS, n=1)
    return f"did you mean {shown(close[0])}?" if close else "kiebitz settings lists them all"


def _read(name: str, given: _Given) -> object:
    fact = _FACTS[name]
    text = str(given.value).strip()
    try:
        if isinstance(given.value, bool | dict) or not re.fullmatch(fact.form.pattern, text):
            raise ValueError  # noqa: TRY301 -- one refusal for whatever is not allowed
        found = fact.form.read(text)
        if isinstance(found, int | float) and not fact.least <= found <= fact.most:
            raise ValueError  # noqa: TRY301
    except (ValueError, KeyError, InputError):
        raise InputError(f"{given.place} is {_shown(text)!r}", hint=f"allowed is {_allowed(fact)}") from None
    return found


def _allowed(fact: _Fact) -> str:
    least = f", at least {fact.least:,}" if fact.least > -_NO_LIMIT else ""
    most = f", at most {fact.most:,}" if fact.most < _NO_LIMIT else ""
    return fact.form.allowed + least + most


def _shown(value: object) -> str:
    """Without passwords."""
    return re.sub(r"(://[^/@:]*:)[^/]*(?=@)|(password=)[^&]*|(whsec_).*", r"\1\2\3***", str(value))


def reference() -> str:
    """The text of docs/reference/settings.md."""
    rows = "".join(
        f"| `{name}` | `{variable(name)}` | {f'`{fact.default}`' if fact.default != '' else ''} "
        f"| {_allowed(fact)} | {fact.meaning} |\n"
        for name, fact in _FACTS.items()
    )
    seeds = "".join(f"| `{seed}` | `{name}` |\n" for name, fact in _FACTS.items() for seed in fact.seed.split())
    return f"""# Settings

Made by `python -m kiebitz.settings > docs/reference/settings.md`. `kiebitz settings` shows your values and their origin.

Precedence: flag > environment > `.env` in the current folder > `{FILE}` there, or else in the home > default.
In `{FILE}` a setting stands under its name (`delay = 2.5`), and an unknown name is an error. An unknown variable that
begins with `{PREFIX}` is only warned of; an empty one counts as not set.

| setting | variable | default | allowed | meaning |
|---|---|---|---|---|
{rows}
## From the variables of the distributed crawler

The environment variables of its section 12.2, and the settings that took their place. One web app serves dashboard and
client. `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` are no settings: AWS's own tools read them, Kiebitz never does.

| theirs | ours |
|---|---|
{seeds}"""


if __name__ == "__main__":
    print(reference(), end="")
