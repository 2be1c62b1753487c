"""Countries: ISO 3166-1 alpha-2 codes, members of the European Union, the form of their VAT numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_ISO_3166_1: Final = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW
BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI
FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN
IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME
MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF
PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV
SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE
YT ZA ZM ZW
"""
_MEMBERS: Final = """
AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
"""
COUNTRIES: Final = tuple(_ISO_3166_1.split())
EU: Final = frozenset(_MEMBERS.split())
HOME: Final = "CZ"
_LANGUAGES: Final = {"CZ": "cs", "PT": "pt", "BR": "pt", "AO": "pt", "MZ": "pt", "CV": "pt"}


@dataclass(frozen=True, slots=True)
class VatForm:
    """Form of a VAT number: a regular expression and an example that people can read."""

    pattern: str
    example: str


# Structure of VAT numbers as published for the European Commission's VIES; the check digits are not tested.
VAT_FORMS: Final[Mapping[str, VatForm]] = MappingProxyType(
    {
        "AT": VatForm(r"ATU\d{8}", "ATU12345678"),
        "BE": VatForm(r"BE[01]\d{9}", "BE0123456789"),
        "BG": VatForm(r"BG\d{9,10}", "BG123456789"),
        "CY": VatForm(r"CY\d{8}[A-Z]", "CY12345678X"),
        "CZ": VatForm(r"CZ\d{8,10}", "CZ12345678"),
        "DE": VatForm(r"DE\d{9}", "DE123456789"),
        "DK": VatForm(r"DK\d{8}", "DK12345678"),
        "EE": VatForm(r"EE\d{9}", "EE123456789"),
        "ES": VatForm(r"ES[A-Z0-9]\d{7}[A-Z0-9]", "ESX1234567X"),
        "FI": VatForm(r"FI\d{8}", "FI12345678"),
        "FR": VatForm(r"FR[A-HJ-NP-Z0-9]{2}\d{9}", "FRXX123456789"),
        "GR": VatForm(r"EL\d{9}", "EL123456789"),
        "HR": VatForm(r"HR\d{11}", "HR12345678901"),
        "HU": VatForm(r"HU\d{8}", "HU12345678"),
        "IE": VatForm(r"IE(\d{7}[A-W][A-I]?|\d[A-Z0-9+*]\d{5}[A-W])", "IE1234567X"),
        "IT": VatForm(r"IT\d{11}", "IT12345678901"),
        "LT": VatForm(r"LT(\d{9}|\d{12})", "LT123456789"),
        "LU": VatForm(r"LU\d{8}", "LU12345678"),
        "LV": VatForm(r"LV\d{11}", "LV12345678901"),
        "MT": VatForm(r"MT\d{8}", "MT12345678"),
        "NL": VatForm(r"NL[A-Z0-9+*]{9}B[A-Z0-9+*]{2}", "NL123456789B01"),
        "PL": VatForm(r"PL\d{10}", "PL1234567890"),
        "PT": VatForm(r"PT\d{9}", "PT123456789"),
        "RO": VatForm(r"RO\d{2,10}", "RO1234567890"),
        "SE": VatForm(r"SE\d{12}", "SE123456789012"),
        "SI": VatForm(r"SI\d{8}", "SI12345678"),
        "SK": VatForm(r"SK\d{10}", "SK1234567890"),
    }
)


def document_language(country: str) -> str:
    """The language of a country where proposals are written in it, else English."""
    return _LANGUAGES.get(country, "en")


def has_vat_form(vat_id: str, country: str) -> bool:
    """Whether a VAT number looks like one of that country; ``True`` where its form is not known."""
    form = VAT_FORMS.get(country)
    compact = re.sub(r"[\s.\-]", "", vat_id).upper()
    return form is None or re.fullmatch(form.pattern, compact) is not None
