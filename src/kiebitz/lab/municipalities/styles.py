"""What may differ between two municipalities: how the gazette is shown, where its files lie, how often it appears."""

from enum import StrEnum


class Arrangement(StrEnum):
    """How a town shows its gazette."""

    FLAT = "flat"  # one list, the link text says it all
    YEARS = "years"  # a page for each year
    SEARCH = "search"  # a form that asks for the year
    PAGES = "pages"  # a dozen at a time
    ACCORDION = "accordion"
    TABS = "tabs"
    TABLE = "table"
    MONTHS = "months"  # the link says "Mai"
    DOWNLOAD = "download"  # the link says "Download" or "hier"
    THUMBNAILS = "thumbnails"  # the link is a picture without a text
    FOREIGN = "foreign"  # the files lie on another host
    BARE = "bare"  # addresses without .pdf
    TOKEN = "token"  # noqa: S105  # addresses with a token that changes with each view
    POST = "post"  # a form for each file
    IDS = "ids"  # the file is a number in the query
    BASE = "base"  # links are relative to <base href>
    WINDOWS = "windows"  # pages in Windows-1252
    NEWS = "news"  # an article for each issue; the file is one page deeper
    SEVERAL = "several"  # two papers on one page, and an advertising one beside them
    NOTICES = "notices"  # single notices instead of issues
    FEED = "feed"  # only a feed names the files
    SITEMAP = "sitemap"  # only the sitemap does
    SCRIPTED = "scripted"  # an empty page and a script


class Addressing(StrEnum):
    """How the address of a file is made."""

    NAMED = "named"  # /fileadmin/amtsblatt/2026/Amtsblatt_12_2026.pdf
    DATED = "dated"  # /wp-content/uploads/2026/03/20260320_Amtsblatt.pdf
    OPAQUE = "opaque"  # /media/3f9c01d2.pdf
    BARE = "bare"  # /resource/blob/48211/0f3c…/data
    NUMBER = "number"  # /output/download.php?fid=3631.2672.1
    TOKEN = "token"  # noqa: S105
    FORM = "form"  # POST, told apart by a hidden field
    OWN_SERVER = "own-server"  # dokumente.town.example
    SHARED_SERVER = "shared-server"  # daten.kommunaldienst.example


class Pace(StrEnum):
    """How often a paper appears."""

    TWICE_A_WEEK = "twice a week"
    WEEKLY = "weekly"
    FORTNIGHTLY = "fortnightly"
    FIRST_FRIDAY = "first Friday of the month"
    MID_MONTH = "middle of the month"
    AS_NEEDED = "as needed"


class Validators(StrEnum):
    """What a town sends for conditional requests."""

    BOTH = "both"
    NONE = "none"
    FICKLE = "fickle"  # an ETag that changes each time
