import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from kiebitz.errors import InputError
from kiebitz.settings import Settings, load, reference, variable

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


def given(
    tmp_path: Path,
    *,
    toml: str = "",
    dotenv: str = "",
    flags: Mapping[str, object] = MappingProxyType({}),
    **environ: str,
) -> Settings:
    (tmp_path / "kiebitz.toml").write_text(toml, "utf-8")
    (tmp_path / ".env").write_text(dotenv, "utf-8")
    variables = {variable(name): value for name, value in environ.items()}
    return load(flags, {"HOME": str(tmp_path / "user"), **variables}, tmp_path)


def origins(settings: Settings) -> dict[str, str]:
    return {setting.name: setting.origin for setting in settings.explain()}


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    settings = load({}, {"HOME": str(tmp_path)}, tmp_path)
    assert settings.home == tmp_path / ".kiebitz"
    assert (settings.state, settings.blobs, settings.delay, settings.max_tries) == ("sqlite://", "file://", 1.0, 3)
    assert set(origins(settings).values()) == {"default"}
    assert settings.warnings == ()


def test_flags_outrank_the_environment_which_outranks_files(tmp_path: Path) -> None:
    toml, dotenv = "delay = 4\nport = 4\nratio = 4\nlayers = 4", "KIEBITZ_DELAY=3\nKIEBITZ_PORT=3\nKIEBITZ_RATIO=3"
    settings = given(tmp_path, toml=toml, dotenv=dotenv, flags={"delay": 1, "host": None}, delay="2", port="2")
    assert (settings.delay, settings.port, settings.ratio, settings.layers) == (1.0, 2, 3, 4)
    found = origins(settings)
    assert found["delay"] == "flag"
    assert found["port"] == "environment"
    assert found["ratio"] == str(tmp_path / ".env")
    assert found["layers"] == str(tmp_path / "kiebitz.toml")
    assert found["host"] == "default"


def test_the_file_in_the_home_counts_where_there_is_none_here(tmp_path: Path) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    (home / "kiebitz.toml").write_text("delay = 7")
    environ = {"KIEBITZ_HOME": str(home)}
    assert load({}, environ, here).delay == 7.0
    (here / "kiebitz.toml").write_text("delay = 8")
    assert load({}, environ, here).delay == 8.0


def test_the_home_may_be_relative_or_begin_with_a_tilde(tmp_path: Path) -> None:
    assert given(tmp_path, home="data").home == tmp_path / "data"
    assert given(tmp_path, home="~/data").home == tmp_path / "user" / "data"
    assert given(tmp_path, toml='home = "elsewhere"').home == tmp_path / "elsewhere"
    assert given(tmp_path, flags={"home": Path("/srv/kiebitz")}).home == Path("/srv/kiebitz")


def test_sizes_may_have_units_and_lists_commas_or_brackets(tmp_path: Path) -> None:
    settings = given(
        tmp_path, toml='allow_networks = ["10.1.0.0/16", "fd00::/8"]', max_bytes="2 MiB", max_page_bytes="1_500_000"
    )
    assert (settings.max_bytes, settings.max_page_bytes) == (2 << 20, 1_500_000)
    assert settings.allow_networks == "10.1.0.0/16,fd00::/8"
    assert given(tmp_path, resolve="*.example=127.1.0.1:8901, foo.test=[::1]:80").resolve.count(",") == 1


