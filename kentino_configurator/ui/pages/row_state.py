"""What one row of a page shows: the value, where it comes from, and what is wrong with it. No widget in here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from kentino_configurator.core.answers import ABSENT, Answers
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Quantity
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import Texts
from kentino_configurator.ui.widgets.origin_mark import COMPUTED, CUSTOMER, DEFAULT
from kentino_configurator.wizard.answering import answer_of
from kentino_configurator.wizard.defaults import Default, default_of, load_of, people_stated, value_of
from kentino_configurator.wizard.known import Known
from kentino_configurator.wizard.parsing import ParseProblem, parse
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.questions import Question, QuestionKind

TYPED: Final = frozenset({QuestionKind.NUMBER, QuestionKind.TEXT, QuestionKind.DATE, QuestionKind.AMOUNT})
CONCURRENCY: Final = "d_concurrent_requests"
MODELS_AT_ONCE: Final = "m_models_at_once"
# Defaults that follow from other answers by arithmetic, not by assumption.
_COMPUTED_ORIGINS: Final = frozenset(
    f"origin.{name}"
    for name in (
        "concurrency_people",
        "concurrency_rate",
        "context_fits",
        "context_limit",
        "corpus_input",
        "document_output",
        "office_of_place",
        "language_of_country",
        "language_of_customer",
        "same_country",
        "job_name",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """``shown`` is finished text for a typed field and the value for a choice. ``problem`` is empty when usable.

    ``remark`` says what the value leads to.
    """

    shown: Any
    origin: str
    origin_words: str
    can_reset: bool
    problem: str = ""
    remark: str = ""


def row_state(
    question: Question,
    workload: int,
    answers: Answers,
    known: Known,
    problems: Mapping[str, Problem],
    texts: Texts,
) -> RowState:
    """The state of a question for one workload. ``answers`` may hold what is not usable, ``known`` does not."""
    stated = _stated(question, workload, answers, known)
    remark = load_words(known, workload, texts) if question.id == CONCURRENCY else ""
    if stated is not ABSENT:
        return RowState(
            shown=shown_value(question, stated, texts),
            origin=CUSTOMER,
            origin_words=texts.say("w.field.stated" if stated is not None else "w.field.no_requirement"),
            can_reset=True,
            problem=_problem_words(question, stated, problems.get(question.path(workload)), texts),
            remark=remark,
        )
    if question.id == MODELS_AT_ONCE:
        default = Default(answer_of(known, question, workload), question.origin)
    else:
        default = default_of(known, question, workload)
    return RowState(
        shown=shown_value(question, default.value, texts),
        origin=COMPUTED if default.origin in _COMPUTED_ORIGINS else DEFAULT,
        origin_words=texts.say(default.origin),
        can_reset=False,
        remark=remark,
    )


def load_words(known: Known, workload: int, texts: Texts) -> str:
    """How people became requests, with every number of the way; empty when nothing was said about people."""
    load = load_of(known, workload) if people_stated(known, workload) else None
    if load is None or not load.active:
        return ""
    return texts.say(
        "d.conversion",
        named=value_of(known, "d_named_users", workload),
        share=Quantity(value_of(known, "d_active_share", workload), Unit.SHARE),
        active=Quantity(load.active, Unit.PERSONS),
        response=Quantity(load.response_s, Unit.SECONDS),
        think=Quantity(value_of(known, "d_think_time", workload), Unit.SECONDS),
        mean=load.mean_concurrency,
        peak=load.planned_concurrency,
    )


def _stated(question: Question, workload: int, answers: Answers, known: Known) -> Any:
    """The answer as the field shows it, usable or not."""
    if question.id == MODELS_AT_ONCE:
        return ABSENT
    usable = answer_of(known, question, workload)
    if usable is not ABSENT or not question.field:
        return usable
    return answers.get(question.path(workload))


def _problem_words(question: Question, stated: Any, problem: Problem | None, texts: Texts) -> str:
    """What is wrong with a stated value; text that was typed is explained in the form it was typed in."""
    if isinstance(stated, str) and question.kind in TYPED - {QuestionKind.TEXT}:
        parsed = parse(question, stated, decimal_sign=texts.numbers.decimal_sign)
        if isinstance(parsed, ParseProblem):
            return texts.say(parsed.message)
    if problem is not None and problem.severity is Severity.BLOCK:
        return texts.say(problem.message)
    return ""


def by_path(problems: Sequence[Problem]) -> dict[str, Problem]:
    """The first problem at each path."""
    found: dict[str, Problem] = {}
    for problem in problems:
        found.setdefault(problem.path, problem)
    return found


def shown_value(question: Question, value: Any, texts: Texts) -> Any:
    """A stored value as its field shows it; text that could not be used is shown as it was typed."""
    if question.kind is QuestionKind.NUMBER:
        return number_text(question, value, texts)
    if question.kind is QuestionKind.AMOUNT and isinstance(value, Mapping):
        amount = value.get("amount")
        return {"amount": number_text(question, amount, texts), "unit": value.get("unit")}
    if question.kind in TYPED:
        return "" if value is None else str(value)
    if question.kind is QuestionKind.MODEL and isinstance(value, Mapping):
        return str(value.get("config") or texts.say("w.field.own_architecture"))
    return value


def number_text(question: Question, value: Any, texts: Texts) -> str:
    """Every digit of a stored number in the unit shown, with the signs of the language."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    shown = value if question.scale == 1 else round(value / question.scale, 9)
    return texts.numbers.write(exact_decimal(shown))


def exact_decimal(value: float) -> Decimal:
    """The digits that Python prints, without an exponent and without a trailing ``.0``."""
    number = Decimal(repr(float(value)))
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number
