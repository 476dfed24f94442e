"""What holds for every URL: the short cuts of ``join`` change nothing, and the canonical form is final."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kiebitz.errors import BadUrl
from kiebitz.standards import url

# Pieces around which URLs break: any sequence of them is tried as a link.
PIECES = str.split("""
/ // . .. ./ ../ /./ /../ /.. ? & = # : ; @ ! $ ( ) * + , ~ - _ | [ ] ' " < > { } ^ ` \\
% %4 %2 %41 %7e %7E %2e %2E %2F %2f %20 %C3%A4 %c3%a4 %25 %00 %u00e4
a b A x1 p1.html index.php list id=3 sort=new page=2 s=1 sid=7 s sid=0123456789abcdef01 ftu=a1b2c3d4e5f6a7b8
utm_source=x utm_ UTM_SOURCE=1 utm%5Fsource=x fbclid=1 fbclid gclid mc_eid= pk_kwd=a PHPSESSID=abc phpsessid _ga=1
;jsessionid=1A2B ;JSESSIONID=x;y=1 jsessionid /(S(abc123))/ /(S(a)) (x) ;v=1
http: https: http:// https:// HTTP:// ftp:// mailto: javascript: tel: data: //cdn.example
host.example Host.Example www.xn--bcher-kva.de xn--a xn-- bücher.de host.example. host.. 1.2.3.4 127.1 0x7f.1 a.1 a.b1 [::1]
user:pw@ user@ :80 :443 :8080 :080 :0 :65536 :70000 :
""")
TEXT = st.lists(st.sampled_from([*PIECES, " ", "\t", "\n", "ä", "ツ", "\x00", "\ud800", "../../"]), max_size=8).map(
    "".join
)
HREFS = st.one_of(TEXT, st.text(max_size=20), st.from_regex(r"\A[a-z0-9/.?&=#%_-]{0,24}\Z"))
HOSTS = st.sampled_from(
    ["host.example", "www.host.example:8080", "user:pw@host.example.", "[::1]", "1.2.3.4", "b\u00fccher.de"]
)
RAW_BASES = st.builds("{}://{}/{}".format, st.sampled_from(["http", "https"]), HOSTS, TEXT)
BASES = st.one_of(RAW_BASES, RAW_BASES.map(lambda base: url.join(base, "") or base))


@settings(max_examples=200, deadline=None)
@given(base=BASES, href=HREFS)
@example(base="http://h.example/a;jsessionid=1/b?x=1", href="c")
@example(base="http://h.example/a/..;jsessionid=1/b", href="c")
@example(base="http://h.example/a?utm_source=1", href="#top")
@example(base="http://h.example/a#b", href="")
@example(base="http://h.example/", href="0&?")
@example(base="http://h.example/", href="/a&utm_source=1?fbclid=2")
@example(base="http://h.example/a//b/c", href="../../..//x")
@example(base="http://user@h.example/a;jsessionid=1/b", href="../?utm_source=1")
@example(base="http://h.example/x/(S(a))", href="c")
@example(base="http://h.example//..;jsessionid=1", href="0")
def test_the_short_cuts_of_join_change_nothing(base: str, href: str) -> None:
    assert url.join(base, href) == url._resolve(base, href)


@settings(max_examples=100, deadline=None)
@given(address=st.builds("http://host.example{}".format, TEXT))
@example(address="http://h.example/%%34%31")
@example(address="http://h.example/%4%31")
@example(address="http://h.example/x;jsessi;jsessionid=1onid=2")
@example(address="http://h.example/(S(a))(S(b))/(A(x)F(y))")
@example(address="http://h.example/.;jsessionid=1/.;jsessionid=2./x")
@example(address="http://h.example/a#b")
@example(address="http://h.example?&utm_source=1")
def test_the_canonical_form_is_final(address: str) -> None:
    try:
        once = url.canonical(address)
    except BadUrl:
        return
    assert url.canonical(once) == once
    assert url._refine(url.parse(once)) == once
    assert url.join("https://other.example/", once) == once


@settings(max_examples=100, deadline=None)
@given(base=BASES, href=HREFS)
def test_the_parts_of_a_canonical_url_make_it_up(base: str, href: str) -> None:
    found = url.join(base, href)
    if found is None:
        return
    assert url.origin_of(found) + url.path_of(found) == found
    scheme, host, port = found.partition("://")[0], url.host_of(found), url.port_of(found)
    implied = {"http": 80, "https": 443}[scheme]
    assert url.origin_of(found) == f"{scheme}://{host}" + ("" if port == implied else f":{port}")
    assert "#" not in found


@pytest.mark.parametrize(
    "href", ["/" + "a/" * 5000, "/" + "%" * 5000, "/?" + "&" * 5000, "a." * 5000, "x" * 5000 + "\x00"]
)
def test_a_hostile_link_costs_linear_time(href: str) -> None:
    assert url.join("http://h.example/", href) == url._resolve("http://h.example/", href)
