"""Reading one given layout for ``predict``: hardware, parallel degrees, formats, and what runs on it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kentino_configurator.catalog.names import nearest_gpus, resolve_gpus
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec, PlatformSpec
from kentino_configurator.core.layout import (
    Fabric,
    Layout,
    Machines,
    Parallelism,
    Recompute,
    ServingLoad,
    Sharding,
    Stack,
    TrainingJob,
)
from kentino_configurator.core.llm import KvPrecision, ModelSpec, Precision
from kentino_configurator.core.message import message
from kentino_configurator.core.request import Assumption, JobKind
from kentino_configurator.texts import load_texts
from kentino_configurator.wizard.names import find_model
from kentino_configurator.wizard.problems import Problem, cannot_be_used, rule
from kentino_configurator.wizard.readers import Read, one_of, real, whole
from kentino_configurator.wizard.validation import unknown_entry

REQUIRED: Final = ("model", "gpu", "gpus_per_node")
MOST_GPUS_PER_NODE: Final = 16
MOST_NODES: Final = 4096
_MOST_DEGREE: Final = MOST_GPUS_PER_NODE * MOST_NODES
_MOST_TOKENS: Final = 1e14

_ENTRIES: Final[Mapping[str, Read]] = {
    "gpus_per_node": whole(1, MOST_GPUS_PER_NODE),
    "nodes": whole(1, MOST_NODES),
    "tp": whole(1, _MOST_DEGREE),
    "pp": whole(1, _MOST_DEGREE),
    "dp": whole(1, _MOST_DEGREE),
    "ep": whole(1, _MOST_DEGREE),
    "weights_precision": one_of(tuple(Precision)),
    "kv_precision": one_of(tuple(KvPrecision)),
    "input_tokens": whole(1, 10_485_760),
    "output_tokens": whole(0, 10_485_760),
    "concurrency": whole(1, 1_000_000),
    "prefix_reuse": real(0, 0.99),
    "gpu_memory_utilization": real(0.05, 1),
    "stack": one_of(tuple(Stack)),
    "fabric": one_of(tuple(Fabric)),
    "kind": one_of(tuple(JobKind)),
    "dataset_tokens": real(1, _MOST_TOKENS),
    "epochs": real(0.01, 1000),
    "sequence_tokens": whole(1, 10_485_760),
    "global_batch_tokens": real(1, _MOST_TOKENS),
    "micro_batch_tokens": real(1, _MOST_TOKENS),
    "bytes_per_parameter": real(2, 24),
    "lora_rank": whole(1, 4096),
    "sharding": one_of(tuple(Sharding)),
    "recompute": one_of(tuple(Recompute)),
}
_LOOKED_UP: Final = ("model", "gpu", "platform")
_DATASET_TOKENS: Final = {"full_finetune": 100e6, "pretrain": 1.5e12}
_EPOCHS: Final = {"lora": 3.0, "qlora": 3.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutReading:
    """A layout with its load (one copy's share) or its training job; all ``None`` exactly when there are problems."""

    layout: Layout | None = None
    load: ServingLoad | None = None
    job: TrainingJob | None = None
    problems: tuple[Problem, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def read_layout(data: Any, snapshot: CatalogSnapshot, base_dir: Path | None = None) -> LayoutReading:
    """The layout of a parsed file. ``base_dir`` is where relative paths of ``config.json`` files start."""
    if not isinstance(data, Mapping):
        return LayoutReading(problems=(cannot_be_used("", data, rule("object")),))
    stated, problems = _entries(data)
    found, not_found = _look_up(data, snapshot, base_dir or Path())
    problems += not_found
    if problems:
        return LayoutReading(problems=tuple(problems))
    filled = _Filled(stated=stated, found=found, snapshot=snapshot)
    layout = _layout(filled)
    training = filled.kind.is_training
    return LayoutReading(
        layout=layout,
        load=None if training else _load(filled, layout.parallelism.dp),
        job=_job(filled, layout.parallelism.dp) if training else None,
        assumptions=tuple(filled.assumptions),
    )


def _entries(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The plain entries in their types; ``null`` counts as left out."""
    stated: dict[str, Any] = {}
    problems: list[Problem] = []
    known = (*_LOOKED_UP, *_ENTRIES, "schema_version")
    for key, value in data.items():
        if key not in known:
            problems.append(unknown_entry(str(key), "", known))
        elif key in _ENTRIES and value is not None:
            read = _ENTRIES[key](value, key)
            if isinstance(read, Problem):
                problems.append(read)
            else:
                stated[key] = read
    problems += [_missing(key) for key in REQUIRED if data.get(key) is None]
    return stated, problems


def _missing(key: str) -> Problem:
    rules = {
        "model": rule("model"),
        "gpu": rule("gpu"),
        "gpus_per_node": rule("range", min=1, max=MOST_GPUS_PER_NODE),
    }
    return Problem(path=key, message=message("wz.layout_requires", rule=rules[key]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What the names in a layout stand for."""

    model: ModelSpec
    gpu: GpuSpec
    editions: int
    platform: PlatformSpec | None


def _look_up(
    data: Mapping[str, Any], snapshot: CatalogSnapshot, base_dir: Path
) -> tuple[_Parts | None, list[Problem]]:
    model = _model(data.get("model"), snapshot, base_dir)
    gpus = _gpus(data.get("gpu"), snapshot)
    platform = _platform(data.get("platform"), snapshot)
    problems = [part for part in (model, gpus, platform) if isinstance(part, Problem)]
    if (
        isinstance(model, ModelSpec)
        and isinstance(gpus, tuple)
        and gpus
        and not isinstance(platform, Problem)
    ):
        return _Parts(model=model, gpu=gpus[0], editions=len(gpus), platform=platform), problems
    return None, problems


def _model(entry: Any, snapshot: CatalogSnapshot, base_dir: Path) -> ModelSpec | Problem | None:
    if entry is None:
        return None
    usable = isinstance(entry, str) or (
        isinstance(entry, Mapping) and len(entry) == 1 and next(iter(entry)) in ("config", "architecture")
    )
    return (
        find_model(entry, snapshot, base_dir, "model")
        if usable
        else cannot_be_used("model", entry, rule("model"))
    )


def _gpus(entry: Any, snapshot: CatalogSnapshot) -> tuple[GpuSpec, ...] | Problem:
    if entry is None:
        return ()
    if not isinstance(entry, str):
        return cannot_be_used("gpu", entry, rule("text"))
    if found := resolve_gpus(snapshot, entry):
        return found
    return _not_in_catalog("gpu", entry, nearest_gpus(snapshot, entry))


def _platform(entry: Any, snapshot: CatalogSnapshot) -> PlatformSpec | Problem | None:
    if entry is None:
        return None
    if not isinstance(entry, str):
        return cannot_be_used("platform", entry, rule("text"))
    wanted = entry.strip().lower()
    for platform in snapshot.platforms.values():
        if wanted in (platform.id.lower(), platform.name.lower()):
            return platform
    return _not_in_catalog("platform", entry, difflib.get_close_matches(wanted, snapshot.platforms, n=3))


def _not_in_catalog(path: str, value: str, nearest: tuple[str, ...] | list[str]) -> Problem:
    words = message("q.j_plan_gpu.error", value=value[:60], nearest=", ".join(nearest) or "-")
    return Problem(path=path, message=words)


# ------------------------------------------------------------------ filling what was left out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filled:
    """The stated entries with defaults for the rest; every default taken is noted once."""

    stated: Mapping[str, Any]
    found: _Parts | None
    snapshot: CatalogSnapshot
    assumptions: list[Assumption] = field(default_factory=list)

    @property
    def parts(self) -> _Parts:
        """The parts; there are some when there were no problems."""
        assert self.found is not None
        return self.found

    @property
    def kind(self) -> JobKind:
        """What runs on the layout; serving unless stated."""
        return JobKind(self.stated.get("kind", JobKind.INFERENCE))

    def take(self, key: str, default: Any, origin: str = "origin.assumption") -> Any:
        """The stated value, else the default, which is noted with its origin."""
        if key in self.stated:
            return self.stated[key]
        self.assume(key, default, origin)
        return default

    def assume(self, key: str, value: Any, origin: str) -> None:
        """Note an assumption."""
        english = load_texts("en")
        moves = "moves.medium"
        self.assumptions.append(
            Assumption(
                field=key,
                value=value,
                source=english.say(origin),
                effect=english.say(moves),
                origin=origin,
                moves=moves,
            )
        )


def _layout(filled: _Filled) -> Layout:
    parts = filled.parts
    machines = _machines(filled)
    if parts.editions > 1:
        filled.assume("gpu", parts.gpu.id, "origin.edition")
    return Layout(
        model=parts.model,
        machines=machines,
        parallelism=_parallelism(filled, machines),
        weights_precision=_weights_precision(filled),
        kv_precision=_kv_precision(filled),
        gpu_memory_utilization=filled.take("gpu_memory_utilization", 0.9, "origin.engine_default"),
        stack=Stack(filled.take("stack", Stack.ORDINARY.value, "origin.own_rule")),
    )


def _machines(filled: _Filled) -> Machines:
    platform = filled.parts.platform
    nodes = filled.stated.get("nodes", 1)
    fabric = filled.take("fabric", Fabric.INFINIBAND_200G.value) if nodes > 1 else None
    return Machines(
        gpu=filled.parts.gpu,
        gpus_per_node=filled.stated["gpus_per_node"],
        nodes=nodes,
        fabric=None if fabric is None else Fabric(fabric),
        sockets=2 if platform is None or platform.sockets is None else platform.sockets,
        gpu_attach="" if platform is None else platform.gpu_attach,
        slot_map=None if platform is None else platform.slot_map,
    )


def _parallelism(filled: _Filled, machines: Machines) -> Parallelism:
    """Serving: TP over a node, PP over the nodes. Training: DP over all GPUs that TP and PP leave."""
    stated = filled.stated
    gpus = machines.gpus_per_node * machines.nodes
    if filled.kind.is_training:
        tp, pp = filled.take("tp", 1, "origin.own_rule"), stated.get("pp", 1)
        dp = filled.take("dp", max(1, gpus // (tp * pp)), "origin.own_rule")
        return Parallelism(tp=tp, pp=pp, dp=dp, ep=stated.get("ep", 1))
    dp = stated.get("dp", 1)
    pp = stated.get("pp", machines.nodes if "dp" not in stated and "tp" not in stated else 1)
    tp = filled.take("tp", max(1, gpus // (pp * dp)), "origin.own_rule")
    return Parallelism(tp=tp, pp=pp, dp=dp, ep=stated.get("ep", 1))


def _weights_precision(filled: _Filled) -> Precision:
    """``auto``: 4 bit under QLoRA, BF16 for other training, else the model's 4-bit format or FP8 where it runs."""
    stated = Precision(filled.stated.get("weights_precision", Precision.AUTO))
    if stated is not Precision.AUTO:
        return stated
    chosen = _automatic_precision(filled)
    filled.assume("weights_precision", chosen.value, "origin.precision_auto")
    return chosen


def _automatic_precision(filled: _Filled) -> Precision:
    if filled.kind.is_training:
        return Precision.INT4 if filled.kind is JobKind.QLORA else Precision.BF16
    native = filled.parts.model.native_precision
    if native.is_four_bit:
        return native
    return Precision.FP8 if filled.parts.gpu.fp8_flop_per_s else Precision.BF16


def _kv_precision(filled: _Filled) -> KvPrecision:
    stated = KvPrecision(filled.stated.get("kv_precision", KvPrecision.AUTO))
    if stated is not KvPrecision.AUTO:
        return stated
    if not filled.kind.is_training:
        filled.assume("kv_precision", KvPrecision.BF16.value, "origin.kv_auto")
    return KvPrecision.BF16


def _load(filled: _Filled, copies: int) -> ServingLoad:
    """The load on one copy: the requests are spread evenly over the ``dp`` copies."""
    asked = filled.take("input_tokens", 1024)
    answered = filled.take("output_tokens", 1024)
    concurrency = filled.take("concurrency", 32)
    return ServingLoad(
        input_tokens=asked,
        output_tokens=answered,
        concurrency=-(-concurrency // copies),
        kv_tokens_per_request=float(asked + answered),
        prefix_reuse=filled.stated.get("prefix_reuse", 0.0),
    )


def _job(filled: _Filled, dp: int) -> TrainingJob:
    kind = filled.kind.value
    sequence = filled.take("sequence_tokens", 8192 if filled.kind is JobKind.PRETRAIN else 4096)
    micro_batch = filled.take("micro_batch_tokens", sequence)
    wanted = filled.snapshot.policy[f"training.global_batch_tokens.{kind}"]
    sharding = Sharding.ZERO3 if dp > 1 else Sharding.NONE
    return TrainingJob(
        kind=kind,
        dataset_tokens=filled.take("dataset_tokens", _DATASET_TOKENS.get(kind, 20e6), "origin.dataset"),
        epochs=filled.take("epochs", _EPOCHS.get(kind, 1.0), "origin.common_practice"),
        sequence_tokens=sequence,
        global_batch_tokens=filled.take("global_batch_tokens", max(wanted, dp * micro_batch)),
        micro_batch_tokens=micro_batch,
        bytes_per_parameter=filled.take("bytes_per_parameter", 16, "origin.recipe"),
        lora_rank=filled.stated.get("lora_rank", 16),
        sharding=Sharding(filled.take("sharding", sharding.value, "origin.own_rule")),
        recompute=Recompute(filled.take("recompute", Recompute.FULL.value, "origin.own_rule")),
    )
