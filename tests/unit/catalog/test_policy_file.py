"""Thresholds with unit, evidence and source."""

from __future__ import annotations

from pathlib import Path

import pytest

from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.policy_file import read_policy
from kentino_configurator.core.evidence import Evidence

GOOD = '[a.b]\nvalue = 1.5\nunit = "share"\nevidence = "assumed"\nsource = "planning choice"\nnote = "n"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_table_becomes_an_entry_named_by_its_path(tmp_path: Path) -> None:
    policy = read_policy(written(tmp_path, GOOD))
    assert policy["a.b"] == 1.5
    assert policy.entry("a.b").evidence is Evidence.ASSUMED


def test_an_unknown_threshold_is_a_key_error(policy: Path) -> None:
    with pytest.raises(KeyError):
        read_policy(policy)["no.such"]


def test_the_shipped_policy_holds_the_numbers_of_the_decision(policy: Path) -> None:
    values = read_policy(policy)
    assert (values["weights.comfortable_share"], values["weights.ceiling_share"]) == (0.60, 0.70)
    assert values["efficiency.gate"] == 0.60
    assert (values["engine.gpu_memory_utilization"], values["engine.gpu_memory_utilization_96gb"]) == (
        0.90,
        0.92,
    )
    assert (values["field.tp8_one_node"], values["field.tp_2x4"]) == (0.73, 0.65)
    assert values.entry("field.tp8_one_node").evidence is Evidence.FIELD
    assert values["circuit.continuous_share"] == 0.8
    hours = [values[f"ops.base_node_hours_{column}"] for column in ("low", "middle", "high")]
    assert hours == [17, 170, 860]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("1.5", '"high"'), r"a\.b: value must be a number"),
        (GOOD.replace("1.5", "true"), r"a\.b: value must be a number"),
        (GOOD.replace('"share"', '"parsecs"'), r"a\.b: unknown unit 'parsecs'"),
        (GOOD.replace('"planning choice"', '""'), r"a\.b: a source must be given"),
        (GOOD.replace('"assumed"', '"guess"'), r"a\.b: evidence must be one of"),
        (GOOD + "colour = 1\n", r"a\.b: unknown key colour"),
        ("a = 1\n", "a: a table with value"),
        ("[a\n", "cannot be read as TOML"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CatalogError, match=message):
        read_policy(written(tmp_path, text))
