"""How wide a text is in the bundled font, in millimetres, without opening a font file.

The tables hold advance widths of Kentino Inter in 1/2048 of the type size, taken from the shipped files (a
test compares them). Kerning is left out. A character outside the table counts as wide as an "M".
"""

from __future__ import annotations

from typing import Final

_UNITS_PER_EM: Final = 2048
_CHARACTERS: Final = (
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmno"
    "pqrstuvwxyz{|}~\u00a0\u202f×·–—…→°±«»„“”‘’²³½≤≥ÀÁÂÃÄÇÉÊÍÓÔÕÖÚÜÝßàáâãäçéêíóôõöúüýČčĎďĚěŇňŘř"
    "ŠšŤťŮůŽž"
)
_ADVANCES: Final = {
    400: (
        "576 589 954 1297 1314 2011 1319 614 747 747 1026 1355 590 942 590 738 1328 1328 1328 1328 1328 "
        "1328 1328 1328 1328 1328 590 618 1355 1355 1355 1047 1978 1413 1340 1496 1478 1231 1209 1528 "
        "1522 550 1169 1376 1158 1850 1543 1566 1308 1566 1318 1314 1322 1524 1413 2018 1397 1390 1288 "
        "747 738 747 965 934 661 1150 1254 1170 1254 1194 758 1256 1211 496 496 1124 496 1794 1210 1228 "
        "1254 1254 771 1081 670 1211 1151 1676 1118 1151 1131 873 681 873 1355 576 372 1355 590 1024 2048 "
        "1770 1954 933 1355 1193 1193 862 902 902 534 534 905 913 1735 1355 1355 1413 1413 1413 1413 1413 "
        "1496 1231 1231 550 1566 1566 1566 1566 1524 1524 1390 1262 1150 1150 1150 1150 1150 1170 1194 "
        "1194 496 1228 1228 1228 1228 1211 1211 1151 1496 1170 1478 1454 1231 1194 1543 1210 1318 771 "
        "1314 1081 1322 770 1524 1211 1288 1131 "
    ),
    500: (
        "546 623 1012 1308 1323 2034 1338 641 755 755 1066 1367 621 947 621 757 1327 1327 1327 1327 1327 "
        "1327 1327 1327 1327 1327 621 646 1367 1367 1367 1080 2012 1452 1345 1502 1478 1235 1207 1531 "
        "1525 558 1178 1408 1158 1869 1549 1570 1314 1574 1327 1323 1337 1516 1452 2054 1435 1426 1312 "
        "755 757 755 976 948 690 1163 1266 1182 1266 1203 777 1269 1232 516 516 1145 516 1819 1232 1237 "
        "1266 1266 792 1103 697 1232 1177 1698 1141 1178 1145 902 708 902 1367 546 355 1367 621 1024 2048 "
        "1864 1954 936 1367 1246 1246 923 970 964 568 568 917 931 1758 1367 1367 1452 1452 1452 1452 1452 "
        "1502 1235 1235 558 1570 1570 1570 1570 1516 1516 1426 1290 1163 1163 1163 1163 1163 1182 1203 "
        "1203 516 1237 1237 1237 1237 1232 1232 1178 1502 1182 1478 1484 1235 1203 1549 1232 1327 792 "
        "1323 1103 1337 815 1516 1232 1312 1145 "
    ),
    600: (
        "516 658 1071 1318 1332 2057 1357 667 764 764 1105 1378 653 953 653 776 1325 1325 1325 1325 1325 "
        "1325 1325 1325 1325 1325 653 674 1378 1378 1378 1113 2046 1490 1350 1509 1479 1240 1204 1534 "
        "1527 567 1187 1440 1158 1889 1555 1574 1321 1583 1336 1332 1352 1507 1490 2089 1474 1461 1336 "
        "764 776 764 986 961 719 1176 1278 1193 1278 1211 796 1281 1254 536 536 1166 536 1844 1253 1247 "
        "1278 1278 813 1125 723 1254 1202 1719 1165 1205 1159 931 735 931 1378 516 339 1378 653 1024 2048 "
        "1958 1954 938 1378 1299 1299 983 1038 1027 602 602 929 949 1781 1378 1378 1490 1490 1490 1490 "
        "1490 1509 1240 1240 567 1574 1574 1574 1574 1507 1507 1461 1318 1176 1176 1176 1176 1176 1193 "
        "1211 1211 536 1247 1247 1247 1247 1254 1254 1205 1509 1193 1479 1514 1240 1211 1555 1253 1336 "
        "813 1332 1125 1352 859 1507 1254 1336 1159 "
    ),
}
_WIDTHS: Final = {
    weight: dict(zip(_CHARACTERS, map(int, advances.split()), strict=True))
    for weight, advances in _ADVANCES.items()
}
CAP_HEIGHT: Final = 0.728
"""Height of a capital letter, share of the type size."""
DESCENT: Final = 0.2
"""Depth of letters such as g below the baseline, share of the type size."""


def text_width_mm(text: str, size_mm: float, weight: int = 400) -> float:
    """Width of a line of text; ``weight`` is 400, 500 or 600."""
    widths = _WIDTHS[weight]
    widest = widths["M"]
    return sum(widths.get(character, widest) for character in text) * size_mm / _UNITS_PER_EM


def first_fitting(candidates: tuple[str, ...], width_mm: float, size_mm: float, weight: int = 400) -> str:
    """The first candidate that fits into ``width_mm``; empty text when none does."""
    return next((text for text in candidates if text_width_mm(text, size_mm, weight) <= width_mm), "")


def two_lines(text: str, width_mm: float, size_mm: float, weight: int = 400) -> tuple[str, ...]:
    """The text in one line, or broken at a space into two of nearly equal width when one is too wide."""
    words = text.split(" ")
    if text_width_mm(text, size_mm, weight) <= width_mm or len(words) == 1:
        return (text,)
    breaks = ((" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words)))
    return min(breaks, key=lambda lines: max(text_width_mm(line, size_mm, weight) for line in lines))
