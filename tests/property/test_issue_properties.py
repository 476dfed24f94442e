"""What holds for every text: reading it ends, and what is read stands in it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from kiebitz.collect.issue import read_issue
from kiebitz.standards.german_date import find_dates

# Pieces of which titles and file names are made: any sequence of them is tried.
PIECES = """
Amtsblatt Nr. Nummer Ausgabe AB abl_ Jahrgang Jg. Sonder Beilage Anlage korr KW § Abs. Tel. Seiten MB Uhr vom am
Bekanntmachung Bebauungsplan Mai März Maerz mrz. Juni/Juli 12 3 03 2020 2026 26 1999 0 007 12a 20260312 3781
12.03.2026 2026-03-12 31.02.2026 / - _ . , | ( ) + & und bis : ; IV X %20 %C3%A4 %E4 % .pdf ? # ä \u0308 \0 \ue000 \ue001
""".split()  # noqa: SIM905 -- a list of words reads better as words
TEXTS = st.one_of(
    st.lists(st.sampled_from([*PIECES, " ", "  ", "\n", "\ud800", "١٢", "²"]), max_size=14).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join),
    st.text(max_size=60),
)


@settings(max_examples=400, deadline=None)
@given(texts=st.lists(TEXTS, max_size=4), name=TEXTS)
def test_every_text_can_be_read_and_nothing_is_made_up(texts: list[str], name: str) -> None:
    issue = read_issue(*texts, file_name=name)
    everything = " ".join([*texts, name])
    figures = {int(figure) for figure in re.findall(r"[0-9]+", everything)}
    romans = set(range(1, 11)) if re.search("[IVX]", everything) else set()
    if issue.number is not None:
        assert 1 <= issue.number <= 9999
        assert issue.number in figures | romans | {int(figure) for figure in re.findall(r"[0-9]", everything)}
    if issue.last_number is not None:
        assert issue.number is not None
        assert issue.number < issue.last_number
    assert issue.year is None or 1900 <= issue.year <= 2099
    if issue.date is not None:
        assert issue.year is not None
        assert abs(issue.year - issue.date.year) <= 1
    assert len(issue.title) <= 200


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
def test_dates_stand_where_they_are_said_to_stand_and_apart(text: str) -> None:
    end = 0
    for found in find_dates(text, year=2020):
        assert end <= found.span[0] < found.span[1] <= len(text)
        end = found.span[1]
