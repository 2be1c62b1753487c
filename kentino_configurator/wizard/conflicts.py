"""Answers that are usable alone but contradict each other, or that want a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kentino_configurator.core.answers import ABSENT
from kentino_configurator.core.decision import Severity
from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.request import JobKind
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard import countries
from kentino_configurator.wizard.defaults import (
    context_limit,
    load_of,
    model_of,
    question,
    response_s,
    value_of,
)
from kentino_configurator.wizard.known import Known, kind_of
from kentino_configurator.wizard.problems import Problem, cannot_be_used, rule
from kentino_configurator.wizard.questions import questionnaire
from kentino_configurator.wizard.relevance import is_relevant

_FOUR_BIT: Final = frozenset({"int4", "int4_awq", "int4_gptq", "nvfp4", "mxfp4"})
_NOT_IN_FOUR_BIT: Final = frozenset({JobKind.LORA, JobKind.FULL_FINETUNE, JobKind.PRETRAIN})
_MANY_REQUESTS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A contradiction, and the answers that fall back to their defaults while it lasts (lenient reading)."""

    problem: Problem
    drop: tuple[str, ...] = ()


def conflicts_of(known: Known) -> tuple[Conflict, ...]:
    """All conflicts, those of the workloads first."""
    found: list[Conflict] = []
    for index in range(known.workload_count):
        for check in _OF_A_WORKLOAD:
            found += check(known, index)
    for of_all in _OF_THE_REST:
        found += of_all(known)
    return tuple(found)


def _context(known: Known, index: int) -> Iterator[Conflict]:
    """Question and answer must fit the longest context, and that must fit the model."""
    if not is_relevant("serving", known, index):
        return
    asked, answered, longest = (_tokens(known, name, index) for name in _LENGTHS)
    paths = tuple(question(name).path(index) for name in _LENGTHS)
    limit = context_limit(known, index)
    if asked + answered > longest:
        yield Conflict(problem=_too_short(paths[2], asked, answered, longest), drop=paths[2:])
    if max(asked + answered, longest) > limit:
        over, drop = (paths[0], paths) if asked + answered > limit else (paths[2], paths[2:])
        yield Conflict(problem=_over_limit(known, index, over, max(asked + answered, longest)), drop=drop)


_LENGTHS: Final = ("d_input_tokens", "d_output_tokens", "d_max_context")


def _too_short(path: str, asked: int, answered: int, longest: int) -> Problem:
    words = message(
        "wz.context_too_short",
        input=_of_tokens(asked),
        output=_of_tokens(answered),
        context=_of_tokens(longest),
        needed=_of_tokens(asked + answered),
    )
    return Problem(path=path, message=words)


def _over_limit(known: Known, index: int, path: str, tokens: int) -> Problem:
    words = message(
        "wz.context_over_limit",
        model=model_of(known, index).name,
        limit=_of_tokens(context_limit(known, index)),
        context=_of_tokens(tokens),
    )
    return Problem(path=path, message=words)


def _sequence(known: Known, index: int) -> Iterator[Conflict]:
    """An existing model cannot be trained on examples longer than it can read."""
    if not is_relevant("training", known, index) or kind_of(known, index) is JobKind.PRETRAIN:
        return
    tokens = _tokens(known, "t_sequence_tokens", index)
    if tokens > context_limit(known, index):
        path = question("t_sequence_tokens").path(index)
        yield Conflict(problem=_over_limit(known, index, path, tokens), drop=(path,))


def _four_bit_training(known: Known, index: int) -> Iterator[Conflict]:
    precision = value_of(known, "m_weights_precision", index)
    if precision in _FOUR_BIT and kind_of(known, index) in _NOT_IN_FOUR_BIT:
        yield _remark(question("m_weights_precision").path(index), message("wz.qlora_instead"))


def _people_and_requests(known: Known, index: int) -> Iterator[Conflict]:
    """More requests at once than people who could ask."""
    if not is_relevant("people_stated", known, index):
        return
    path = question("d_concurrent_requests").path(index)
    stated = known.answers.get(path)
    load = load_of(known, index)
    if stated not in (ABSENT, None) and load is not None and 0 < load.active < stated:
        words = message(
            "wz.more_requests_than_people",
            requests=Quantity(stated, Unit.REQUESTS),
            people=load.active,
        )
        yield Conflict(problem=Problem(path=path, message=words), drop=(path,))


