"""One entry of ``models.json`` to ``ModelSpec``, and the shape part of it on its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kentino_configurator.core.evidence import Source
from kentino_configurator.core.llm import (
    CheckpointSize,
    Ffn,
    FfnKind,
    LayerGroup,
    License,
    Mixer,
    MixerKind,
    ModelSpec,
    Precision,
)
from kentino_configurator.core.parameters import (
    counted,
    embedding_params,
    ffn_params,
    mixer_params,
)

_MIXER_RENAMED = {"extra": "extra_params"}
_FFN_RENAMED = {"extra": "extra_params"}
_MIXER_SPECIAL = frozenset({"kind", "qk_norm", "gate", "indexer"})
_NATIVE = {
    "BF16": Precision.BF16,
    "FP8": Precision.FP8,
    "FP8 with FP4 experts": Precision.FP8,
    "INT4": Precision.INT4,
    "MXFP4": Precision.MXFP4,
}


def model_from_entry(entry: Mapping[str, Any]) -> ModelSpec:
    """The model of a catalogue entry, counted from its shape; raises ``KeyError`` where a size is missing."""
    shape = shape_from_arch(entry["arch"], model_id=entry["id"], name=entry["name"])
    return replace(
        shape,
        hf_id=entry["hf_id"],
        aliases=tuple(entry["aliases"]),
        developer=entry["developer"],
        release_date=entry["release_date"] or "",
        license=_license(entry["license"]),
        native_precision=_NATIVE.get(entry["native_weight_dtype"], Precision.BF16),
        vision_params=(entry["vision"] or {}).get("params", 0),
        mtp_params=_mtp_params(entry["mtp"], entry["arch"], shape),
        mtp_layers=(entry["mtp"] or {}).get("layers", 0),
        checkpoint_sizes=tuple(_checkpoint(size) for size in entry["checkpoint_sizes"]),
        warnings=tuple(_warnings(entry)),
        sources=tuple(
            Source(text=f"{item['what']}: {item['ref']}", checked_on=entry["checked"])
            for item in entry["sources"]
        ),
    )


def shape_from_arch(arch: Mapping[str, Any], *, model_id: str, name: str) -> ModelSpec:
    """A model known only by its shape (the ``arch`` fields); everything else keeps its neutral value."""
    model = ModelSpec(
        id=model_id,
        name=name,
        hidden_size=arch["hidden_size"],
        vocab_size=arch["vocab_size"],
        num_layers=arch["num_layers"],
        num_attention_heads=arch["num_attention_heads"],
        num_kv_heads=arch["num_kv_heads"],
        head_dim=arch["head_dim"],
        max_context=arch["max_context"],
        tie_embeddings=arch["tie_embeddings"],
        layers=tuple(_layer_groups(arch)),
        extra_params=arch.get("text_extra", {}).get("params", 0),
        lookup_params=arch.get("lookup_params", 0),
    )
    return counted(model)


def mixer_from_fields(fields: Mapping[str, Any]) -> Mixer:
    """A token mixer from the field names of ``arch.mixers``."""
    plain = _plain_fields(fields, _MIXER_RENAMED, _MIXER_SPECIAL)
    indexer = fields.get("indexer") or {}
    return Mixer(
        kind=MixerKind(fields["kind"]),
        qk_norm=bool(fields.get("qk_norm")),
        qk_norm_full=fields.get("qk_norm") in ("full", "per_head"),
        gate=bool(fields.get("gate")),
        indexer_heads=indexer.get("heads", 0),
        indexer_head_dim=indexer.get("head_dim", 0),
        indexer_topk=indexer.get("topk", 0),
        **plain | {"extra_params": plain.get("extra_params", 0) + indexer.get("extra", 0)},
    )


def ffn_from_fields(fields: Mapping[str, Any]) -> Ffn:
    """A feed-forward network from the field names of ``arch.ffns``."""
    return Ffn(kind=FfnKind(fields["kind"]), **_plain_fields(fields, _FFN_RENAMED, frozenset({"kind"})))


def expanded_layers(layers: Sequence[Any]) -> Iterator[tuple[str, str, int]]:
    """The run-length layer list without its ``repeat`` blocks: (mixer, ffn, count) in layer order."""
    for item in layers:
        if isinstance(item, Mapping):
            for _ in range(item["repeat"]):
                yield from expanded_layers(item["layers"])
        else:
            mixer, ffn, count = item
            yield mixer, ffn, count


def _plain_fields(
    fields: Mapping[str, Any], renamed: Mapping[str, str], skip: frozenset[str]
) -> dict[str, Any]:
    return {
        renamed.get(key, key): value for key, value in fields.items() if key not in skip and value is not None
    }


def _layer_groups(arch: Mapping[str, Any]) -> Iterator[LayerGroup]:
    mixers = {name: mixer_from_fields(fields) for name, fields in arch["mixers"].items()}
    ffns = {name: ffn_from_fields(fields) for name, fields in arch["ffns"].items()}
    for mixer, ffn, count in expanded_layers(arch["layers"]):
        norms = _norms(arch["norms_per_layer"], mixer, ffn)
        yield LayerGroup(mixer=mixers[mixer], ffn=ffns[ffn], count=count, norms=norms)


def _norms(norms: int | Mapping[str, int], mixer: str, ffn: str) -> int:
    return norms if isinstance(norms, int) else norms.get(f"{mixer}/{ffn}", norms["default"])


def _mtp_params(mtp: Mapping[str, Any] | None, arch: Mapping[str, Any], shape: ModelSpec) -> int:
    """Parameters of the multi-token-prediction layers; 0 where the catalogue does not model them."""
    if not mtp or "block" not in mtp:
        return int((mtp or {}).get("params") or 0)
    hidden = shape.hidden_size
    mixer, ffn = mtp["block"]
    block = mixer_params(mixer_from_fields(arch["mixers"][mixer]), hidden)
    block += ffn_params(ffn_from_fields(arch["ffns"][ffn]), hidden)
    vectors = (arch["norms_per_layer"] + mtp["extra_norms"]) * hidden
    projection = 2 * hidden * hidden * mtp["eh_proj"]
    layers: int = mtp["layers"] * (block + vectors + projection)
    return layers + int(mtp.get("copies", 0)) * embedding_params(shape)


def _license(fields: Mapping[str, Any]) -> License:
    return License(name=fields["name"], commercial=fields["commercial"], note=fields["note"] or "")


def _checkpoint(size: Mapping[str, Any]) -> CheckpointSize:
    return CheckpointSize(format=size["format"], bytes=size["bytes"], source=size["source"])


def _warnings(entry: Mapping[str, Any]) -> Iterator[str]:
    if entry["shape_inferred"]:
        yield f"Sizes inferred from the published count: {entry['shape_inferred']}."
    if entry["verify_note"]:
        yield f"Check against the published count: {entry['verify_note']}."
    if entry["notes"]:
        yield entry["notes"]
    if entry["native_weight_dtype"] not in _NATIVE:
        yield "The format of the released weights is not known; BF16 is taken."
