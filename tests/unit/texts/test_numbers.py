"""The table of number formats, row by row, in three locales; and what holds for every number."""

import datetime
import math
from decimal import Decimal

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import GB, Unit
from kentino_configurator.texts import LOCALES, load_texts, rounding
from kentino_configurator.texts.numbers import MINUS, numbers_of
from kentino_configurator.texts.plurals import plural_category
from kentino_configurator.texts.unit_forms import form_of

NBSP = "\u00a0"
LANGUAGES = tuple(LOCALES)
finite = st.floats(min_value=1e-6, max_value=1e18)


def estimate(low: float, expected: float, high: float, unit: Unit) -> Estimate:
    return Estimate(low=low, expected=expected, high=high, unit=unit, evidence=Evidence.DERIVED)


def spaced(text: str) -> str:
    """With ordinary spaces, for reading."""
    return text.replace(NBSP, " ")


@pytest.mark.parametrize(
    ("language", "low", "expected", "high", "unit"),
    [
        ("en", "830", "1,300", "1,900", "tokens/s"),
        ("pt", "830", "1300", "1900", "tokens/s"),
        ("cs", "830", "1 300", "1 900", "tokenů/s"),
    ],
)
def test_estimate_has_two_significant_digits_in_three_columns(
    language: str, low: str, expected: str, high: str, unit: str
) -> None:
    columns = load_texts(language).columns(estimate(834, 1290, 1890, Unit.TOKENS_PER_S))
    assert [spaced(text) for text in (columns.low, columns.expected, columns.high, columns.unit)] == [
        low,
        expected,
        high,
        unit,
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "1.1 s (0.7 to 1.8)"), ("pt", "1,1 s (0,7 a 1,8)"), ("cs", "1,1 s (0,7 až 1,8)")],
)
def test_ends_of_an_estimate_show_no_more_decimals_than_the_expected_value(language: str, words: str) -> None:
    assert spaced(load_texts(language).words(estimate(0.7, 1.1, 1.8, Unit.SECONDS))) == words


@pytest.mark.parametrize(
    ("language", "table", "headline", "document"),
    [
        ("en", "171,417.00 EUR", "171,417 EUR", "€171,417.00"),
        ("pt", "171 417,00 EUR", "171 417 EUR", "171 417,00 €"),
        ("cs", "171 417,00 EUR", "171 417 EUR", "171 417,00 €"),
    ],
)
def test_price_is_exact_in_tables_and_without_cents_in_headlines(
    language: str, table: str, headline: str, document: str
) -> None:
    texts, price = load_texts(language), Money(17_141_700)
    assert spaced(texts.price(price)) == table
    assert spaced(texts.price(price, decimals=0)) == headline
    assert spaced(texts.for_document().price(price)) == document


def test_sentences_write_cents_only_when_there_are_some() -> None:
    texts = load_texts("en")
    assert spaced(texts.words(Money(150_000_00))) == "150,000 EUR"
    assert spaced(texts.words(Money(1_234_56))) == "1,234.56 EUR"


def test_portuguese_does_not_group_four_digits() -> None:
    assert spaced(load_texts("pt").price(Money(1234_50))) == "1234,50 EUR"
    assert spaced(load_texts("pt").numbers.plain(12_345)) == "12 345"


@pytest.mark.parametrize(
    ("language", "both", "short"),
    [
        ("en", "102.6 GB (95.6 GiB)", "96.0 GB"),
        ("pt", "102,6 GB (95,6 GiB)", "96,0 GB"),
        ("cs", "102,6 GB (95,6 GiB)", "96,0 GB"),
    ],
)
def test_memory_is_written_in_gb_with_one_decimal(language: str, both: str, short: str) -> None:
    texts = load_texts(language)
    assert spaced(texts.memory(102.6 * GB)) == both
    assert spaced(texts.words(Quantity(96 * GB, Unit.BYTES))) == short


