"""The memory of one GPU in words: parts with their computation, room for more, judgement of the weights."""

from __future__ import annotations

from collections.abc import Iterator

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Configuration, Decision, WorkloadResult
from kentino_configurator.core.message import Arg, Quantity, message
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.request import Workload
from kentino_configurator.core.units import GB, Unit
from kentino_configurator.texts import Texts
from kentino_configurator.texts.rounding import as_decimal, to_decimals
from kentino_configurator.ui.views.models.table import Cell, Column, Mark, MarkKind, Row, RowKind
from kentino_configurator.ui.widgets.memory_bar import Filling

_FILLINGS = {
    "weights": Filling.STRONG,
    "gradients": Filling.MIDDLE,
    "optimizer": Filling.MIDDLE,
    "kv_cache": Filling.MIDDLE,
    "activations": Filling.GREY,
    "runtime": Filling.CLOSE_HATCH,
    "free": Filling.OPEN,
    "kept_back": Filling.WIDE_HATCH,
}


def columns(texts: Texts) -> tuple[Column, ...]:
    """Part, GB, share, computation. The share folds where it is narrow."""
    return (
        Column(title=texts.say("view.memory.part"), least_px=170),
        Column(title="GB", right=True, least_px=80),
        Column(title=texts.say("view.memory.share"), right=True, least_px=80, fold=1),
        Column(title=texts.say("view.memory.how"), stretch=1, least_px=260),
    )


def rows(answer: Answer, workload: Workload, result: WorkloadResult, texts: Texts) -> tuple[Row, ...]:
    """Every part of the bar and the sum, which is what the driver reports."""
    configuration = answer.decision.configuration
    assert configuration is not None
    parts = _parts(answer.decision, configuration, workload, result)
    return (
        *(_row(result.memory, name, value, how, texts) for name, value, how in parts),
        _sum(result.memory, texts),
    )


def _parts(
    decision: Decision, configuration: Configuration, workload: Workload, result: WorkloadResult
) -> Iterator[tuple[str, float, Arg]]:
    memory, gpus = result.memory, configuration.parallelism.gpus_per_copy
    whole = Quantity(memory.weights * gpus, Unit.BYTES)
    yield (
        "weights",
        memory.weights,
        message("view.memory.how.weights", weights=whole, gpus=Quantity(gpus, Unit.GPUS)),
    )
    if workload.kind.is_training:
        recipe = message("view.memory.how.recipe", bytes=workload.bytes_per_parameter)
        adapter = message("view.memory.how.adapter", rank=workload.lora_rank)
        how = adapter if workload.kind.value in ("lora", "qlora") else recipe
        yield "gradients", memory.gradients, how
        yield "optimizer", memory.optimizer, how
    else:
        yield "kv_cache", memory.kv_cache, _kv(decision, result)
    yield "activations", memory.activations, message("view.memory.how.activations")
    yield "runtime", memory.runtime, message("view.memory.how.runtime")
    yield "free", memory.free, _free(workload, result)
    used = Quantity(1 - memory.kept_back / memory.usable, Unit.SHARE)
    yield "kept_back", memory.kept_back, message("view.memory.how.kept_back", share=used)


def _kv(decision: Decision, result: WorkloadResult) -> Arg:
    """The engine's own formula where there is one job; with several jobs it does not say which is whose."""
    formulas = [formula for formula in decision.formulas if formula.id == "kv_cache"]
    if len(formulas) == 1:
        return message("view.memory.how.kv", expression=formulas[0].expression, value=formulas[0].value)
    return message("view.memory.how.kv_short", requests=Quantity(result.concurrency_per_copy, Unit.REQUESTS))


def _free(workload: Workload, result: WorkloadResult) -> Arg:
    more = int(result.memory.max_concurrency_at_context) - result.concurrency_per_copy
    if workload.kind.is_training or more <= 0:
        return message("view.memory.how.free")
    return message("view.memory.how.free_requests", requests=Quantity(more, Unit.REQUESTS))


