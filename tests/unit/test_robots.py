import time

import pytest

from kiebitz.standards import robots


def rules(text: str) -> robots.Rules:
    return robots.parse(text, "kiebitz/0.1")


def test_an_empty_file_allows_everything() -> None:
    assert rules("").allows("/")
    assert robots.ALLOW_ALL.allows("/anything?x=1")


def test_our_own_group_hides_the_general_one() -> None:
    ours = rules("User-agent: *\nDisallow: /\n\nUser-agent: KIEBITZ\nDisallow: /private/")
    assert ours.allows("/")
    assert not ours.allows("/private/x")


def test_groups_that_name_us_twice_are_one() -> None:
    ours = rules(
        "User-agent: kiebitz\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: kiebitz\nDisallow: /c"
    )
    assert [ours.allows(path) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_another_products_group_is_not_ours() -> None:
    assert rules("User-agent: kiebitz-images\nDisallow: /").allows("/")
    assert rules("User-agent: kie\nDisallow: /").allows("/")


def test_the_longest_rule_wins_and_of_equals_the_permission() -> None:
    ours = rules("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c")
    assert [ours.allows(path) for path in ("/a", "/a/b", "/a/b/c")] == [False, True, True]


def test_an_empty_disallow_forbids_nothing() -> None:
    assert rules("User-agent: *\nDisallow:").allows("/x")


@pytest.mark.parametrize(
    ("rule", "hit", "miss"),
    [
        ("/*.pdf$", "/a/b.pdf", "/a/b.pdf?x=1"),
        ("/a*c*e", "/abbbcddde-and-more", "/abbbeddd"),
        ("/a$", "/a", "/a/"),
        ("*/print", "/x/print", "/sprint"),
        ("/a*$", "/a/anything", "/b"),
        ("/ab*ba$", "/abba", "/aba"),
        ("/a b", "/a%20b", "/ab"),
        ("/suche?*q=", "/suche?x=1&q=2", "/suche?x=1"),
        ("/**a", "/xa", "/x"),
    ],
)
def test_wildcards_match_any_characters_and_a_dollar_the_end(rule: str, hit: str, miss: str) -> None:
    ours = rules(f"User-agent: *\nDisallow: {rule}")
    assert not ours.allows(hit)
    assert ours.allows(miss)


def test_robots_txt_itself_is_always_allowed() -> None:
    assert robots.DENY_ALL.allows("/robots.txt")
    assert not robots.DENY_ALL.allows("/robots.txt?x")


def test_an_empty_path_is_the_root() -> None:
    assert not rules("User-agent: *\nDisallow: /$").allows("")


def test_lines_end_in_three_ways_and_may_begin_with_a_mark() -> None:
    ours = rules("\ufeffUser-agent: *\r\nDisallow: /a\rDisallow: /b\nDisallow: /c # why")
    assert not any(ours.allows(path) for path in ("/a", "/b", "/c"))


def test_the_delay_is_that_of_our_group() -> None:
    text = "User-agent: *\nCrawl-delay: 5\nDisallow: /x\n\nUser-agent: kiebitz\nCrawl-delay: 2.5\nDisallow: /y"
    assert rules(text).delay == 2.5
    assert robots.parse(text, "other").delay == 5.0


@pytest.mark.parametrize(
    ("value", "delay"),
    [("10", 10.0), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None), ("soon", None), ("1e9", robots.MAX_DELAY)],
)
def test_a_delay_is_kept_within_reason(value: str, delay: float | None) -> None:
    assert rules(f"User-agent: *\nCrawl-delay: {value}").delay == delay


def test_a_delay_does_not_spread_to_agents_named_after_it() -> None:
    text = "User-agent: slow\nCrawl-delay: 60\nUser-agent: kiebitz\nDisallow: /x"
    assert rules(text).delay is None
    assert not robots.parse(text, "slow").allows("/x")


def test_sitemaps_belong_to_no_group() -> None:
    text = "Sitemap: https://a.example/1.xml\nUser-agent: other\nDisallow: /\nsitemap:https://a.example/2.xml\nSitemap: https://a.example/1.xml"
    assert rules(text).sitemaps == ("https://a.example/1.xml", "https://a.example/2.xml")


@pytest.mark.parametrize(
    ("status", "allowed"),
    [
        (200, False),
        (204, False),
        (301, True),
        (401, True),
        (403, True),
        (404, True),
        (410, True),
        (429, False),
        (500, False),
        (503, False),
        (0, False),
    ],
)
def test_the_status_decides_whether_the_file_counts(status: int, allowed: bool) -> None:
    assert robots.for_status(status, "User-agent: *\nDisallow: /", "kiebitz").allows("/x") is allowed


def test_what_is_beyond_the_limit_is_not_read_nor_is_half_a_line() -> None:
    text = "User-agent: *\nDisallow: /first\n" + "#" * (robots.MAX_BYTES - 45) + "\nDisallow: /private"
    assert len(text) > robots.MAX_BYTES
    ours = rules(text)
    assert not ours.allows("/first")
    assert ours.allows("/")


def test_a_file_of_too_many_wildcards_forbids_rather_too_much() -> None:
    lines = [f"Disallow: /x{number}/*a" for number in range(robots.MAX_GLOBS + 1)]
    ours = rules("User-agent: *\n" + "\n".join(lines))
    assert ours.allows("/x0/b")
    assert not ours.allows(f"/x{robots.MAX_GLOBS}/b")
    assert ours.allows("/y")


@pytest.mark.parametrize("pattern", ["/*a*a*a*a*a*a*a*a*b", "/" + "*a" * 400 + "b$", "/*" + "a" * 90 + "b" + "a" * 90])
def test_a_hostile_pattern_costs_linear_time(pattern: str) -> None:
    ours = rules(f"User-agent: *\nDisallow: {pattern}")
    begin = time.process_time()
    assert ours.allows("/" + "a" * 2000)
    assert time.process_time() - begin < 0.05


def test_asking_costs_microseconds() -> None:
    ours = rules("User-agent: *\n" + "\n".join(f"Disallow: /private{number}/" for number in range(20)))
    begin = time.process_time()
    for number in range(1000):
        ours.allows(f"/s1/p{number}.html")
    assert (time.process_time() - begin) / 1000 < 20e-6  # about 1 µs on a quiet machine
