"""Prints how far the laws of collectives are from measured times, by operation and message size."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.calibration_rows import MEASUREMENTS, read_calibration, read_csv
from benchmarks.fitting import quantile
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.layout import Machines
from kentino_configurator.engine.comms import Operation, collective_law

CARDS = {
    "RTX PRO 6000 Server": "rtx-pro-6000-server",
    "H100 SXM": "h100-sxm",
    "H200 SXM": "h200-sxm",
    "B200": "b200",
}
"""Machines whose hosts are usual ones; the L40S host lacks peer access across sockets and is left out."""

OPERATIONS = {
    "all_reduce": Operation.ALL_REDUCE,
    "all_gather": Operation.ALL_GATHER,
    "reduce_scatter": Operation.REDUCE_SCATTER,
    "all_to_all": Operation.ALL_TO_ALL,
}
LARGE_BYTES = 2**20


def errors() -> Iterator[tuple[str, str, bool, float]]:
    """(machine, operation, whether from 1 MiB up, relative error) of every row.

    All-reduces are those of the serving engine's kernels, the other operations those of NCCL.
    """
    snapshot, calibration = load_snapshot(), read_calibration()
    for row in read_csv(MEASUREMENTS / "collectives_by_size.csv"):
        own_kernel = row["implementation"].startswith("vLLM")
        if row["gpu"] not in CARDS or own_kernel != (row["op"] == "all_reduce"):
            continue
        machines = Machines(gpu=snapshot.gpus[CARDS[row["gpu"]]], gpus_per_node=8)
        law = collective_law(machines, int(row["gpus"]), OPERATIONS[row["op"]], calibration)
        size = float(row["bytes"])
        ratio = law.time_s(size) * 1e6 / float(row["time_us"])
        yield row["gpu"], row["op"], size >= LARGE_BYTES, abs(ratio - 1.0)


def main() -> None:
    """Entry point."""
    found = list(errors())
    print("machine              operation        size       n  median %  p90 %")
    for machine in (*CARDS, ""):
        for operation in (*OPERATIONS, ""):
            for large in (True, False):
                own = [
                    error
                    for card, op, is_large, error in found
                    if machine in ("", card) and operation in ("", op) and is_large == large
                ]
                size = ">= 1 MiB" if large else "< 1 MiB"
                print(
                    f"{machine or 'all':20s} {operation or 'all':15s} {size:9s} {len(own):4d}"
                    f"  {100 * quantile(own, 0.5):8.1f} {100 * quantile(own, 0.9):6.1f}"
                )


if __name__ == "__main__":
    main()
