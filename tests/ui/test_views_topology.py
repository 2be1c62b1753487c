"""The topology view: it hosts the drawing and keeps it while the machine stays the same."""

from __future__ import annotations

import pytest

from kentino_configurator.ui.topology_view import TopologyView
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.topology import WiringView
from tests.ui.views import VERDICTS, Stage, parts

WITH_MACHINE = {name: preset for name, preset in VERDICTS.items() if name not in ("refer_sxm", "no_answer")}


@pytest.mark.parametrize("preset", WITH_MACHINE.values(), ids=WITH_MACHINE)
def test_a_machine_is_drawn_with_its_tree(stage: Stage, preset: str) -> None:
    view = stage.show("topology", preset)
    assert isinstance(view, WiringView)
    assert view.topology.isVisible()
    model = view.topology.tree.model()
    assert model is not None and model.rowCount() > 0


def test_what_was_selected_stays_while_the_machine_stays(stage: Stage) -> None:
    view = stage.show("topology", VERDICTS["single_node_int4"])
    assert isinstance(view, WiringView)
    first, second = view.topology.chosen
    view.topology.choose_pair(second, first)
    stage.fill(view, VERDICTS["single_node_int4"])
    assert view.topology.chosen == (second, first)


def test_without_a_machine_the_place_says_so_and_comes_back(stage: Stage) -> None:
    view = stage.show("topology", VERDICTS["refer_sxm"])
    assert parts(view, TopologyView) == []
    assert len(parts(view, EmptyState)) == 1
    stage.fill(view, VERDICTS["single_node"])
    assert len(parts(view, TopologyView)) == 1
    assert parts(view, EmptyState) == []
