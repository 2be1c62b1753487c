"""The request in the customer's own words: which question, which answer, stated or assumed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kentino_configurator.core.answers import parse_path
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.message import Arg, Listing, Quantity, message
from kentino_configurator.core.request import Circuit, JobKind, Request
from kentino_configurator.core.units import Unit
from kentino_configurator.wizard.questions import Question, QuestionKind, questionnaire

_SERVING: Final = (
    "m_model",
    "m_weights_precision",
    "d_concurrent_requests",
    "d_requests_per_s",
    "d_input_tokens",
    "d_output_tokens",
    "d_max_context",
    "d_long_share",
    "d_ttft_s",
    "d_tokens_per_s_user",
    "d_availability",
)
_BATCH: Final = (
    "m_model",
    "m_weights_precision",
    "d_corpus_input_tokens",
    "d_corpus_output_tokens",
    "d_deadline_hours",
)
_TRAINING: Final = (
    "m_model",
    "t_dataset_tokens",
    "t_epochs",
    "t_sequence_tokens",
    "t_deadline_days",
    "t_recipe",
)
_REST: Final = (
    "d_growth_factor",
    "d_growth_months",
    "s_place",
    "s_office",
    "s_circuits",
    "s_feeds",
    "s_cooling_kw",
    "s_max_inlet_c",
    "s_rack_units",
    "s_rack_depth_mm",
    "s_network_gbps",
    "s_storage",
    "o_operators",
    "o_support_hours",
    "b_budget",
    "b_max_nodes",
    "b_gpus",
    "m_allow_int4",
)
# Questions about a number that 0 or 1 answers with "none".
_EMPTY: Final = (None, "", 0, ())
_FIELDS: Final = {
    "workloads[i].model": "workloads[i].model",
    "limits.gpus": "limits.gpu_ids",
}
_UNITS: Final = {
    "tokens": Unit.TOKENS,
    "requests": Unit.REQUESTS,
    "requests/s": Unit.REQUESTS_PER_S,
    "tokens/s": Unit.TOKENS_PER_S,
    "s": Unit.SECONDS,
    "h": Unit.HOURS,
    "days": Unit.DAYS,
    "months": Unit.MONTHS,
    "nodes": Unit.NODES,
    "GPUs": Unit.GPUS,
    "people": Unit.PERSONS,
    "U": Unit.RACK_UNITS,
    "mm": Unit.MILLIMETRES,
    "°C": Unit.CELSIUS,
    "EUR": Unit.EUR,
    "EUR/kWh": Unit.EUR_PER_KWH,
    "EUR/h": Unit.EUR_PER_H,
    "factor": Unit.FACTOR,
}
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One answered question: label, value, path in the request."""

    label: Arg
    value: Arg
    path: str


def asked_of_job(request: Request, index: int, snapshot: CatalogSnapshot) -> Iterator[Asked]:
    """Questions about one job that have an answer."""
    kind = request.workloads[index].kind
    ids = _TRAINING if kind.is_training else _BATCH if kind is JobKind.BATCH else _SERVING
    for question_id in ids:
        yield from _asked(request, question_id, index, snapshot)


def asked_of_rest(request: Request, snapshot: CatalogSnapshot) -> Iterator[Asked]:
    """Questions about growth, site, people and limits that have an answer."""
    for question_id in _REST:
        yield from _asked(request, question_id, 0, snapshot)


def _asked(request: Request, question_id: str, index: int, snapshot: CatalogSnapshot) -> Iterator[Asked]:
    question = questionnaire().by_id[question_id]
    path = question.path(index)
    value = value_at(request, _FIELDS.get(question.field, path).replace("[i]", f"[{index}]"))
    if any(value is empty or value == empty for empty in _EMPTY) and value is not False:
        return
    yield Asked(label=message(question.text("label")), value=value_arg(question, value, snapshot), path=path)


def value_at(request: Request, path: str) -> Any:
    """The value at a path of the request, ``None`` where the request holds no such field."""
    node: Any = request
    for step in parse_path(path):
        if isinstance(step, str):
            node = getattr(node, step, None)
        elif step < len(node):
            node = node[step]
        else:
            return None
    return node


def question_at(path: str) -> Question | None:
    """The question whose answer lies at a path such as ``workloads[1].ttft_s``."""
    field = _INDEX.sub("[i]", path)
    return next((q for q in questionnaire().questions if q.field == field), None)


def value_arg(question: Question, value: Any, snapshot: CatalogSnapshot) -> Arg:
    """A stored value in the words of its question."""
    if value is None or value in ("", ()):
        return message("doc.no_requirement")
    if isinstance(value, bool):
        return message("o.yes" if value else "o.no")
    if question.kind is QuestionKind.MODEL:
        return _model_name(value, snapshot)
    if question.kind is QuestionKind.LIST:
        return Listing(tuple(_circuit(item) for item in value))
    if isinstance(value, (list, tuple)):
        return Listing(tuple(_gpu_name(item, snapshot) for item in value))
    option = next((o.text for o in question.options if o.value == value and o.text), None)
    if option is not None:
        return message(option)
    return _number(question, value) if isinstance(value, (int, float)) else str(value)


def _model_name(value: Any, snapshot: CatalogSnapshot) -> str:
    if isinstance(value, str):
        return snapshot.models[value].name if value in snapshot.models else value
    return str(getattr(value, "name", value))


def _gpu_name(gpu_id: Any, snapshot: CatalogSnapshot) -> str:
    gpu = snapshot.gpus.get(str(gpu_id))
    return str(gpu_id) if gpu is None else gpu.name


def _circuit(value: Any) -> Arg:
    fields = value if isinstance(value, dict) else _circuit_fields(value)
    phases = 3 if fields["phases"] == 3 else 1
    text_id = f"u.unit.circuit_{phases}"
    return message(text_id, count=fields["count"], volts=fields["volts"], amps=fields["amps"])


def _circuit_fields(circuit: Circuit) -> dict[str, int]:
    return {
        "volts": circuit.volts,
        "amps": circuit.amps,
        "phases": circuit.phases,
        "count": circuit.count,
    }


def _number(question: Question, value: float) -> Arg:
    if question.unit == "%":
        return Quantity(value if question.scale != 1 else value / 100, Unit.SHARE)
    if question.unit == "kW":
        return Quantity(value * 1000, Unit.WATTS)
    if question.unit == "Gb/s":
        return message("u.unit.gbit_per_s", value=value)
    if question.unit == "bytes":
        return message("doc.bytes_per_parameter", value=value)
    unit = _UNITS.get(question.unit)
    return value if unit is None else Quantity(value, unit)