@pytest.mark.parametrize("language", LANGUAGES)
def test_share_has_no_decimal_and_a_no_break_space(language: str) -> None:
    assert load_texts(language).words(Quantity(0.0912, Unit.SHARE)) == f"9{NBSP}%"
    assert load_texts(language).words(estimate(0.613, 0.72, 0.8, Unit.SHARE)).startswith(f"72{NBSP}% (61 ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_share_never_reads_as_none(language: str) -> None:
    decimal_sign = load_texts(language).numbers.decimal_sign
    assert load_texts(language).words(Quantity(0.004, Unit.SHARE)) == f"0{decimal_sign}4{NBSP}%"


@pytest.mark.parametrize("language", LANGUAGES)
def test_rate_range_uses_an_en_dash(language: str) -> None:
    assert load_texts(language).range(36e9, 40e9, Unit.BYTES_PER_S) == f"36–40{NBSP}GB/s"


@pytest.mark.parametrize(("language", "more"), [("en", "+26,883"), ("pt", "+26 883"), ("cs", "+26 883")])
def test_change_always_writes_its_sign(language: str, more: str) -> None:
    numbers = load_texts(language).numbers
    assert spaced(numbers.signed(26_883)) == more
    assert spaced(numbers.signed(-26_883)) == MINUS + more[1:]
    assert numbers.signed(0) == "0"


@pytest.mark.parametrize(
    ("language", "long", "short"),
    [
        ("en", "1 December 2026", "1 Dec 2026"),
        ("pt", "1 de dezembro de 2026", "01/12/2026"),
        ("cs", "1. prosince 2026", "1. 12. 2026"),
    ],
)
def test_dates_show_four_digits_of_the_year(language: str, long: str, short: str) -> None:
    day = datetime.date(2026, 12, 1)
    texts = load_texts(language)
    assert (spaced(texts.long_date(day)), spaced(texts.short_date(day))) == (long, short)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (5e-6, "5 µs"),
        (0.0123, "12.3 ms"),
        (2, "2 s"),
        (90, "90 s"),
        (900, "15 minutes"),
        (5 * 3600, "5 hours"),
        (10 * 86400, "10 days"),
    ],
)
def test_duration_is_written_in_the_unit_people_use_for_its_size(seconds: float, words: str) -> None:
    assert spaced(load_texts("en").words(Quantity(seconds, Unit.SECONDS))) == words


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        (Quantity(0, Unit.BYTES), "0.0 GB"),
        (Quantity(40e6, Unit.BYTES), "40 MB"),
        (Quantity(30.72e12, Unit.BYTES), "30.7 TB"),
        (Quantity(163_840, Unit.BYTES_PER_TOKEN), "160 KiB per token"),
        (Quantity(26.5e9, Unit.BYTES_PER_S), "26.5 GB/s"),
        (Quantity(8192, Unit.TOKENS), "8,192 tokens"),
        (Quantity(1.5e12, Unit.TOKENS), "1.5 trillion tokens"),
        (Quantity(405e9, Unit.PARAMETERS), "405 billion parameters"),
        (Quantity(70.553706496e9, Unit.PARAMETERS), "70.6 billion parameters"),
        (Quantity(600, Unit.WATTS), "600 W"),
        (Quantity(6900, Unit.WATTS), "6.9 kW"),
        (Quantity(0.2, Unit.EUR_PER_KWH), "0.20 EUR/kWh"),
        (Quantity(171_417.4, Unit.EUR), "171,417 EUR"),
        (Quantity(1, Unit.NODES), "1 node"),
        (Quantity(2.3712, Unit.REQUESTS), "2.4 requests"),
        (Quantity(16, Unit.AMPERES), "16 A"),
        (Quantity(-3, Unit.CELSIUS), "−3 °C"),
        (Quantity(14.2, Unit.FACTOR), "14.2×"),
        (Quantity(math.inf, Unit.DAYS), "not known"),
    ],
)
def test_quantity_is_written_by_its_unit(quantity: Quantity, words: str) -> None:
    assert spaced(load_texts("en").words(quantity)) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "1 uzel"), (2, "2 uzly"), (5, "5 uzlů"), (1.5, "1,5 uzlu"), (1.0, "1 uzel")],
)
def test_czech_counts_in_four_forms(number: float, words: str) -> None:
    assert spaced(load_texts("cs").count("node", number)) == words
    assert spaced(load_texts("cs").words(Quantity(number, Unit.NODES))) == words


def test_plural_follows_the_number_as_it_is_shown() -> None:
    assert spaced(load_texts("en").words(estimate(0.7, 1.0, 1.4, Unit.DAYS))) == "1.0 days (0.7 to 1.4)"


