"""A gazette that appears as news: a list of articles, most of them about something else; the file is in the article."""

from datetime import timedelta
from html import escape
from random import Random
from typing import NamedTuple
from urllib.parse import parse_qs

from kiebitz.lab.calendars import FIRST_DAY
from kiebitz.lab.demo.notices import german, news_item
from kiebitz.lab.municipalities.frame import FramedText
from kiebitz.lab.municipalities.listing import Canvas, Listed, control

PER_PAGE = 15
OTHER_NEWS = 30


class Article(NamedTuple):
    """``item`` is missing from an article about something else."""

    slug: str
    day: str
    title: str
    text: str
    order: tuple[int, str]
    item: Listed | None = None


def news_page(canvas: Canvas, rest: str, query: str) -> FramedText | None:
    articles = _articles(canvas)
    crumbs = (("/aktuelles/", "Aktuelles"),)
    if rest:
        found = next((article for article in articles if f"{article.slug}.html" == rest), None)
        return found and FramedText(found.title, _article(canvas, found), (*crumbs, (canvas.root, "Meldungen")))
    asked = parse_qs(query).get("seite", ["1"])[0]
    last = -(-len(articles) // PER_PAGE)
    if not asked.isdecimal() or not 1 <= int(asked) <= last:
        return None
    number = int(asked)
    rows = "".join(_teaser(canvas, article) for article in articles[(number - 1) * PER_PAGE : number * PER_PAGE])
    links = "".join(
        f'<a class="page-numbers" href="{canvas.root}?seite={page}">{page}</a> ' for page in range(1, last + 1)
    )
    return FramedText(
        "Meldungen und Amtsblatt", f'<div class="news-list">{rows}</div><nav class="pagination">{links}</nav>', crumbs
    )


def _articles(canvas: Canvas) -> list[Article]:
    """Newest first. The other news do not change with the day."""
    town = canvas.town
    paper = town.papers[0].name
    found = []
    for item in canvas.items:
        day = item.publication.day
        slug = f"{day:%Y-%m-%d}-{paper.lower()}-{item.publication.serial}"
        title = f"{item.label} erschienen" if town.style % 2 else f"Neu: {item.label}"
        text = f"Die neue Ausgabe vom {german(day)} steht zum Herunterladen bereit."
        found.append(Article(slug, german(day), title, text, (day.toordinal(), slug), item))
    for number in range(OTHER_NEWS):
        day = FIRST_DAY - timedelta(days=5 + 11 * number)
        title, text = news_item(Random(f"news {town.host} {number}"), town.streets, day)
        slug = f"{day:%Y-%m-%d}-meldung-{number}"
        found.append(Article(slug, german(day), title, text, (day.toordinal(), slug)))
    return sorted(found, key=lambda article: article.order, reverse=True)


def _teaser(canvas: Canvas, article: Article) -> str:
    return (
        f'<article class="news-item"><time>{article.day}</time><h3><a href="{canvas.root}{article.slug}.html">'
        f"{escape(article.title)}</a></h3><p>{escape(article.text)}</p></article>"
    )


def _article(canvas: Canvas, article: Article) -> str:
    text = f"<p>{article.day}</p><p>{escape(article.text)}</p>"
    if article.item is None:
        return text
    word = "Zum Download" if canvas.town.style % 2 else escape(article.item.label)
    return f"{text}<p>{control(canvas, article.item, word)} (PDF)</p>"
