"""What a golden case demands of a result object, and every demand that the result does not meet, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
FOUR_BIT = ("nvfp4", "mxfp4", "int4")


def shortfalls(expect: Json, result: Json) -> list[str]:
    """Every expectation the result misses."""
    return [text for name, wanted in expect.items() for text in _CHECKS[name](wanted, result, expect)]


def _gpus(result: Json) -> int:
    configuration = result["configuration"] or {}
    return int(configuration.get("nodes", 0)) * int(configuration.get("gpus_per_node", 0))


def _nodes(result: Json) -> int:
    return int((result["configuration"] or {}).get("nodes", 0))


def _verdict(wanted: list[str], result: Json, _: Json) -> Iterator[str]:
    if result["verdict"] not in wanted:
        yield f"verdict {result['verdict']}, wanted {'/'.join(wanted)}"


def _not_verdict(wanted: list[str], result: Json, _: Json) -> Iterator[str]:
    if result["verdict"] in wanted:
        yield f"verdict {result['verdict']} is wrong"


def _precision(wanted: list[str], result: Json, expect: Json) -> Iterator[str]:
    if expect.get("or_multi_node_fp8") and result["verdict"] == "multi_node":
        return
    precision = result["configuration"]["weights_precision"]
    accepted = tuple(wanted) + (FOUR_BIT if "int4" in wanted else ())
    if not precision.startswith(accepted):
        yield f"weights {precision}"


def _at_most(figure: Callable[[Json], int], name: str) -> Callable[[int, Json, Json], Iterator[str]]:
    def check(limit: int, result: Json, _: Json) -> Iterator[str]:
        if not 0 < figure(result) <= limit:
            yield f"{figure(result)} {name}, at most {limit}"

    return check


def _at_least(figure: Callable[[Json], int], name: str) -> Callable[[int, Json, Json], Iterator[str]]:
    def check(limit: int, result: Json, _: Json) -> Iterator[str]:
        if result["verdict"] != "refer_sxm" and figure(result) < limit:
            yield f"{figure(result)} {name}, at least {limit}"

    return check


def _replicas(result: Json) -> int:
    return int((result["configuration"] or {}).get("replicas", 0))


def _fabric_not(words: list[str], result: Json, _: Json) -> Iterator[str]:
    fabric = str(result["configuration"]["fabric"])
    if any(word in fabric for word in words):
        yield f"fabric {fabric}"


def _finding(rule: str, result: Json, _: Json) -> Iterator[str]:
    if rule not in {finding["rule"] for finding in result["findings"]}:
        yield f"finding {rule} missing"


def _spare(count: int, result: Json, _: Json) -> Iterator[str]:
    if result["configuration"]["spare_nodes"] < count:
        yield "no spare"


def _inside(_: Json, result: Json, __: Json) -> Iterator[str]:
    configuration = result["configuration"]
    if result["verdict"] != "multi_node":
        return
    if configuration["tp"] > configuration["gpus_per_node"]:
        yield "TP leaves the node"
    if configuration["tp"] * configuration["pp"] <= configuration["gpus_per_node"]:
        yield "PP does not cross the nodes"


def _state(bounds: list[float], result: Json, _: Json) -> Iterator[str]:
    memory = result["memory_per_gpu"]
    parts = ("weights", "gradients", "optimizer", "activations")
    state = sum(memory[part] for part in parts) * _gpus(result)
    if not bounds[0] * 0.95 <= state <= bounds[1] * 1.3:
        yield f"state {state:.3g} bytes"


def _gate(gate: float, result: Json, _: Json) -> Iterator[str]:
    efficiency = result["scaling_efficiency"]
    if result["verdict"] == "multi_node" and efficiency["expected"] < gate:
        yield from _finding("below_efficiency_gate", result, {})


def _throughput(bounds: list[float], result: Json, _: Json) -> Iterator[str]:
    estimate = result["performance"][0]["output_tokens_per_s"]
    if estimate["low"] > bounds[1] or estimate["high"] < bounds[0]:
        yield f"output tokens/s {estimate}"


def _assumptions(count: int, result: Json, _: Json) -> Iterator[str]:
    if len(result["assumptions"]) < count:
        yield "assumptions are not listed"


def _power(limit: float, result: Json, _: Json) -> Iterator[str]:
    if result["verdict"] != "no_answer" and result["power"]["ac_w"]["expected"] > limit:
        yield f"AC power {result['power']['ac_w']}"


def _nothing(_: Any, __: Json, ___: Json) -> Iterator[str]:
    return iter(())


_CHECKS: dict[str, Callable[[Any, Json, Json], Iterator[str]]] = {
    "verdict": _verdict,
    "not_verdict": _not_verdict,
    "weights_precision": _precision,
    "or_multi_node_fp8": _nothing,
    "max_nodes": _at_most(_nodes, "nodes"),
    "min_nodes": _at_least(_nodes, "nodes"),
    "max_gpus": _at_most(_gpus, "GPUs"),
    "min_gpus": _at_least(_gpus, "GPUs"),
    "min_replicas": _at_least(_replicas, "replicas"),
    "fabric_not": _fabric_not,
    "finding": _finding,
    "spare": _spare,
    "if_multi_node": _inside,
    "state_bytes": _state,
    "gate": _gate,
    "output_tokens_per_s_interval_meets": _throughput,
    "assumptions_at_least": _assumptions,
    "power_ac_w_at_most": _power,
}
