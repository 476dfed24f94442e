"""Links that are more than an address: buttons, pages that post themselves back, frames, and pages that send on."""

from tests.unit.gazette_page import collect, documents, leads

STATE = (
    '<input type="hidden" name="__VIEWSTATE" value="dDw7">'
    '<input type="hidden" name="__EVENTTARGET" value=""><input type="hidden" name="__EVENTARGUMENT" value="">'
    '<input name="q"><input type="submit" name="go" value="Suche">'
)


def posting(target: str, argument: str, text: str) -> str:
    return f"<p><a href=\"javascript:__doPostBack('{target}','{argument}')\">{text}</a></p>"


def test_a_link_that_posts_its_page_back_is_sent_as_its_form() -> None:
    rows = "".join(posting(f"ctl00$list$ctl0{n}", "", f"Amtsblatt {n}/2018") for n in (1, 2, 3))
    found = collect(f"<form method='post' action='/Amtsblatt.aspx'>{STATE}{rows}</form>")
    assert [verdict.candidate.method for verdict in found.documents] == ["POST"] * 3
    first = found.documents[0].candidate
    assert first.request_url == "https://www.musterstadt.de/Amtsblatt.aspx"
    assert first.body == b"__VIEWSTATE=dDw7&q=&__EVENTTARGET=ctl00%24list%24ctl01&__EVENTARGUMENT="


def test_pages_and_years_that_are_posted_back_lead_on() -> None:
    rows = posting("grid$row", "", "Amtsblatt 1/2018") + posting("grid", "Page$2", "2") + posting("year17", "", "2017")
    found = collect(f"<form method='post' action='/Amtsblatt.aspx'>{STATE}{rows}</form>")
    assert [verdict.candidate.text for verdict in found.documents] == ["Amtsblatt 1/2018"]
    sent = {follow.kind: follow for follow in found.follow if follow.method == "POST"}
    assert b"__EVENTARGUMENT=Page%242" in (sent["next"].body or b"")
    assert b"__EVENTTARGET=year17" in (sent["year"].body or b"")


def test_a_posting_link_outside_of_a_form_is_none() -> None:
    assert not collect(posting("a", "b", "Amtsblatt 1/2018")).documents


def test_each_button_of_a_form_is_a_document() -> None:
    rows = "".join(f"<p>Amtsblatt Nr. {n}/2025 <button name='id' value='{n}'>Download</button></p>" for n in (1, 2, 3))
    found = collect(f"<form method='post' action='/dl'><input type='hidden' name='t' value='x'>{rows}</form>")
    assert [verdict.candidate.body for verdict in found.documents] == [b"t=x&id=1", b"t=x&id=2", b"t=x&id=3"]


def test_a_button_may_lead_elsewhere_than_its_form() -> None:
    rows = "".join(f"<p>Amtsblatt Nr. {n}/2025 <button formaction='/dl/{n}.pdf'>Download</button></p>" for n in (1, 2))
    assert documents(collect(f"<form>{rows}</form>")) == ["1.pdf", "2.pdf"]


def test_a_row_that_leads_somewhere_does_not_hide_its_links() -> None:
    rows = "".join(
        f"<tr data-href='/show/{n}'><td><a href='/dl/{n}.pdf'>Amtsblatt {n}/2025</a></td></tr>" for n in (1, 2, 3)
    )
    assert documents(collect(f"<table>{rows}</table>")) == ["1.pdf", "2.pdf", "3.pdf"]


def test_the_data_of_a_download_plugin_are_an_address() -> None:
    card = "<h3>Amtsblatt 1/2026</h3><a href='#' data-downloadurl='/download/ab-1-2026/?wpdmdl=9'>Download</a>"
    assert documents(collect(card)) == ["?wpdmdl=9"]


def test_links_for_readers_without_scripts_and_in_written_frames_count() -> None:
    assert documents(collect("<noscript><a href='/a1.pdf'>Amtsblatt 1/2025</a></noscript>")) == ["a1.pdf"]
    frame = "<iframe srcdoc=\"&lt;a href='/a2.pdf'&gt;Amtsblatt 2/2025&lt;/a&gt;\"></iframe>"
    assert documents(collect(frame)) == ["a2.pdf"]


def test_a_page_that_sends_its_reader_on_leads_there() -> None:
    found = collect("Weiter", head='<meta http-equiv="refresh" content="0; URL=/neu/blatt.html">')
    assert "/neu/blatt.html" in leads(found, "archive")
    assert "/inhalt.htm" in leads(collect("<iframe src='/inhalt.htm'></iframe>"), "archive")


def test_a_page_never_sends_its_reader_to_another_site() -> None:
    found = collect("Weiter", head='<meta http-equiv="refresh" content="0; URL=https://elsewhere.example/">')
    assert not [follow for follow in found.follow if "elsewhere" in follow.url]


def test_notices_that_are_pages_are_documents_and_their_kinds_are_not() -> None:
    titles = ("Auslegung des Bebauungsplans Am Anger", "Haushaltssatzung der Stadt 2026", "Widmung der Straße Im Brühl")
    items = "".join(
        f"<div class='n'><span>1{n}.03.2026</span><h3><a href='/bekanntmachungen/{n}'>{title}</a></h3></div>"
        for n, title in enumerate(titles)
    )
    kinds = "<ul><li><a href='/rathaus/satzungen'>Satzungen</a></li><li><a href='/rathaus/wahlen'>Wahlen</a></li></ul>"
    found = collect(kinds + items, url="https://www.musterstadt.de/bekanntmachungen", title="Bekanntmachungen")
    assert documents(found) == ["0", "1", "2"]


def test_the_papers_of_a_plan_are_not_the_notice() -> None:
    row = (
        "<tr><td>12.03.2026</td><td><a href='/b/1.pdf'>Auslegung Bebauungsplan Nr. 4</a></td>"
        "<td><a href='/b/1-plan.pdf'>Plan</a> <a href='/b/1-begr.pdf'>Begründung</a></td></tr>"
    )
    found = collect(
        f"<table>{row}</table>", url="https://www.musterstadt.de/bekanntmachungen", title="Bekanntmachungen"
    )
    assert documents(found) == ["1.pdf"]


def test_a_numbered_series_is_a_paper_only_where_something_speaks_of_one() -> None:
    rows = "".join(f"<li><a href='/dl/{n}.pdf'>Neuerwerbungen {n:02}/2025</a></li>" for n in range(1, 8))
    url = "https://www.musterstadt.de/bibliothek/"
    assert not collect(f"<ul>{rows}</ul>", url=url, title="Bibliothek").documents
    spoken = f"<p>Amtliches Mitteilungsblatt der Stadt</p><ul>{rows.replace('Neuerwerbungen', 'Rundblick')}</ul>"
    assert len(collect(spoken, url=url, title="Rundblick").documents) == 7
