"""The sixteen states of Germany: their codes, and the digits their municipalities' keys (AGS) begin with."""

from kiebitz.errors import InputError

STATES = {
    "SH": ("Schleswig-Holstein", "01"),
    "HH": ("Hamburg", "02"),
    "NI": ("Niedersachsen", "03"),
    "HB": ("Bremen", "04"),
    "NW": ("Nordrhein-Westfalen", "05"),
    "HE": ("Hessen", "06"),
    "RP": ("Rheinland-Pfalz", "07"),
    "BW": ("Baden-Württemberg", "08"),
    "BY": ("Bayern", "09"),
    "SL": ("Saarland", "10"),
    "BE": ("Berlin", "11"),
    "BB": ("Brandenburg", "12"),
    "MV": ("Mecklenburg-Vorpommern", "13"),
    "SN": ("Sachsen", "14"),
    "ST": ("Sachsen-Anhalt", "15"),
    "TH": ("Thüringen", "16"),
}
_CODES = {spelling.casefold(): code for code, (name, _) in STATES.items() for spelling in (code, name)}


def state_code(text: str) -> str:
    """``BB`` from ``BB``, ``bb`` or ``Brandenburg``. Raises InputError."""
    code = _CODES.get(text.strip().removeprefix("DE-").casefold())
    if code is None:
        raise InputError(f"unknown state {text[:80]!r}", hint=f"use one of: {', '.join(sorted(STATES))}")
    return code
