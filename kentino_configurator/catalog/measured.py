"""Models and cards that published measurements name and the catalogue does not sell: shapes and peaks with sources.

They serve ``validate`` and the calibration only and never appear in an offer or in a search.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kentino_configurator.catalog.model_entry import shape_from_arch
from kentino_configurator.catalog.names import resolve_gpus, resolve_model
from kentino_configurator.catalog.spellings import gpu_spelling, model_spelling, stated_memory_gb
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.evidence import Source
from kentino_configurator.core.hardware import GpuSpec, Tier
from kentino_configurator.core.llm import ModelSpec
from kentino_configurator.core.units import GB, MIB, TERA

Row = Mapping[str, str]
CardKey = tuple[str, int | None]


class MeasuredNames:
    """Finds the models and cards of measurement tables by people's spellings, the catalogue first."""

    def __init__(
        self, snapshot: CatalogSnapshot, models: Mapping[str, ModelSpec], gpus: Mapping[CardKey, GpuSpec]
    ):
        self._snapshot = snapshot
        self._models = models
        self._gpus = gpus

    def model(self, text: str) -> ModelSpec | None:
        """The model of a spelling, ``None`` when neither table knows it."""
        return resolve_model(self._snapshot, text) or self._models.get(model_spelling(text))

    def gpu(self, text: str) -> GpuSpec | None:
        """The card of a spelling; an unstated edition is the first of its family."""
        own = self._gpus.get(_card_key(text))
        return own or next(iter(resolve_gpus(self._snapshot, text)), None)


def load_measured_names(snapshot: CatalogSnapshot, folder: Path) -> MeasuredNames:
    """Reads ``models.csv`` and ``gpus.csv`` of the measurement folder."""
    models: dict[str, ModelSpec] = {}
    for row in _rows(folder / "models.csv"):
        model = _model(row)
        models.update({model_spelling(name): model for name in _names(row)})
    gpus: dict[CardKey, GpuSpec] = {}
    for row in _rows(folder / "gpus.csv"):
        card = _gpu(row, snapshot.gpus[row["like"]])
        gpus.update({_card_key(name): card for name in _names(row)})
    return MeasuredNames(snapshot, models, gpus)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _names(row: Row) -> list[str]:
    return [row["name"], *(alias for alias in row["aliases"].split("|") if alias)]


def _card_key(text: str) -> CardKey:
    """Spelling and memory: an A100 of 40 GB is another card than one of 80 GB."""
    return gpu_spelling(text.split(" 500W")[0]), stated_memory_gb(text)


def _model(row: Row) -> ModelSpec:
    hidden, heads = int(row["hidden"]), int(row["heads"])
    mixer = {
        "kind": "gqa",
        "heads": heads,
        "kv_heads": int(row["kv_heads"]),
        "head_dim": hidden // heads,
        "bias_qkv": row["bias_qkv"] == "1",
    }
    arch = {
        "num_layers": int(row["layers"]),
        "hidden_size": hidden,
        "vocab_size": int(row["vocab"]),
        "tie_embeddings": row["tied"] == "1",
        "num_attention_heads": heads,
        "num_kv_heads": int(row["kv_heads"]),
        "head_dim": hidden // heads,
        "max_context": int(row["max_context"]),
        "norms_per_layer": 2,
        "mixers": {"full": mixer},
        "ffns": {"dense": {"kind": "dense", "inter": int(row["ffn"]), "gated": row["gated"] == "1"}},
        "layers": [["full", "dense", int(row["layers"])]],
    }
    shape = shape_from_arch(arch, model_id=row["name"].lower(), name=row["name"])
    return replace(shape, sources=(Source(text=row["source"]),))


def _gpu(row: Row, like: GpuSpec) -> GpuSpec:
    return replace(
        like,
        id=row["name"].lower().replace(" ", "-"),
        name=row["name"],
        family=row["family"],
        aliases=(),
        tier=Tier.REFERENCE_ONLY,
        architecture=row["architecture"],
        vram_bytes=int(float(row["vram_mib"]) * MIB),
        memory_bandwidth_bytes_per_s=float(row["bandwidth_gb_s"]) * GB,
        bf16_flop_per_s=float(row["bf16_tflops"]) * TERA,
        fp8_flop_per_s=float(row["fp8_tflops"]) * TERA if row["fp8_tflops"] else None,
        fp4_flop_per_s=None,
        pcie_gen=int(row["pcie_gen"]),
        pcie_lanes=int(row["pcie_lanes"]),
        p2p=row["p2p"] == "yes",
        tdp_w=int(row["tdp_w"]),
        source=row["source"],
    )