def _rate(known: Known, index: int) -> Iterator[Conflict]:
    """A very high rate, or one that does not go with the stated concurrency."""
    path = question("d_requests_per_s").path(index)
    rate = known.answers.get(path)
    if rate in (ABSENT, None) or not is_relevant("interactive", known, index):
        return
    figures = questionnaire().figures
    if rate > figures["rate_check_above_per_s"]:
        words = message("wz.rate_high", rate=Quantity(rate, Unit.REQUESTS_PER_S))
        yield _remark(path, words, Severity.NOTE)
    stated = known.answers.get(question("d_concurrent_requests").path(index))
    from_rate = rate * response_s(known, index)
    factor = figures["rate_factor"]
    if stated not in (ABSENT, None) and not stated / factor <= max(from_rate, 1.0) <= stated * factor:
        words = message(
            "wz.rate_and_concurrency",
            from_rate=Quantity(round(from_rate, 1), Unit.REQUESTS),
            stated=Quantity(stated, Unit.REQUESTS),
        )
        yield _remark(path, words)


def _peak_context(known: Known, index: int) -> Iterator[Conflict]:
    """Everybody at the model's limit at once."""
    if not is_relevant("interactive", known, index):
        return
    requests = value_of(known, "d_concurrent_requests", index) or 0
    longest = _tokens(known, "d_max_context", index)
    shared = known.stated(question("d_long_share"), index) is ABSENT
    if shared and requests > _MANY_REQUESTS and longest >= context_limit(known, index):
        words = message("wz.peak_context", requests=Quantity(requests, Unit.REQUESTS))
        yield _remark(question("d_max_context").path(index), words, Severity.NOTE)


def _same_names(known: Known, index: int) -> Iterator[Conflict]:
    path = question("j_workload_name").path(index)
    name = known.answers.get(path)
    earlier = {known.answers.get(question("j_workload_name").path(other)) for other in range(index)}
    if name is not ABSENT and name in earlier:
        yield Conflict(problem=cannot_be_used(path, name, rule("unique")), drop=(path,))


def _office_with_rack(known: Known) -> Iterator[Conflict]:
    rack = value_of(known, "s_rack_units")
    if rack and value_of(known, "s_office"):
        yield _remark("site.rack_units", message("wz.office_with_rack", rack=Quantity(rack, Unit.RACK_UNITS)))


def _vat(known: Known) -> Iterator[Conflict]:
    """The VAT number must be there for an intra-Community supply and look like one of its country."""
    vat_id = value_of(known, "b_vat_id")
    country = value_of(known, "j_customer_country")
    if not vat_id and value_of(known, "b_vat_mode") == "intra_eu":
        yield _remark("customer.vat_id", message("wz.vat_id_missing"))
    if vat_id and not countries.has_vat_form(vat_id, country):
        pattern = countries.VAT_FORMS[country].example
        words = message("q.b_vat_id.error", value=vat_id, country=country, pattern=pattern)
        yield _remark("customer.vat_id", words)


def _installation_abroad(known: Known) -> Iterator[Conflict]:
    if value_of(known, "b_installation") and value_of(known, "j_customer_country") != countries.HOME:
        yield _remark("commercial.installation", message("wz.installation_abroad"))


def _export(known: Known) -> Iterator[Conflict]:
    outside = [
        asked
        for asked in ("b_end_user_country", "b_parent_country")
        if value_of(known, asked) not in countries.EU
    ]
    if outside:
        yield _remark(question(outside[0]).path(), message("wz.export_check"))


def _tokens(known: Known, question_id: str, index: int) -> int:
    return int(value_of(known, question_id, index))


def _of_tokens(tokens: int) -> Quantity:
    return Quantity(tokens, Unit.TOKENS)


def _remark(path: str, words: Message, severity: Severity = Severity.WARN) -> Conflict:
    return Conflict(problem=Problem(path=path, message=words, severity=severity))


_OF_A_WORKLOAD: Final[tuple[Callable[[Known, int], Iterator[Conflict]], ...]] = (
    _same_names,
    _context,
    _sequence,
    _four_bit_training,
    _people_and_requests,
    _rate,
    _peak_context,
)
_OF_THE_REST: Final[tuple[Callable[[Known], Iterator[Conflict]], ...]] = (
    _office_with_rack,
    _vat,
    _installation_abroad,
    _export,
)
