"""What runs where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.message import Message
from kentino_configurator.core.topology import TopologyGraph
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.topology.groups import drawn_groups, tp_sets
from tests.unit.topology.machines import configure, platform, snapshot


def graph(gpus: int = 8, **how: int) -> TopologyGraph:
    return build_graph(configure(platform("gigabyte-g493-zb0"), gpus, **how), snapshot())  # type: ignore[arg-type]


def ids(found: TopologyGraph) -> list[str]:
    return [group.label.id for group in found.groups if isinstance(group.label, Message)]


def test_groups_stay_inside_a_socket_even_where_it_breaks_the_order() -> None:
    assert tp_sets(("S0", "S0", "S0", "S1", "S1", "S1"), 2) == ((0, 1), (2, 5), (3, 4))


def test_groups_cross_sockets_only_when_they_must() -> None:
    assert tp_sets(("S0",) * 4 + ("S1",) * 4, 8) == (tuple(range(8)),)


@given(st.lists(st.sampled_from(["S0", "S1"]), max_size=16), st.integers(1, 8))
def test_every_gpu_is_in_at_most_one_group_of_the_right_size(sockets: list[str], tp: int) -> None:
    sets = tp_sets(sorted(sockets), tp)
    members = [index for group in sets for index in group]
    assert len(members) == len(set(members)) == len(sockets) // tp * tp
    assert all(len(group) == tp for group in sets)


def test_pipeline_stages_take_a_socket_each() -> None:
    found = graph(tp=4, pp=2)
    assert [group.gpus for group in found.groups] == [
        ("n0.gpu0", "n0.gpu1", "n0.gpu2", "n0.gpu3"),
        ("n0.gpu4", "n0.gpu5", "n0.gpu6", "n0.gpu7"),
    ]
    assert ids(found) == ["topo.group.stage_tp"] * 2


def test_copies_are_spread_evenly_over_the_nodes() -> None:
    found = graph(nodes=2, tp=4, dp=4)
    assert [group.gpus[0] for group in found.groups] == ["n0.gpu0", "n0.gpu4", "n1.gpu0", "n1.gpu4"]


def test_fewer_copies_than_places_leave_gpus_without_a_group() -> None:
    assert [group.gpus for group in graph(tp=2, dp=3).groups] == [
        ("n0.gpu0", "n0.gpu1"),
        ("n0.gpu2", "n0.gpu3"),
        ("n0.gpu4", "n0.gpu5"),
    ]


def test_copies_on_one_gpu_each_are_shown_as_one_bracket() -> None:
    found = graph(dp=8)
    assert len(found.groups) == 8
    (shown,) = drawn_groups(found.groups)
    assert len(shown.gpus) == 8


def test_a_model_on_one_of_several_gpus_marks_that_one() -> None:
    (group,) = graph().groups
    assert group.gpus == ("n0.gpu0",)


def test_a_closed_node_says_what_it_runs() -> None:
    found = graph(nodes=3, tp=8, pp=3)
    details = [box.detail for box in found.boxes if box.id in ("n1", "n2")]
    assert [detail.args["stage"] for detail in details if isinstance(detail, Message)] == [1, 2]


def test_a_node_without_a_copy_is_spare() -> None:
    found = graph(nodes=3, tp=8, dp=2)
    (last,) = [box for box in found.boxes if box.id == "n2"]
    assert isinstance(last.detail, Message)
    assert last.detail.id == "topo.group.spare"
