"""Words that may stand behind a typed number: multipliers and units in three languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _each(text: str, factor: float) -> dict[str, float]:
    return dict.fromkeys(text.split(), factor)


# English, European Portuguese and Czech. Portuguese "bilião" and Czech "bilion" are 1e12, English "billion" 1e9.
MULTIPLIERS: Final[Mapping[str, float]] = {
    **_each("k thousand mil tis tis. tisíc tisíce", 1e3),
    **_each("m mio mln mil. million millions milhão milhões milion miliony milionů", 1e6),
    **_each("b bn g billion billions mld mld. miliarda miliardy miliard", 1e9),
    "mil milhões": 1e9,
    **_each("t trillion trillions bilião biliões bilion biliony bilionů", 1e12),
}

PAGES: Final = _words(
    "p p. pp pp. page pages pág pág. página páginas pagina paginas"
    " str str. strana strany stran stránka stránky stránek"
)
WORDS: Final = _words("word words palavra palavras slovo slova slov")
TOKENS: Final = _words("tok token tokens tokeny tokenů tokenu")
GIGABYTES: Final = _words("gb gigabyte gigabytes gigabajt gigabajty gigabajtů")

_MONTHS: Final = _each("month months mês meses měsíc měsíce měsíců", 1.0)
_YEARS: Final = _each("year years ano anos rok roky let", 12.0)
_TIME_S: Final = {
    "ms": 0.001,
    **_each("s sec sec. second seconds segundo segundos sekunda sekundy sekund", 1.0),
    **_each("min min. minute minutes minuto minutos minuta minuty minut", 60.0),
    **_each("h hr hour hours hora horas hodina hodiny hodin hodinu hod hod.", 3600.0),
    **_each("d day days dia dias den dny dní", 86400.0),
    **_each("w week weeks semana semanas týden týdny týdnů", 604800.0),
}
_PEOPLE: Final = (
    "people persons person users user pessoa pessoas utilizadores lidé lidi lidí osob osoby uživatelů"
)
_REQUESTS: Final = "request requests req pedido pedidos požadavek požadavky požadavků dotazů"
_PER: Final = ("/", " per ", " a ", " an ", " por ", " za ", "per ", "a ", "an ", "por ", "za ")


def _scaled(units: Mapping[str, float], base: float) -> dict[str, float]:
    return {word: factor / base for word, factor in units.items()}


def _rates() -> dict[str, float]:
    """``/min``, ``per hour``, ``requests/day`` and the like as requests per second."""
    nouns = ("", *_REQUESTS.split())
    found = {"rps": 1.0, "qps": 1.0, **_each(_REQUESTS, 1.0)}
    for word, seconds in _TIME_S.items():
        found |= {f"{noun}{per}{word}".strip(): 1 / seconds for noun in nouns for per in _PER}
    return found


# Per unit of a question: the words understood and the factor that turns them into that unit.
UNITS: Final[Mapping[str, Mapping[str, float]]] = {
    "s": _TIME_S,
    "h": _scaled(_TIME_S, 3600.0),
    "days": {**_scaled(_TIME_S, 86400.0), **_scaled(_MONTHS, 1 / 30.4375)},
    "months": {**_MONTHS, **_YEARS},
    "%": {**_each("% percent pct procent procenta", 1.0), "per cent": 1.0, "por cento": 1.0},
    "kW": {"kw": 1.0, "w": 0.001, "mw": 1000.0, "btu/h": 1 / 3412.0},
    "°C": {"c": 1.0, "°c": 1.0, "° c": 1.0, "°": 1.0},
    "mm": {"mm": 1.0, "cm": 10.0, "m": 1000.0},
    "U": {"u": 1.0, "ru": 1.0, "he": 1.0},
    "EUR": {**_each("eur € euro euros eura", 1.0), **_each("k€ keur", 1000.0)},
    "EUR/h": {"eur": 1.0, "€": 1.0, "eur/h": 1.0, "€/h": 1.0},
    "EUR/kWh": {
        **_each("eur € eur/kwh €/kwh", 1.0),
        **_each("ct ct/kwh cent cents cêntimos centů", 0.01),
        **_each("eur/mwh €/mwh", 0.001),
    },
    "requests/s": _rates(),
    "requests": _each(_REQUESTS, 1.0),
    "people": _each(_PEOPLE, 1.0),
    "tokens": dict.fromkeys(TOKENS, 1.0),
    "tokens/s": {**_each("tokens/s tok/s t/s tokenů/s", 1.0), "tokens per second": 1.0},
    "nodes": _each("node nodes nó nós uzel uzly uzlů machines", 1.0),
    "GPUs": _each("gpu gpus karet karty", 1.0),
    "models": _each("model models modelo modelos modely modelů", 1.0),
    "factor": {"x": 1.0, "×": 1.0, "times": 1.0, "vezes": 1.0, "krát": 1.0},
    "bytes": _each("byte bytes bajt bajty bajtů", 1.0),
}


def unit_factor(unit: str, suffix: str) -> tuple[float, str] | None:
    """What ``suffix`` means for a question in ``unit``: the factor into that unit and the bare multiplier if any.

    A unit wins over a multiplier of the same letter ("5 m" is metres for a length). A multiplier may stand
    before a unit ("70k tokens"). ``None``: not understood.
    """
    words = UNITS.get(unit, {})
    if not suffix:
        return 1.0, ""
    if suffix in words:
        return words[suffix], ""
    if suffix in MULTIPLIERS:
        return MULTIPLIERS[suffix], suffix
    head, _, tail = suffix.partition(" ")
    if head in MULTIPLIERS and tail in words:
        return MULTIPLIERS[head] * words[tail], head
    return None
