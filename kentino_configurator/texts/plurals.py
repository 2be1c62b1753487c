"""Which form of a counted noun goes with a number."""

from __future__ import annotations

from decimal import Decimal


def plural_category(number: Decimal, locale: str) -> str:
    """CLDR plural category ("one", "few", "many", "other") of a number as it is shown: 1 and 1.0 may differ.

    English has one rule and is answered here, because importing Babel takes longer than a whole ``size`` run
    may wait for its sentences.
    """
    if locale.startswith("en"):
        return "one" if f"{number:f}" == "1" else "other"
    from babel import Locale

    return Locale.parse(locale).plural_form(Decimal(f"{number:f}"))