def _row(memory: MemoryPerGpu, name: str, value: float, how: Arg, texts: Texts) -> Row:
    missing = value < 0
    return Row(
        key=name,
        cells=(
            Cell(
                words=texts.say(f"view.memory.part.{'missing' if missing else name}"),
                type_role="label",
                mark=Mark(MarkKind.FILLING, _FILLINGS[name].value),
                ink="block" if missing else "ink",
            ),
            Cell(words=gigabytes(abs(value), texts), type_role="strong"),
            Cell(words=texts.words(Quantity(abs(value) / memory.usable, Unit.SHARE)), ink="ink2"),
            Cell(words=texts.words(how), ink="ink2"),
        ),
    )


def _sum(memory: MemoryPerGpu, texts: Texts) -> Row:
    cells = (
        Cell(words=texts.say("view.memory.sum")),
        Cell(words=gigabytes(memory.usable, texts)),
        Cell(words=texts.words(Quantity(1, Unit.SHARE))),
        Cell(words=texts.say("view.memory.how.sum")),
    )
    return Row(cells=cells, kind=RowKind.TOTAL, key="sum")


def gigabytes(value_bytes: float, texts: Texts) -> str:
    """Decimal gigabytes with one digit, without the unit."""
    return texts.numbers.write(to_decimals(as_decimal(value_bytes / GB), 1))


def remark(memory: MemoryPerGpu, texts: Texts) -> str:
    """Both readings of what the driver reports."""
    return texts.fill("view.memory.remark", usable=texts.memory(memory.usable))


def judgement(memory: MemoryPerGpu, comfortable: float, ceiling: float, texts: Texts) -> tuple[str, str]:
    """How the weights stand to the two limits, with the colour role."""
    share = memory.weights_share
    name, role = ("comfortable", "ok") if share <= comfortable else ("tight", "warn")
    if share > ceiling:
        name, role = "refused", "block"
    limits = {"comfortable": Quantity(comfortable, Unit.SHARE), "ceiling": Quantity(ceiling, Unit.SHARE)}
    return texts.say(f"view.memory.judged.{name}", share=Quantity(share, Unit.SHARE), **limits), role


def who_holds_it(configuration: Configuration, texts: Texts) -> str:
    """For how many GPUs the bar speaks."""
    gpus = configuration.parallelism.gpus_per_copy
    if gpus == 1:
        return texts.say("view.memory.of_one")
    kind = "of_stages" if configuration.parallelism.pp > 1 else "of_all"
    return texts.say(f"view.memory.{kind}", gpus=Quantity(gpus, Unit.GPUS))


def capacity(workload: Workload, result: WorkloadResult, texts: Texts) -> str:
    """Room for conversation in one copy, beside what is asked of it; empty for training."""
    memory = result.memory
    if workload.kind.is_training or not memory.kv_capacity_tokens:
        return ""
    context = workload.max_context_tokens or workload.input_tokens + workload.output_tokens
    return texts.say(
        "view.memory.capacity",
        tokens=Quantity(rounded_down(memory.kv_capacity_tokens), Unit.TOKENS),
        requests=Quantity(int(memory.max_concurrency_at_context), Unit.REQUESTS),
        context=Quantity(context, Unit.TOKENS),
        asked=Quantity(result.concurrency_per_copy, Unit.REQUESTS),
    )


def longest_context(result: WorkloadResult, texts: Texts) -> str:
    """How long each conversation may grow at the load that is asked; empty where the engine did not ask."""
    tokens = result.memory.longest_context_tokens
    if tokens is None:
        return ""
    return texts.say("view.memory.longest", tokens=Quantity(rounded_down(tokens), Unit.TOKENS))


def rounded_down(value: float) -> float:
    """Three digits, downwards: a capacity is not known to the token."""
    digits = max(0, len(str(int(value))) - 3)
    return float(int(value) // 10**digits * 10**digits)
