from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.texts import load_texts
from kentino_configurator.wizard.parsing import Parsed, ParseProblem, as_typed, parse
from kentino_configurator.wizard.questions import Question, QuestionKind, questionnaire

BY_ID = questionnaire().by_id
TYPED = [
    q
    for q in questionnaire().questions
    if q.kind in (QuestionKind.NUMBER, QuestionKind.TEXT, QuestionKind.DATE)
]
NUMBERS = [question for question in TYPED if question.kind is QuestionKind.NUMBER]
ENGLISH = load_texts("en")


def parsed(question_id: str, text: str, **options: Any) -> Parsed:
    found = parse(BY_ID[question_id], text, **options)
    assert isinstance(found, Parsed), found
    return found


def words(found: Parsed) -> str:
    assert found.understood is not None
    return ENGLISH.say(found.understood).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("question_id", "text", "value"),
    [
        ("d_max_context", "8192", 8192),
        ("d_max_context", "8 192", 8192),
        ("d_max_context", "8\u202f192", 8192),
        ("d_max_context", "131\u00a0072", 131072),
        ("d_max_context", "8.192", 8192),
        ("d_max_context", "8,192", 8192),
        ("d_max_context", "1.048.576", 1048576),
        ("d_max_context", "1e4", 10000),
        ("d_max_context", "8k", 8192),
        ("d_max_context", "128K", 131072),
        ("d_max_context", "10k", 10000),
        ("d_max_context", "8k tokens", 8192),
        ("d_max_context", "1M", 1_000_000),
        ("t_dataset_tokens", "70b", 70_000_000_000),
        ("t_dataset_tokens", "20M", 20_000_000),
        ("t_dataset_tokens", "20 milhões", 20_000_000),
        ("t_dataset_tokens", "20 milionů", 20_000_000),
        ("t_dataset_tokens", "1.5 t", 1_500_000_000_000),
        ("t_dataset_tokens", "1,5 biliões", 1_500_000_000_000),
        ("t_dataset_tokens", "1.5 billion", 1_500_000_000),
        ("t_dataset_tokens", "300 tis.", 300_000),
        ("s_cooling_kw", "2,5 kW", 2.5),
        ("s_cooling_kw", "2.5", 2.5),
        ("s_cooling_kw", "2500 W", 2.5),
        ("d_active_share", "20 %", 0.2),
        ("d_active_share", "20", 0.2),
        ("d_active_share", "12,5 por cento", 0.125),
        ("d_requests_per_s", "1000/h", 0.277777777778),
        ("d_requests_per_s", "1000 requests per hour", 0.277777777778),
        ("d_requests_per_s", "60 pedidos/min", 1),
        ("d_requests_per_s", "3600 za hodinu", 1),
        ("b_budget", "60 000 EUR", 60000),
        ("b_budget", "60k€", 60000),
        ("b_budget", "60.000,50", 60000.5),
        ("b_budget", "60,000.50", 60000.5),
        ("o_electricity_price", "19 ct", 0.19),
        ("t_deadline_days", "2 weeks", 14),
        ("t_deadline_days", "36 h", 1.5),
        ("d_deadline_hours", "4 days", 96),
        ("d_growth_months", "2 roky", 24),
        ("s_rack_depth_mm", "1 m", 1000),
        ("s_rack_depth_mm", "90 cm", 900),
        ("d_growth_factor", "×1,5", None),
        ("d_growth_factor", "1.5x", 1.5),
        ("d_think_time", "2 min", 120),
        ("s_max_inlet_c", "27 °C", 27),
    ],
)
def test_what_people_type_is_understood(question_id: str, text: str, value: float | None) -> None:
    found = parse(BY_ID[question_id], text)
    if value is None:
        assert isinstance(found, ParseProblem)
        return
    assert isinstance(found, Parsed), found
    assert found.value == value
    assert type(found.value) is type(value) or found.value == value


@pytest.mark.parametrize("text", ["6 pages", "6 páginas", "6 stran"])
def test_pages_become_tokens_of_the_customers_language(text: str) -> None:
    assert parsed("d_input_tokens", text, tokens_per_word=1.2).value == 2880
    found = parsed("d_input_tokens", text, tokens_per_word=2.35)
    assert found.value == 5640
    assert words(found) == "6 pages × 400 words × 2.35 tokens = 5,640 tokens"


def test_words_become_tokens() -> None:
    assert parsed("d_input_tokens", "1000 words", tokens_per_word=1.6).value == 1600


def test_eight_k_says_what_was_understood_and_offers_the_other_reading() -> None:
    found = parsed("d_max_context", "8k")
    assert found.alternative is not None
    assert words(found) == '"8k" was read as 8,192 tokens.'
    assert (found.value, found.alternative.value) == (8192, 8000)


def test_ten_k_is_ten_thousand_and_offers_the_power_of_two() -> None:
    found = parsed("d_max_context", "10k")
    assert found.alternative is not None
    assert (found.value, found.alternative.value) == (10000, 10240)


