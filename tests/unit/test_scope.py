import pytest

from kiebitz.crawl import scope
from kiebitz.crawl.scope import ScopeRules
from kiebitz.errors import BadUrl, InputError
from kiebitz.model.run import Plan, Scope
from kiebitz.standards.url import host_of

SEED = "https://www.stadt.example/start"


def rules(
    reach: Scope = Scope.HOST, *seeds: str, depth: int = 3, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()
) -> ScopeRules:
    return ScopeRules(Plan(seeds or (SEED,), reach, depth, include=include, exclude=exclude))


def admits(tested: ScopeRules, url: str, depth: int = 1) -> bool:
    return tested.admits(url, host_of(url), depth)


@pytest.mark.parametrize(
    ("reach", "admitted"),
    [
        (Scope.HOST, {"same host", "other scheme"}),
        (Scope.DOMAIN, {"same host", "other scheme", "other host", "domain itself"}),
        (Scope.ANY, {"same host", "other scheme", "other host", "domain itself", "elsewhere", "lookalike"}),
        (Scope.LIST, set()),
    ],
)
def test_a_scope_reaches_as_far_as_its_name_says(reach: Scope, admitted: set[str]) -> None:
    links = {
        "same host": "https://www.stadt.example/a",
        "other scheme": "http://www.stadt.example:8080/a",
        "other host": "https://amt.stadt.example/a",
        "domain itself": "https://stadt.example/a",
        "elsewhere": "https://other.example/a",
        "lookalike": "https://notstadt.example/a",
    }
    tested = rules(reach)
    assert {name for name, link in links.items() if admits(tested, link)} == admitted
    assert {name for name, link in links.items() if admits(tested, link)} == admitted, "remembered differently"


def test_a_list_admits_exactly_its_seeds_in_their_canonical_form() -> None:
    tested = rules(Scope.LIST, "HTTPS://www.Stadt.example/start#top", "https://b.example")
    assert admits(tested, SEED, 0)
    assert admits(tested, "https://b.example/", 0)
    assert not admits(tested, "https://b.example/x", 0)
    assert not tested.follows(0)


@pytest.mark.parametrize(
    ("depth", "follows", "admits_at"), [(0, [], [0]), (1, [0], [0, 1]), (-1, [0, 1, 2, 99], [0, 1, 2, 99])]
)
def test_links_are_followed_up_to_the_depth(depth: int, follows: list[int], admits_at: list[int]) -> None:
    tested = rules(depth=depth)
    assert [at for at in (0, 1, 2, 99) if tested.follows(at)] == follows
    assert [at for at in (0, 1, 2, 99) if admits(tested, "https://www.stadt.example/a", at)] == admits_at


def test_patterns_are_searched_anywhere_in_the_url() -> None:
    tested = rules(include=("amtsblatt", r"\.pdf$"), exclude=("/intern/", "druck=1"))
    assert admits(tested, "https://www.stadt.example/amtsblatt/2026")
    assert admits(tested, "https://www.stadt.example/a.pdf")
    assert not admits(tested, "https://www.stadt.example/a.html")
    assert not admits(tested, "https://www.stadt.example/intern/amtsblatt")
    assert not admits(tested, "https://www.stadt.example/amtsblatt?druck=1")


def test_seeds_belong_to_the_run_whatever_the_patterns_say() -> None:
    tested = rules(include=("amtsblatt",), exclude=("start",))
    assert admits(tested, SEED, 0)


@pytest.mark.parametrize(
    ("patterns", "hit", "miss"),
    [
        ((r"(?i)PDF$", "^x"), "https://www.stadt.example/a.pdf", "https://www.stadt.example/a.html"),
        ((r"(a)(b)", r"(.)\1/$"), "https://www.stadt.example/xx/", "https://www.stadt.example/xy/"),
        ((r"(?P<n>q)\d", r"(?P<n>z)\d"), "https://www.stadt.example/z1", "https://www.stadt.example/z"),
        (("a1|b1", "c1"), "https://www.stadt.example/c1", "https://www.stadt.example/d1"),
    ],
)
def test_patterns_do_not_disturb_each_other(patterns: tuple[str, ...], hit: str, miss: str) -> None:
    tested = rules(include=patterns)
    assert admits(tested, hit)
    assert not admits(tested, miss)


@pytest.mark.parametrize(("option", "pattern"), [("include", "*.pdf"), ("exclude", "(")])
def test_a_pattern_that_is_none_is_refused(option: str, pattern: str) -> None:
    with pytest.raises(InputError) as caught:
        rules(**{option: (pattern,)})  # type: ignore[arg-type]
    assert f"--{option} {pattern!r} is no regular expression" in str(caught.value)
    assert caught.value.hint


def test_a_seed_that_is_no_url_is_refused() -> None:
    with pytest.raises(BadUrl, match="a seed is unusable"):
        rules(Scope.HOST, "ftp://stadt.example/")


def test_where_a_seed_is_redirected_to_belongs_to_the_run() -> None:
    tested = rules(Scope.HOST, "https://stadt.example/")
    assert not admits(tested, "https://www.stadt.example/a")
    tested.widen("www.stadt.example", "https://www.stadt.example/")
    assert admits(tested, "https://www.stadt.example/a")
    listed = rules(Scope.LIST, "https://stadt.example/")
    listed.widen("www.stadt.example", "https://www.stadt.example/")
    assert admits(listed, "https://www.stadt.example/", 0)
    assert not admits(listed, "https://www.stadt.example/a")


def test_an_address_is_its_own_domain() -> None:
    tested = rules(Scope.DOMAIN, "http://127.0.0.1:8080/")
    assert admits(tested, "http://127.0.0.1/a")
    assert not admits(tested, "http://1.0.0.1/a")


def test_the_memory_of_hosts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "REMEMBERED_HOSTS", 10)
    tested = rules(Scope.ANY)
    assert all(admits(tested, f"https://h{number}.example/") for number in range(100))
    assert len(tested._known) <= 10
