"""Random valid requests against the whole program: no bill of materials may be emitted that cannot be built.

    python benchmarks/random_requests.py [--count 10000] [--seed 1] [--quick | --any-machine]

Every answer is held against three promises: a bill of materials has no check with the outcome "block", every
unknown check names what is missing, and a verdict without a machine says which limit it met. A request that breaks
one is printed as JSON; the exit code is then 1.

With ``--any-machine`` nothing is decided: the parts of a random machine are put together for each request, which is
a hundred times faster. Then only rules about the site may block, because the machine was not chosen for it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kentino_configurator.answer.service import Service
from kentino_configurator.bom.assemble import assemble
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.bom import Outcome
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, Decision, Severity, Verdict
from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.wizard.reading import read_request

Tree = dict[str, Any]

KINDS = ("inference", "batch", "lora", "qlora", "full_finetune", "pretrain")
KIND_WEIGHTS = (10, 3, 3, 2, 2, 1)
CIRCUITS = ((230, 16, 1), (230, 32, 1), (400, 16, 3), (400, 32, 3), (400, 63, 3))
SITE_RULES = frozenset({"J1", "J2", "J4", "J5"})
"""Rules that hold an order against the site."""
EXAMPLES_PRINTED = 5
GPU_FAMILIES = ("rtx-pro-6000", "rtx-pro-6000-maxq", "rtx-5090", "l40s", "l40", "l4")


def random_request(draw: random.Random, snapshot: CatalogSnapshot) -> Tree:
    """A request in the shape of a request file; every optional fact is left out about half of the time."""
    workloads = [_workload(draw, snapshot, index) for index in range(draw.choice((1, 1, 1, 2, 3)))]
    return {
        "schema_version": 1,
        "customer": {"country": draw.choice(("CZ", "PT", "DE", "CH")), "site": _place(draw)},
        "workloads": workloads,
        "growth": {"factor": draw.choice((1.0, 1.0, 2.0, 4.0))},
        "site": _some(draw, _site(draw)),
        "limits": _some(draw, _limits(draw)),
        "commercial": {"discount_percent": draw.choice((0, 0, 5, 12.5))},
    }


def _some(draw: random.Random, facts: Tree) -> Tree:
    return {name: value for name, value in facts.items() if draw.random() < 0.5}


def _place(draw: random.Random) -> str:
    return draw.choice(("on_premises_room", "office", "colocation", "datacenter"))


def _site(draw: random.Random) -> Tree:
    volts, amps, phases = draw.choice(CIRCUITS)
    circuit = {"volts": volts, "amps": amps, "phases": phases, "count": draw.randint(1, 8)}
    return {
        "circuits": [circuit],
        "feeds": draw.choice(("single", "ab")),
        "cooling_kw": draw.choice((2, 5, 10, 20, 60)),
        "max_inlet_c": draw.choice((22, 25, 27, 30, 35, 40)),
        "rack_units": draw.choice((0, 4, 8, 12, 24, 42, 84)),
        "rack_depth_mm": draw.choice((600, 800, 900, 1000, 1200)),
        "office": draw.random() < 0.2,
        "network_gbps": draw.choice((1, 10, 25, 100)),
        "storage": draw.choice(("none", "nfs", "parallel", "object")),
    }


def _limits(draw: random.Random) -> Tree:
    return {
        "budget_eur": draw.choice((15_000, 50_000, 150_000, 400_000, 2_000_000)),
        "max_nodes": draw.choice((1, 2, 4, 8)),
        "gpus": draw.sample(GPU_FAMILIES, draw.randint(1, 2)),
        "allow_int4": draw.random() < 0.5,
    }


def _workload(draw: random.Random, snapshot: CatalogSnapshot, index: int) -> Tree:
    kind = draw.choices(KINDS, KIND_WEIGHTS)[0]
    model = snapshot.models[draw.choice(tuple(snapshot.models))]
    facts = {
        "name": f"job {index + 1}",
        "kind": kind,
        "model": model.id,
        "runs": draw.choice(("together", "exclusive")),
    }
    longest = model.max_context or 32_768
    if kind == "inference":
        return facts | _serving(draw, longest)
    if kind == "batch":
        return facts | _batch(draw, longest)
    return facts | _training(draw, longest)


def _serving(draw: random.Random, longest: int) -> Tree:
    context = min(longest, draw.choice((2048, 4096, 8192, 16_384, 32_768, 131_072)))
    answer = min(context // 4, draw.choice((100, 400, 1000, 4000)))
    optional = {
        "ttft_s": draw.choice((0.5, 1, 2, 5)),
        "tokens_per_s_per_user": draw.choice((5, 10, 15, 30, 60)),
        "availability": draw.choice(("none", "n_plus_1")),
        "weights_precision": draw.choice(("auto", "bf16", "fp8", "int4")),
        "prefix_reuse": draw.choice((0, 0.3, 0.8)),
    }
    return _some(draw, optional) | {
        "input_tokens": draw.randint(1, context - answer),
        "output_tokens": answer,
        "max_context_tokens": context,
        "concurrent_requests": draw.choice((1, 4, 16, 32, 64, 128, 400, 1500)),
    }


def _batch(draw: random.Random, longest: int) -> Tree:
    context = min(longest, draw.choice((2048, 8192, 32_768)))
    return {
        "input_tokens": context // 2,
        "output_tokens": context // 8,
        "max_context_tokens": context,
        "corpus_input_tokens": draw.choice((1e6, 1e8, 1e10)),
        "corpus_output_tokens": draw.choice((1e5, 1e7, 1e9)),
        "deadline_hours": draw.choice((8, 60, 720)),
    }


def _training(draw: random.Random, longest: int) -> Tree:
    return {
        "dataset_tokens": draw.choice((1e6, 2e7, 1e9, 1e11)),
        "epochs": draw.choice((1, 3)),
        "sequence_tokens": min(longest, draw.choice((512, 2048, 4096, 16_384))),
        "deadline_days": draw.choice((1, 7, 30, 180)),
    }


def broken_promises(answer: Answer) -> Iterator[str]:
    """What is wrong with an answer; nothing when it keeps all promises."""
    if answer.bom is None:
        yield from _unexplained(answer.decision)
        return
    for check in answer.bom.checks:
        if check.outcome is Outcome.BLOCK:
            yield f"{check.rule} blocks: {dict(check.args)}"
        if (check.outcome is Outcome.UNKNOWN) != bool(check.missing):
            yield f"{check.rule} is {check.outcome} with missing = {check.missing!r}"


def _unexplained(decision: Decision) -> Iterator[str]:
    """A verdict without a machine that names neither a limit nor a blocking finding."""
    if decision.verdict not in (Verdict.REFER_SXM, Verdict.NO_ANSWER):
        yield f"{decision.verdict.value} without a bill of materials"
    blocking = any(finding.severity is Severity.BLOCK for finding in decision.findings)
    if decision.verdict is Verdict.NO_ANSWER and not (decision.limits_met or decision.needed or blocking):
        yield "no answer, and nothing says why"


def main(words: Sequence[str] | None = None) -> int:
    """Runs the requests and prints what was found."""
    parser = argparse.ArgumentParser(description="Random valid requests against the whole program.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="without alternatives and tipping points")
    parser.add_argument("--any-machine", action="store_true", help="parts of a random machine, no decision")
    arguments = parser.parse_args(words)
    service = Service(load_snapshot())
    draw = random.Random(arguments.seed)
    verdicts: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    start = perf_counter()
    for _ in range(arguments.count):
        request = random_request(draw, service.snapshot)
        if arguments.any_machine:
            verdicts.update([_hold_parts(service, request, broken, draw)])
        else:
            verdicts.update([_hold(service, request, broken, quick=arguments.quick)])
    seconds = perf_counter() - start
    print(f"{arguments.count} requests of seed {arguments.seed} in {seconds:.0f} s: {dict(verdicts)}")
    print(f"broken promises: {dict(broken) or 'none'}")
    return 1 if broken else 0


def _hold(service: Service, request: Tree, broken: Counter[str], *, quick: bool) -> str:
    """Verdict of one request; what it breaks is counted, the first examples of a kind are printed."""
    try:
        evaluation = service.evaluate(Answers(request), lenient=False, quick=quick)
    except Exception as error:  # a crash is one more broken promise; the run goes on
        where = traceback.extract_tb(error.__traceback__)[-1]
        _report(f"crash in {where.name}: {error}", request, broken)
        return "crash"
    if evaluation.answer is None:
        return f"invalid: {evaluation.problems[0].path}"
    for promise in broken_promises(evaluation.answer):
        _report(promise, request, broken)
    return evaluation.answer.decision.verdict.value


def _hold_parts(service: Service, request: Tree, broken: Counter[str], draw: random.Random) -> str:
    """Kind of network of a random machine; what its parts break is counted."""
    reading = read_request(Answers(request), service.snapshot)
    if reading.request is None:
        return f"invalid: {reading.problems[0].path}"
    configuration = random_configuration(draw, service)
    for check in assemble(reading.request, configuration, service.snapshot).checks:
        if check.outcome is Outcome.BLOCK and check.rule not in SITE_RULES:
            _report(f"{check.rule} blocks {configuration.node.id}: {dict(check.args)}", request, broken)
        if (check.outcome is Outcome.UNKNOWN) != bool(check.missing):
            _report(f"{check.rule} is {check.outcome} with missing = {check.missing!r}", request, broken)
    return str(configuration.fabric or ("copies" if configuration.nodes > 1 else "one node"))


def random_configuration(draw: random.Random, service: Service) -> Configuration:
    """A machine that no rule blocks, alone, as copies, or in a cluster it has adapter slots for."""
    offer = draw.choice([offer for offer in service.offers.nodes if not offer.blocked_by])
    nodes = draw.randint(1, 6)
    fabrics = (None, *Fabric) if nodes > 1 and offer.adapter_slots != 0 else (None,)
    return Configuration(
        node=offer,
        nodes=nodes,
        replicas=nodes,
        parallelism=Parallelism(tp=draw.choice((1, offer.gpu_count)), dp=nodes),
        weights_precision=Precision.FP8,
        kv_precision=KvPrecision.BF16,
        fabric=draw.choice(fabrics),
    )


def _report(promise: str, request: Tree, broken: Counter[str]) -> None:
    kind = promise.split(":")[0]
    broken[kind] += 1
    if broken[kind] <= EXAMPLES_PRINTED:
        print(f"{promise}\n  {json.dumps(request)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