@pytest.mark.parametrize(("sign", "value", "other"), [(",", 2.5, 2500), (".", 2500, 2.5)])
def test_one_sign_before_three_digits_follows_the_window_and_offers_the_other_reading(
    sign: str, value: float, other: float
) -> None:
    found = parsed("d_deadline_hours", "2,500", decimal_sign=sign)
    assert found.alternative is not None
    assert (found.value, found.alternative.value) == (value, other)


def test_a_reading_out_of_range_is_not_offered() -> None:
    assert parsed("t_deadline_days", "1,500").value == 1.5


def test_a_plain_number_needs_no_remark() -> None:
    found = parsed("d_max_context", "8192")
    assert found.understood is None
    assert found.alternative is None


@pytest.mark.parametrize("text", ["", "   ", "\u00a0"])
def test_an_emptied_field_is_no_requirement_where_that_exists_and_the_default_elsewhere(text: str) -> None:
    assert parsed("d_ttft_s", text).value is None
    assert parsed("d_input_tokens", text).value is ABSENT


@pytest.mark.parametrize(
    ("question_id", "text", "words"),
    [
        ("d_max_context", "many", '"many" is not a number'),
        ("d_named_users", "3.5", "whole number of people"),
        ("d_active_share", "200", "percentage from 1 to 100"),
        ("s_cooling_kw", "-3", "0.5 to 500 kW"),
        ("s_cooling_kw", "3 foo", '"3 foo" is not a number'),
        ("d_max_context", "1 2 3", "not a number"),
        ("d_max_context", "1e999", "not a number"),
        ("b_needed_by", "31.2.2027", "year-month-day"),
        ("b_needed_by", "soon", "year-month-day"),
        ("j_workload_name", "x" * 61, "60 characters"),
    ],
)
def test_what_cannot_be_used_comes_back_with_what_would_be_right(
    question_id: str, text: str, words: str
) -> None:
    found = parse(BY_ID[question_id], text)
    assert isinstance(found, ParseProblem)
    assert found.text == text
    assert words in ENGLISH.say(found.message)


def test_a_date_is_understood_day_first_and_must_lie_ahead() -> None:
    today = datetime.date(2026, 12, 1)
    assert parsed("b_needed_by", "31.3.2027", today=today).value == "2027-03-31"
    assert parsed("b_needed_by", "31/3/2027", today=today).value == "2027-03-31"
    assert isinstance(parse(BY_ID["b_needed_by"], "2026-12-01", today=today), ParseProblem)


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("300 000 pages", 300_000, "pages"),
        ("1,5 mil páginas", 1500, "pages"),
        ("2 TB", 2000, "gigabytes"),
        ("20M tokens", 20_000_000, "tokens"),
        ("1000", 1000, "pages"),
    ],
)
def test_an_amount_takes_its_unit_from_the_text_or_from_beside_it(
    text: str, amount: float, unit: str
) -> None:
    assert parsed("d_corpus_amount", text).value == {"amount": amount, "unit": unit}


def test_a_bare_amount_takes_the_unit_that_was_chosen() -> None:
    assert parsed("d_corpus_amount", "5", amount_unit="words").value == {"amount": 5, "unit": "words"}


@given(st.sampled_from(TYPED), st.text(max_size=40))
def test_any_text_is_either_used_or_kept_with_a_reason(question: Question, text: str) -> None:
    found = parse(question, text)
    assert found.text == text
    if isinstance(found, ParseProblem):
        assert len(ENGLISH.say(found.message)) > 10


@given(
    st.sampled_from(NUMBERS),
    st.from_regex(r"[-+]?[0-9][0-9.,' ]{0,12}(e[0-9]{1,4})?[ ]?[a-zA-Z%€/]{0,6}", fullmatch=True),
)
def test_anything_that_looks_like_a_number_stays_in_range_or_is_refused(
    question: Question, text: str
) -> None:
    found = parse(question, text)
    if isinstance(found, Parsed) and isinstance(found.value, int | float):
        shown = found.value / question.scale
        assert question.minimum is None or shown >= question.minimum - 1e-9
        assert question.maximum is None or shown <= question.maximum + 1e-9
        assert not question.whole or isinstance(found.value, int)


@given(st.sampled_from(NUMBERS), st.floats(0, 1), st.sampled_from([".", ","]))
def test_a_stored_number_typed_again_stays_the_same(question: Question, place: float, sign: str) -> None:
    low, high = question.minimum or 0.0, question.maximum or 1e6
    shown = round(low + place * (high - low), 0 if question.whole else 4)
    shown = min(max(shown, low), high)
    value = int(shown) if question.whole else round(shown * question.scale, 12)
    found = parse(question, as_typed(question, value, sign), decimal_sign=sign)
    assert isinstance(found, Parsed), (value, found)
    assert found.value == pytest.approx(value, rel=1e-9, abs=1e-9)
