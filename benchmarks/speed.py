"""Processor time of one prediction in-process, beside what other tools publish for theirs."""

from __future__ import annotations

import argparse
from time import process_time

from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.layout import Layout, Machines, Parallelism, ServingLoad
from kentino_configurator.core.llm import Precision
from kentino_configurator.engine.performance import predict_serving

PUBLISHED = "the fastest Python estimator we know of needs 110-280 us per layout"

CASES = (
    ("llama-3.3-70b", Precision.FP8, 4, 2),
    ("deepseek-v3", Precision.INT4, 8, 1),
    ("qwen3.5-397b-a17b", Precision.NVFP4, 4, 1),
    ("nemotron-3-nano-30b-a3b", Precision.FP8, 1, 1),
    ("gemma-3-27b", Precision.BF16, 2, 1),
)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=2000)
    repeat = parser.parse_args().repeat
    snapshot = load_snapshot()
    times = [microseconds(snapshot, case, repeat) for case in CASES]
    for (model, precision, tp, pp), each in zip(CASES, times, strict=True):
        print(f"{model:28s} {precision.value:6s} TP{tp} PP{pp}  {each:6.1f} us")
    print(f"{'mean':43s} {sum(times) / len(times):6.1f} us   ({PUBLISHED})")


def microseconds(snapshot: CatalogSnapshot, case: tuple[str, Precision, int, int], repeat: int) -> float:
    """Mean time of one prediction; layout and load are new objects every time, as in a search."""
    model, precision, tp, pp = case
    gpu = snapshot.gpus["rtx-pro-6000-server"]
    start = process_time()
    for number in range(repeat):
        layout = Layout(
            model=snapshot.models[model],
            machines=Machines(gpu=gpu, gpus_per_node=8),
            parallelism=Parallelism(tp=tp, pp=pp),
            weights_precision=precision,
        )
        load = ServingLoad(
            input_tokens=3000, output_tokens=500, concurrency=1 + number % 64, kv_tokens_per_request=8192.0
        )
        predict_serving(layout, load, snapshot.calibration, snapshot.policy)
    return (process_time() - start) / repeat * 1e6


if __name__ == "__main__":
    main()