def test_dotenv_is_read_as_shells_write_it(tmp_path: Path) -> None:
    dotenv = "# comment\nexport KIEBITZ_CONTACT=\"https://a.example/x#y\"\nKIEBITZ_DELAY = 2 # slow\nOTHER=1\nKIEBITZ_HOST='::1'\nnonsense\n"
    settings = given(tmp_path, dotenv=dotenv)
    assert (settings.contact, settings.delay, settings.host) == ("https://a.example/x#y", 2.0, "::1")
    assert given(tmp_path, dotenv="KIEBITZ_CONTACT=https://a.example/#b").contact == "https://a.example/#b"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("delay", "abc"),
        ("delay", "-1"),
        ("delay", "nan"),
        ("delay", "inf"),
        ("delay", "1e999"),
        ("max_tries", "0"),
        ("max_tries", "2.5"),
        ("port", "65536"),
        ("max_bytes", "64 parsecs"),
        ("max_bytes", "-5"),
        ("state", "mysql://x"),
        ("blobs", "ftp://x"),
        ("contact", "call me"),
        ("user_agent", "my bot/1"),
        ("allow_networks", "10.0.0.1/8"),
        ("resolve", "foo"),
        ("crawl_queue", "a b"),
        ("aws_region", "Berlin"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(InputError) as caught:
        load({}, {variable(name): value}, tmp_path)
    assert f"{variable(name)} is {value!r}" in str(caught.value)
    assert caught.value.hint.startswith("allowed is ")


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ({"flags": {"delay": "x"}}, "--delay is 'x'"),
        ({"dotenv": "A=1\nKIEBITZ_DELAY=x"}, ".env, line 2 is 'x'"),
        ({"toml": "port = 1\n\ndelay = -3"}, "kiebitz.toml, line 3 is '-3'"),
        ({"toml": "delay = true"}, "line 1 is 'True'"),
        ({"toml": "[delay]\nx = 1"}, "line 1 is"),
        ({"toml": "delay 3"}, "is not TOML"),
        ({"toml": "port = 1\ndealy = 3"}, "kiebitz.toml, line 2: there is no such setting"),
        ({"flags": {"dealy": 3}}, "there is no setting 'dealy'"),
    ],
)
def test_a_refusal_says_where_the_value_stands(tmp_path: Path, sources: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        given(tmp_path, **sources)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_an_unknown_name_gets_the_nearest_one_proposed(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        given(tmp_path, toml="max-tries = 3")
    assert caught.value.hint == "did you mean max_tries?"
    settings = given(tmp_path, dotenv="KIEBITZ_ZZZZ=1", dealy="3")
    assert settings.warnings == (
        "KIEBITZ_DEALY in the environment is no setting; did you mean KIEBITZ_DELAY?",
        f"KIEBITZ_ZZZZ in {tmp_path / '.env'} is no setting; kiebitz settings lists them all",
    )


def test_an_empty_variable_counts_as_not_set_and_others_programs_are_left_alone(tmp_path: Path) -> None:
    settings = given(tmp_path, dotenv="KIEBITZ_PORT=", delay="", bench_cache="/x", faults="1")
    assert (settings.delay, settings.port, settings.warnings) == (1.0, 5000, ())


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "kiebitz.toml").write_bytes(b"contact = '\xff'")
    with pytest.raises(InputError, match=r"kiebitz\.toml cannot be read"):
        load({}, {}, tmp_path)


def test_passwords_are_not_shown(tmp_path: Path) -> None:
    settings = given(tmp_path, state="postgresql://me:s3cr@t@db/kiebitz?password=other&x=1")
    shown = {setting.name: setting.value for setting in settings.explain()}["state"]
    assert shown == "postgresql://me:***@db/kiebitz?password=***&x=1"
    with pytest.raises(InputError) as caught:
        given(tmp_path, state="mysql://me:secret@db/x")
    assert "secret" not in str(caught.value)


def test_every_setting_says_what_it_means(tmp_path: Path) -> None:
    for setting in load({}, {}, tmp_path).explain():
        assert setting.meaning
        assert setting.variable == f"KIEBITZ_{setting.name.upper()}"


def test_the_reference_is_up_to_date() -> None:
    assert REFERENCE.read_text("utf-8") == reference(), "run: python -m kiebitz.settings > docs/reference/settings.md"


@pytest.mark.parametrize(
    "theirs",
    str.split(
        "AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY CRAWL_TASK_QUEUE CRAWL_RESULT_QUEUE INDEX_TASK_QUEUE "
        "MASTER_COMMAND_QUEUE CRAWL_DATA_BUCKET INDEX_BUCKET HEARTBEAT_INTERVAL MAX_RETRIES TASK_TIMEOUT INDEX_BATCH_SIZE "
        "DASHBOARD_HOST DASHBOARD_PORT CLIENT_HOST CLIENT_PORT"
    ),
)
def test_every_variable_of_the_seed_has_its_counterpart(theirs: str) -> None:
    assert f"`{theirs}`" in reference()


def test_settings_cost_no_heavy_import() -> None:
    code = (
        "import sys, pathlib; from kiebitz.settings import load; load({}, {}, pathlib.Path('/')); print(*sys.modules)"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"tomllib", "difflib", "pydantic", "typer", "asyncio"} & set(modules)
