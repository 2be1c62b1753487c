from __future__ import annotations

import pytest

from kentino_configurator.core.decision import Verdict
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts.catalogue import catalogue
from kentino_configurator.wizard.presets import PresetGroup, load_preset, presets


def test_ten_customers_and_four_demonstrations_are_listed() -> None:
    groups = [preset.group for preset in presets()]
    assert groups.count(PresetGroup.CUSTOMER) == 10
    assert groups.count(PresetGroup.DEMONSTRATION) == 4


def test_the_list_and_the_files_agree() -> None:
    files = {path.stem for path in (resource_dir() / "presets").glob("[a-z]*.json")}
    assert files == {preset.name for preset in presets()}


def test_every_verdict_is_expected_of_some_preset() -> None:
    assert {verdict for preset in presets() for verdict in preset.expected_verdicts} == set(Verdict)


@pytest.mark.parametrize("language", ["en", "pt", "cs"])
def test_every_preset_has_a_title_and_a_line(language: str) -> None:
    needed = {text for preset in presets() for text in (preset.label, preset.help)}
    assert needed - set(catalogue(language)) == set()


def test_an_unknown_preset_is_an_error() -> None:
    with pytest.raises(KeyError):
        load_preset("../questions")
