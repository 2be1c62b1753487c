"""The memory view: the bar and its table add up, capacity, stages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from kentino_configurator.answer.service import Service
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.units import GB
from kentino_configurator.texts import load_texts
from kentino_configurator.ui.views.models.table import RowKind
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.words import memory as words
from kentino_configurator.ui.views.words.jobs import served
from kentino_configurator.ui.views.words.memory_stages import stage_memories
from kentino_configurator.ui.widgets.memory_bar import MemoryBar
from tests.ui.views import VERDICTS, Stage, answer_of, parts, settle

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_every_job_has_a_bar_and_a_table(stage: Stage, preset: str) -> None:
    view = stage.view("memory")
    answer = stage.fill(view, preset)
    assert len(parts(view, HouseTable)) == len(answer.decision.results)
    assert len(parts(view, MemoryBar)) == len(answer.decision.results)


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_the_parts_add_up_to_what_the_driver_reports(service: Service, preset: str) -> None:
    answer, texts = answer_of(service, preset), load_texts("en")
    for workload, result in served(answer):
        rows = words.rows(answer, workload, result, texts)
        *lines, total = rows
        assert total.kind is RowKind.TOTAL
        parts_gb = [float(row.cells[1].words.replace(",", "")) for row in lines]
        assert sum(parts_gb) == pytest.approx(result.memory.usable / GB, abs=0.06 * len(lines))


def test_training_shows_gradients_and_optimizer_instead_of_a_cache(service: Service) -> None:
    answer = answer_of(service, VERDICTS["training"])
    keys = {row.key for row in words.rows(answer, *next(served(answer)), load_texts("en"))}
    assert {"gradients", "optimizer"} <= keys
    assert "kv_cache" not in keys


def test_what_does_not_fit_is_called_missing_and_not_free(service: Service) -> None:
    answer = answer_of(service, VERDICTS["single_node"])
    workload, result = next(served(answer))
    tight = replace(result, memory=replace(result.memory, weights=result.memory.usable))
    rows = words.rows(answer, workload, tight, load_texts("en"))
    missing = next(row for row in rows if row.key == "free")
    assert missing.cells[0].words == "Missing"
    assert missing.cells[0].ink == "block"


@pytest.mark.parametrize(("weights", "role"), [(0.35, "ok"), (0.65, "warn"), (0.75, "block")])
def test_the_weights_are_judged_by_the_two_limits(service: Service, weights: float, role: str) -> None:
    _, result = next(served(answer_of(service, VERDICTS["single_node"])))
    memory = replace(result.memory, weights=weights * result.memory.usable)
    told, ink = words.judgement(memory, 0.6, 0.7, load_texts("en"))
    assert ink == role
    assert f"{weights * 100:.0f}\u00a0%" in told


def test_capacity_is_rounded_down_and_stands_beside_what_is_asked(service: Service) -> None:
    workload, result = next(served(answer_of(service, VERDICTS["single_node"])))
    told = words.capacity(workload, result, load_texts("en"))
    assert f"{int(result.memory.max_concurrency_at_context)}\u00a0requests" in told
    assert f"{result.concurrency_per_copy}\u00a0requests" in told
    assert words.rounded_down(308_743.9) == 308_000
    assert words.rounded_down(87) == 87


def test_how_long_a_conversation_may_grow_is_said_where_it_is_known(service: Service) -> None:
    _, result = next(served(answer_of(service, VERDICTS["single_node"])))
    unknown = replace(result, memory=replace(result.memory, longest_context_tokens=None))
    known = replace(result, memory=replace(result.memory, longest_context_tokens=51_712))
    assert words.longest_context(unknown, load_texts("en")) == ""
    assert "51,700\u00a0tokens" in words.longest_context(known, load_texts("en"))


def test_the_stages_of_a_cluster_add_up_to_the_layers_of_the_model(
    service: Service, snapshot: CatalogSnapshot
) -> None:
    answer = answer_of(service, VERDICTS["multi_node"])
    workload, result = next(served(answer))
    stages = stage_memories(answer, workload, result, snapshot)
    configuration = answer.decision.configuration
    assert configuration is not None
    assert len(stages) == configuration.parallelism.pp
    assert sum(stage.layers for stage in stages) == workload.model.num_layers
    assert max(stage.memory.used for stage in stages) == pytest.approx(result.memory.used, rel=0.02)
    assert stages[-1].last == configuration.parallelism.gpus_per_copy - 1


def test_a_copy_without_stages_shows_none(service: Service, snapshot: CatalogSnapshot) -> None:
    answer = answer_of(service, VERDICTS["single_node"])
    assert stage_memories(answer, *next(served(answer)), snapshot) == ()


def test_opened_stages_stay_open(qtbot: QtBot, stage: Stage) -> None:
    view = stage.show("memory", VERDICTS["multi_node"])
    bars = len(parts(view, MemoryBar))
    parts(view, Expander)[0].toggle.click()
    settle()
    opened = len(parts(view, MemoryBar))
    assert opened > bars
    stage.fill(view, VERDICTS["multi_node"], "pt")
    assert len(parts(view, MemoryBar)) == opened