@given(st.decimals(min_value=0, max_value=10**7, places=2))
def test_english_plural_is_the_one_of_babel(number: Decimal) -> None:
    from babel import Locale

    assert plural_category(number, "en_GB") == Locale.parse("en_GB").plural_form(number)


@pytest.mark.parametrize("locale", ["en_GB", "cs"])
@given(value=st.decimals(min_value=-(10**12), max_value=10**12, places=2))
def test_written_digits_are_the_ones_of_babel(locale: str, value: Decimal) -> None:
    written = numbers_of(locale).write(value)
    assert written.replace(MINUS, "-") == format_decimal(value, "#,##0.00", locale).replace(
        "-0.00", "0.00"
    ).replace("-0,00", "0,00")


@given(value=st.decimals(min_value=-(10**12), max_value=10**12, places=3))
def test_written_number_can_be_read_back_in_every_locale(value: Decimal) -> None:
    for locale in LOCALES.values():
        numbers = numbers_of(locale)
        text = numbers.write(value).replace(numbers.group_sign, "").replace(numbers.decimal_sign, ".")
        assert Decimal(text.replace(MINUS, "-")) == value


@given(unit=st.sampled_from(Unit), value=st.one_of(finite, st.just(0.0)), language=st.sampled_from(LANGUAGES))
def test_quantity_never_loses_its_unit(unit: Unit, value: float, language: str) -> None:
    texts = load_texts(language)
    form = form_of(unit, value)
    text = texts.words(Quantity(value, unit))
    kinds = ("one", "few", "many", "other")
    ids = [f"{form.text_id}.{kind}" for kind in kinds] if form.counted else [form.text_id]
    endings = [texts.sentences[text_id].split("}")[-1] for text_id in ids]
    assert text[0].isdigit()
    assert any(text.endswith(ending) for ending in endings)


@given(unit=st.sampled_from(Unit), value=finite)
def test_only_zero_is_written_as_zero(unit: Unit, value: float) -> None:
    assert any(digit in load_texts("en").words(Quantity(value, unit)) for digit in "123456789")


@given(st.tuples(finite, finite, finite).map(sorted))
def test_estimates_round_towards_caution(ends: list[float]) -> None:
    low, expected, high = (rounding.as_decimal(end) for end in ends)
    shown_low, shown, shown_high = rounding.outwards(low, expected, high)
    assert shown_low <= low
    assert shown_high >= high
    assert shown_low <= shown <= shown_high
    assert abs(shown - expected) <= expected * Decimal("0.05")


@given(st.tuples(finite, finite, finite).map(sorted))
def test_estimates_never_show_more_than_two_significant_digits(ends: list[float]) -> None:
    for shown in rounding.outwards(*(rounding.as_decimal(end) for end in ends)):
        assert len(shown.normalize().as_tuple().digits) <= 2


@given(st.tuples(finite, finite, finite).map(sorted), st.sampled_from(Unit), st.sampled_from(LANGUAGES))
def test_estimate_in_words_holds_its_columns(ends: list[float], unit: Unit, language: str) -> None:
    low, expected, high = ends
    texts, value = load_texts(language), estimate(low, expected, high, unit)
    if low < high:
        columns, words = texts.columns(value), texts.words(value)
        assert all(part in words for part in (columns.low, columns.expected, columns.high, columns.unit))


def test_float_noise_does_not_widen_an_estimate() -> None:
    assert load_texts("en").columns(estimate(0.6 * 3, 2.0, 0.1 * 3 * 10, Unit.SECONDS)).low == "1.8"
    assert load_texts("en").columns(estimate(1.0, 2.0, 0.1 * 3 * 10, Unit.SECONDS)).high == "3.0"


def test_estimate_without_end_is_not_known() -> None:
    endless = estimate(1.0, 2.0, math.inf, Unit.SECONDS)
    assert load_texts("en").words(endless) == "not known"
    with pytest.raises(ValueError, match="without end"):
        load_texts("en").columns(endless)


def test_stated_values_keep_their_three_digits() -> None:
    numbers = load_texts("en").numbers
    assert [numbers.plain(value) for value in (12.5, 0.28, 131_072, 131_072.0, 26.537, 1234.5)] == [
        "12.5",
        "0.28",
        "131,072",
        "131,072",
        "27",
        "1,200",
    ]
