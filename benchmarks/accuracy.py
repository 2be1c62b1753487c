"""Writes ``docs/accuracy.md`` with its pictures, and the figures that the proposal quotes, from all measurements.

Predictions are those of ``validate`` with the shipped catalogue. The errors that count are those with the row's group
(one model on one card) left out of the fit; ``benchmarks.calibrate --errors`` records them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.calibration_rows import MEASUREMENTS, ROOT, read_csv
from benchmarks.held_out import as_left_out, read_held_out
from benchmarks.scatter import Point, Scatter, scatter_svg
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.engine.accuracy import Accuracy, AccuracyReport, accuracy_report
from kentino_configurator.engine.row_outcome import RowOutcome
from kentino_configurator.validate import validated_file

PAGE = ROOT / "docs" / "accuracy.md"
TEMPLATE = ROOT / "benchmarks" / "accuracy_template.md"
PICTURES = ROOT / "docs" / "pictures"
QUOTED = ROOT / "resources" / "accuracy.json"

TABLES = ("inference", "training")
QUOTED_FAMILIES = {
    "inference": ("decode", "throughput", "prefill", "ttft_single", "ttft_load"),
    "training": ("rate", "memory"),
}
"""What the proposal quotes: the figures it prints."""

WORDS = {
    "decode": "time per output token, speed per user",
    "throughput": "output tokens per second of the machine",
    "prefill": "prompt tokens per second",
    "ttft_single": "time to first token, one user, 2,000 tokens and more",
    "ttft_short": "time to first token, one user, shorter prompts",
    "ttft_load": "time to first token under load (steady median; interval up to the burst)",
    "ttft_p99": "time to first token under load, 99th percentile",
    "kv_tokens": "tokens in a KV pool of stated size",
    "kv_tokens_free_pool": "tokens in the KV pool that memory leaves",
    "weights": "weights per GPU",
    "speculative_decode": "time per output token with speculative decoding",
    "speculative_throughput": "output tokens per second with speculative decoding",
    "rate": "training tokens per second",
    "step": "time of a training step",
    "mfu": "model FLOP utilisation",
    "scaling": "scaling efficiency",
    "memory": "peak memory, settings partly stated",
    "memory_exact": "peak memory, batch and optimizer stated",
}


@dataclass(frozen=True, slots=True)
class Goal:
    """A median and a 90th percentile not to be exceeded; shares."""

    family: str
    median: float
    p90: float | None = None


GOALS = (
    Goal("weights", 0.01, 0.05),
    Goal("kv_tokens", 0.01, 0.10),
    Goal("decode", 0.13, 0.42),
    Goal("throughput", 0.14, 0.45),
    Goal("prefill", 0.20),
    Goal("ttft_single", 0.28),
)
COVERAGE_GOALS = {"ttft_load": (0.78, 1.0)}
COVERAGE_GOAL = (0.75, 0.90)
"""Share of rows inside the interval: for time to first token under load between steady median and burst."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All rows of a table: as shipped, and with their groups left out."""

    rows: tuple[Mapping[str, str], ...]
    fitted: tuple[RowOutcome, ...]
    left_out: tuple[RowOutcome, ...]

    @property
    def report(self) -> AccuracyReport:
        """Errors with groups left out."""
        return accuracy_report(self.left_out)


def main() -> None:
    """Entry point."""
    judged = {table: judge(table) for table in TABLES}
    PAGE.write_text(page(judged), encoding="utf-8", newline="\n")
    QUOTED.write_text(quoted(judged), encoding="utf-8", newline="\n")
    for name, picture in pictures(judged).items():
        (PICTURES / name).write_text(scatter_svg(picture), encoding="utf-8", newline="\n")
    print(PAGE.read_text(encoding="utf-8"))


def judge(table: str) -> Judged:
    """Every row of a measurement table."""
    path = MEASUREMENTS / f"{table}.csv"
    fitted = validated_file(path, load_snapshot())
    return Judged(
        rows=tuple(read_csv(path)),
        fitted=tuple(fitted),
        left_out=tuple(as_left_out(fitted, read_held_out(table))),
    )


def page(judged: Mapping[str, Judged]) -> str:
    """The page: words of the template around the tables."""
    words = TEMPLATE.read_text(encoding="utf-8")
    words = words.replace("{goals}", _goals_table(judged))
    for table in TABLES:
        each = judged[table]
        words = (
            words.replace(f"{{{table}_families}}", _family_table(each))
            .replace(f"{{{table}_cards}}", _card_table(each.report.by_gpu))
            .replace(f"{{{table}_grade_c}}", _plain_table(each.report.grade_c))
            .replace(f"{{{table}_skipped}}", _skipped(each.report))
        )
    return words


