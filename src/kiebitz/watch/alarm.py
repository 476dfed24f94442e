"""Is the watch broken? A layout that changed, documents that vanished, a page that now wants a password."""

from collections.abc import Sequence

from kiebitz.model.sight import Item, PageSight, Sight

TOLD = ("login", "needs-browser", "not-a-page")  # states that say themselves what is wrong
ARCHIVE = 2  # fewer than one in two is more than an archive that was tidied up


def alarm(before: Sight | None, now: Sight, pages: Sequence[PageSight]) -> str:
    """Why what is seen now cannot be right, in a few words; "" if all is well."""
    if not pages:
        return "not-a-page: the entry page could not be read as a web page"
    if all(page.state == "page" for page in pages):
        return "" if now.items else "the page shows no text any more: has its layout changed?" * bool(before)
    documents = [item for item in now.items if item.kind == "document"]
    known = [item for item in before.items if item.kind == "document"] if before else []
    if not documents:
        return _nothing(pages, known, before)
    if _is_crippled(known, documents):
        return f"layout changed? only {len(documents)} of {len(known)} documents are still listed, and not the newest"
    return ""


def _nothing(pages: Sequence[PageSight], known: list[Item], before: Sight | None) -> str:
    told = next((page for page in pages if page.state in TOLD), None)
    if told is not None:
        return f"{told.state}: {told.reason}"
    if known and before is not None:
        return f"documents vanished: {len(known)} were listed on {before.at:%Y-%m-%d}, none is now; has the layout changed?"
    first = next((page for page in pages if page.text), pages[0])
    return f"{first.state}: {first.reason}"


def _is_crippled(known: list[Item], documents: list[Item]) -> bool:
    """Most are gone, the newest among them, and nothing has come: an archive is tidied up from its other end."""
    if len(documents) * ARCHIVE >= len(known):
        return False
    keys = {item.key for item in known} | {item.issue for item in known if item.issue}
    if any(item.key not in keys and item.issue not in keys for item in documents):
        return False
    newest = max(known, key=_age)
    return newest.key not in {item.key for item in documents}


def _age(item: Item) -> tuple[int, int]:
    year, _, number = item.issue.partition(" ")[0].partition("/")
    digits = "".join(letter for letter in number if letter.isdecimal())
    return (int(year), int(digits)) if year.isdecimal() and digits else (0, 0)
