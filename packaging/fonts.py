"""Makes "Kentino Inter" from Inter: the same outlines, digits of one width everywhere.

Run once per Inter version, result committed:

    python packaging/fonts.py <unpacked @expo-google-fonts/inter> resources/fonts

Inter's own ``tnum`` feature widens punctuation too, and the PDF writer knows no OpenType features. So the
character map itself points its ten digits at the tabular glyphs. A changed font needs another name, hence the
new family.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from fontTools.ttLib import TTFont

FAMILY = "Kentino Inter"
WEIGHTS = {"Regular": "400Regular", "Medium": "500Medium", "SemiBold": "600SemiBold"}
DIGITS = range(ord("0"), ord("9") + 1)
# Entries of the OpenType "name" table.
NAME_FAMILY, NAME_UNIQUE, NAME_FULL, NAME_POSTSCRIPT, NAME_TRADEMARK = 1, 3, 4, 6, 7
NAME_TYPOGRAPHIC_FAMILY, NAME_VARIATIONS_PREFIX = 16, 25


def make_digits_tabular(font: TTFont) -> None:
    """Point the ten digits of every Unicode character map at their ``.tf`` glyphs."""
    for table in font["cmap"].tables:
        for code in DIGITS:
            if code in table.cmap:
                table.cmap[code] = f"{table.cmap[code].removesuffix('.tf')}.tf"


def rename(font: TTFont, style: str) -> None:
    """Give the derived font its own family; version, copyright and licence entries stay."""
    names = font["name"]
    legacy_family = FAMILY if style == "Regular" else f"{FAMILY} {style}"
    postscript = f"{FAMILY.replace(' ', '')}-{style}"
    replacement = {
        NAME_FAMILY: legacy_family,
        NAME_UNIQUE: f"{names.getDebugName(5)};{postscript}",
        NAME_FULL: f"{FAMILY} {style}",
        NAME_POSTSCRIPT: postscript,
        NAME_TYPOGRAPHIC_FAMILY: FAMILY,
        NAME_VARIATIONS_PREFIX: FAMILY.replace(" ", ""),
    }
    for record in list(names.names):
        if record.nameID == NAME_TRADEMARK:
            names.removeNames(nameID=NAME_TRADEMARK)
        elif record.nameID in replacement:
            record.string = replacement[record.nameID]


def derive(source: Path, target: Path, style: str) -> None:
    """Write the derived cut of one weight. The same input gives the same bytes."""
    font = TTFont(source, recalcTimestamp=False)
    make_digits_tabular(font)
    rename(font, style)
    font.save(target)


def main(package: Path, target: Path) -> None:
    """Derive all weights and print the SHA-256 of each source and result for the README beside the fonts."""
    for style, folder in WEIGHTS.items():
        source = package / folder / f"Inter_{folder}.ttf"
        result = target / f"KentinoInter-{style}.ttf"
        derive(source, result, style)
        for path in (source, result):
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    shutil.copyfile(package / "LICENSE_FONT", target / "OFL.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