def quoted(judged: Mapping[str, Judged]) -> str:
    """Rows, median error and coverage of the figures that a proposal prints, as JSON."""
    found = {
        each.family: {"rows": each.rows, "median_error": each.median_error, "coverage": each.coverage}
        for table in TABLES
        for each in judged[table].report.by_family
        if each.family in QUOTED_FAMILIES[table]
    }
    wanted = [family for table in TABLES for family in QUOTED_FAMILIES[table]]
    rounded = {family: _rounded(found[family]) for family in wanted}
    return json.dumps(rounded, indent=1) + "\n"


def _rounded(figures: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 3) for name, value in figures.items()}


def pictures(judged: Mapping[str, Judged]) -> dict[str, Scatter]:
    """The two pictures by file name, groups left out, grades A and B."""
    serving, training = judged["inference"], judged["training"]
    return {
        "accuracy-serving.svg": Scatter(
            title="Serving: predicted against measured",
            unit="tokens per second",
            series={
                "speed per user": [
                    *_points(serving, "decode", "decode_tok_s_per_user"),
                    *_inverse(_points(serving, "decode", "tpot_ms")),
                ],
                "whole machine": _points(serving, "throughput", "output_tok_s_total"),
                "prompts": _points(serving, "prefill", "prefill_tok_s"),
            },
        ),
        "accuracy-training.svg": Scatter(
            title="Training: predicted against measured",
            unit="tokens per second",
            series={
                "all GPUs": _points(training, "rate", "tok_s_total"),
                "per GPU": _points(training, "rate", "tok_s_per_gpu"),
            },
        ),
    }


def _points(judged: Judged, family: str, metric: str) -> list[Point]:
    return [
        (outcome.measured, outcome.expected)
        for row, outcome in zip(judged.rows, judged.left_out, strict=True)
        if outcome.family == family
        and row["metric"] == metric
        and outcome.grade != "C"
        and not outcome.skipped
    ]


def _inverse(points: Iterable[Point]) -> list[Point]:
    """Milliseconds per token as tokens per second."""
    return [(1e3 / measured, 1e3 / predicted) for measured, predicted in points]


def _family_table(judged: Judged) -> str:
    fitted = {each.family: each for each in accuracy_report(judged.fitted).by_family}
    lines = [
        "| figure | rows | skipped | median error % | 90th percentile % | inside % | in sample: median % |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in judged.report.by_family:
        words = WORDS.get(each.family, each.family)
        in_sample = _percent(fitted[each.family].median_error)
        lines.append(f"| {words} | {_cells(each)} | {in_sample} |")
    return "\n".join(lines)


def _card_table(groups: Sequence[Accuracy]) -> str:
    lines = [
        "| figure | cards | rows | skipped | median error % | 90th percentile % | inside % |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines.extend(f"| {each.family} | {each.gpu_class} | {_cells(each)} |" for each in groups)
    return "\n".join(lines)


def _goals_table(judged: Mapping[str, Judged]) -> str:
    reached = {each.family: each for table in TABLES for each in judged[table].report.by_family}
    lines = ["| goal | reached | |", "| --- | --- | --- |"]
    for goal in GOALS:
        each, words = reached[goal.family], WORDS[goal.family]
        lines.append(_goal_line(f"{words}: median error", each.median_error, 0.0, goal.median))
        if goal.p90 is not None:
            lines.append(_goal_line(f"{words}: 90th percentile", each.p90_error, 0.0, goal.p90))
    for family, each in reached.items():
        low, high = COVERAGE_GOALS.get(family, COVERAGE_GOAL)
        lines.append(_goal_line(f"{WORDS[family]}: inside", each.coverage, low, high))
    for table in TABLES:
        lines.append(
            _goal_line(f"rows of {table}.csv skipped", judged[table].report.skipped_share, 0.0, 0.12)
        )
    return "\n".join(lines)


def _goal_line(words: str, value: float | None, low: float, high: float) -> str:
    wanted = f"at most {_percent(high)} %" if low == 0.0 else f"{_percent(low)} to {_percent(high)} %"
    met = value is not None and low <= value <= high
    return f"| {words}: {wanted} | {_percent(value)} % | {'met' if met else 'missed'} |"


def _plain_table(groups: Sequence[Accuracy]) -> str:
    if not groups:
        return "No row of this table is of grade C."
    lines = [
        "| figure | rows | skipped | median error % | 90th percentile % | inside % |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines.extend(f"| {WORDS.get(each.family, each.family)} | {_cells(each)} |" for each in groups)
    return "\n".join(lines)


def _cells(each: Accuracy) -> str:
    shares = (each.median_error, each.p90_error, each.coverage)
    return " | ".join((str(each.rows), str(each.skipped), *(_percent(share) for share in shares)))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share * 100:.0f}" if share >= 0.1 else f"{share * 100:.1f}"


def _skipped(report: AccuracyReport) -> str:
    reasons = ", ".join(f"{name} {count}" for name, count in report.skipped.items())
    return f"{sum(report.skipped.values())} of {report.rows} rows ({report.skipped_share:.1%}) were skipped: {reasons}."


if __name__ == "__main__":
    main()
