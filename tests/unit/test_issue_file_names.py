"""What the name of a file says about the issue in it, and what it leaves open."""

import pytest

from kiebitz.collect.issue import read_issue


@pytest.mark.parametrize(
    ("name", "number", "year", "when"),
    [
        ("abl_2019_26_3781_3956_online.pdf", 26, 2019, None),
        ("abl_2021_24_2053_2104_online.pdf", 24, 2021, None),
        ("AB 3-20.pdf", 3, 2020, None),
        ("Amtsblatt-2020-12-17.pdf", None, 2020, "2020-12-17"),
        ("Amtsblatt_03_2020.pdf", 3, 2020, None),
        ("amtsblatt-26-03-final.pdf", 3, 2026, None),
        ("Amtsblatt26-04.pdf", 4, 2026, None),
        ("amtsblatt-25-08-v2.pdf", 8, 2025, None),
        ("Amtsblatt-15-18.pdf", 15, 2018, None),
        ("Amtsblatt-07-2018..pdf", 7, 2018, None),
        ("2026-03-Amtsblatt.pdf", 3, 2026, None),
        ("2025_08_Amtsblatt_SRB.pdf", 8, 2025, None),
        ("2025-10-02-Amtsblatt_06_2025.pdf", 6, 2025, "2025-10-02"),
        ("20250414_Amtsblatt_Nr3.pdf", 3, 2025, "2025-04-14"),
        ("20221209%20Amtsblatt%20Nr.%2016.pdf", 16, 2022, "2022-12-09"),
        ("0503_SRB_Amtsblatt_05.pdf", 5, None, None),
        ("2026_Amtsblatt_Altlandsberg_01.pdf", 1, 2026, None),
        ("2004_Amtsblatt_9.pdf", 9, 2004, None),
        ("Amtsblatt-2025-Ausgabe-6.pdf", 6, 2025, None),
        ("Amtsblatt_11_2016_Dezember_Januar.pdf", 11, 2016, "2016-12"),
        ("Amtsblatt_07_2017_September.pdf", 7, 2017, "2017-09"),
        ("Gemeindeblatt_06-25-3.pdf", 6, 2025, None),
        ("Gemeindeblatt_05_2025-4.pdf", 5, 2025, None),
        ("28_Amtsblatt-2025-05_2-web.pdf", 5, 2025, None),
        ("Amtsblatt-2026-03-707155.pdf", 3, 2026, None),
        ("amtsblatt-01-25-250116-freigabeneu.pdf", 1, 2025, None),
        ("Amtsblatt%20Erkner%205I2026.pdf", 5, 2026, None),
        ("2025-12-amtsblatt-et-05.12.25.pdf", 12, 2025, "2025-12-05"),
        ("Nr.03 Jahrgang 25 am 30.04.2026.pdf", 3, 2026, "2026-04-30"),
        ("WEB-0722-Amtsblatt_Nr4.pdf", 4, None, None),
        # What such names leave open: a day or a number, a copy or a number, a week, an id.
        ("Amtsblatt_Schorfheide_03_M%C3%A4rz_2026_web.pdf", None, 2026, "2026-03"),
        ("amtsblatt_massen_november_2023_1.pdf", None, 2023, "2023-11"),
        ("Gemeindeblatt_Juni_25-1.pdf", None, 2025, "2025-06"),
        ("amtsblatt_24-04-26.pdf", None, None, None),
        ("amtsblatt_hn_0426_b.pdf", None, None, None),
        ("Beste2535%20final.pdf", None, None, None),
        ("Amtsblatt_Zossen_2.pdf", None, None, None),
        ("2112_12840_1.PDF?1766133600", None, None, None),
        ("download.php?fid=3692.5094.1.PDF", None, None, None),
    ],
)  # fmt: skip
def test_file_names_are_read_too(name: str, number: int | None, year: int | None, when: str | None) -> None:
    issue = read_issue(file_name=name)
    assert (issue.number, issue.year, issue.when) == (number, year, when)
    assert read_issue(name.partition("?")[0])[:3] == issue[:3], "a file name as link text reads the same"


def test_decomposed_umlauts_of_apple_file_names_are_umlauts() -> None:
    assert read_issue(file_name="Amtsblatt_Ma%CC%88rz_2026.pdf").when == "2026-03"
    assert read_issue(file_name="Amtsblatt_M%E4rz_2026.pdf").when == "2026-03"
