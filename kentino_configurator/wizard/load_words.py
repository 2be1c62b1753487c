"""How a load was derived, as a sentence with its four numbers."""

from __future__ import annotations

from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard.defaults import load_of, value_of
from kentino_configurator.wizard.known import Known
from kentino_configurator.wizard.relevance import is_relevant


def load_sentences(known: Known, workload: int = 0) -> tuple[Message, ...]:
    """The conversion of people, or of a rate into tokens/s; empty for a load that was stated as a concurrency.

    The note that shares and think times are assumptions is added until both were answered.
    """
    if is_relevant("load_is_people", known, workload):
        return _of_people(known, workload)
    if is_relevant("load_is_rate", known, workload):
        return _of_rate(known, workload)
    return ()


def _of_people(known: Known, workload: int) -> tuple[Message, ...]:
    load = load_of(known, workload)
    assert load is not None
    sentence = message(
        "d.conversion",
        named=value_of(known, "d_named_users", workload),
        share=Quantity(value_of(known, "d_active_share", workload), Unit.SHARE),
        active=load.active,
        response=Quantity(load.response_s, Unit.SECONDS),
        think=Quantity(value_of(known, "d_think_time", workload), Unit.SECONDS),
        mean=load.mean_concurrency,
        peak=load.planned_concurrency,
    )
    stated = known.answers.get(f"workloads[{workload}].load_basis") or {}
    if {"active_share", "think_time_s"} <= set(stated):
        return (sentence,)
    return (sentence, message("d.conversion_note"))


def _of_rate(known: Known, workload: int) -> tuple[Message, ...]:
    rate = value_of(known, "d_requests_per_s", workload)
    if rate is None:
        return ()
    output = value_of(known, "d_output_tokens", workload)
    return (
        message(
            "d.tokens_total",
            rate=Quantity(rate, Unit.REQUESTS_PER_S),
            output=Quantity(output, Unit.TOKENS),
            total=Quantity(rate * output, Unit.TOKENS_PER_S),
        ),
    )
