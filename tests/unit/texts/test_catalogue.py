"""Texts of the three languages, messages in words, and what happens to mistakes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kentino_configurator.core.message import Listing, Quantity, message
from kentino_configurator.core.money import Money
from kentino_configurator.core.units import Unit
from kentino_configurator.texts import LOCALES, TextError, load_texts
from kentino_configurator.texts.catalogue import STRICT_VARIABLE, catalogue, missing_ids
from kentino_configurator.texts.files import read_language

NBSP = "\u00a0"


def test_locale_of_portuguese_is_the_european_one() -> None:
    assert (load_texts("pt").language, load_texts("pt").locale) == ("pt", "pt_PT")


def test_unknown_language_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match='"de" is not one of en, pt, cs'):
        load_texts("de")


def test_texts_of_a_language_are_read_once() -> None:
    assert load_texts("cs") is load_texts("cs")


def test_message_is_said_with_quantities_in_the_language() -> None:
    said = message(
        "f.circuit_too_small.text",
        circuit=Quantity(2900, Unit.WATTS),
        power=Quantity(6900, Unit.WATTS),
    )
    assert load_texts("en").say(said) == f"The circuit carries 2.9{NBSP}kW; the machine needs 6.9{NBSP}kW."
    assert f"2,9{NBSP}kW" in load_texts("pt").say(said)
    assert f"2,9{NBSP}kW" in load_texts("cs").say(said)


def test_text_id_is_said_with_keyword_arguments() -> None:
    assert load_texts("en").say("tr.unknown", missing="The model") == (
        "Cannot be answered: The model is missing."
    )


def test_keyword_arguments_are_added_to_those_of_a_message() -> None:
    assert load_texts("en").say(message("err.conflict", first="A", second="B"), reason="C") == (
        "A and B contradict each other: C."
    )


def test_nested_messages_and_listings_become_words() -> None:
    tips = Listing(
        (message("n.tip_rate", value=20), message("n.tip_budget", value=Money(100_000_00)), "a third reason")
    )
    assert load_texts("en").say("v.single_node.next", tipping=tips) == (
        f"The answer changes at: a load of 20 or more, a budget of 100,000{NBSP}EUR or less and a third reason."
    )


@pytest.mark.parametrize(
    ("items", "words"), [((), "nenhum"), (("a",), "a"), (("a", "b"), "a e b"), (("a", "b", "c"), "a, b e c")]
)
def test_listing_is_joined_as_the_language_does(items: tuple[str, ...], words: str) -> None:
    assert load_texts("pt").words(Listing(items)) == words


@given(st.text())
def test_names_are_printed_as_they_are(name: str) -> None:
    assert load_texts("en").say("tr.not_asked", reason=name) == f"Not relevant here: {name}."


def test_arguments_that_look_like_placeholders_are_not_filled() -> None:
    assert load_texts("en").say("err.conflict", first="{second}", second="B", reason="{reason}") == (
        "{second} and B contradict each other: {reason}."
    )


def test_literal_numbers_in_sentences_do_not_break() -> None:
    assert f"100{NBSP}Gb/s" in load_texts("en").sentences["v.replicas.text"]
    assert f"300{NBSP}000 páginas" in load_texts("pt").sentences["preset.corpus_by_friday.help"]


def test_unknown_id_is_an_error_in_tests() -> None:
    with pytest.raises(TextError, match=r'there is no text "f\.nothing\.text"'):
        load_texts("en").say("f.nothing.text")


def test_missing_argument_is_an_error_in_tests_and_names_what_was_given() -> None:
    with pytest.raises(TextError, match=r'"err\.required" needs "why"; given: because'):
        load_texts("en").say("err.required", because="of that")


def test_mistakes_degrade_visibly_in_the_shipped_program(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(STRICT_VARIABLE)
    texts = load_texts("en")
    assert texts.say("f.nothing.text") == "[f.nothing.text]"
    assert texts.say("err.required") == "This answer is needed: [why]."
    assert texts.say("err.required", why=None) == "This answer is needed: not known."  # type: ignore[arg-type]
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3


def test_has_tells_known_ids() -> None:
    assert load_texts("cs").has("o.yes")
    assert not load_texts("cs").has("o.perhaps")


@pytest.fixture
def small_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two English texts, one of them translated to Portuguese."""
    for language, texts in (("en", {"a": "Yes", "b": "Only English"}), ("pt", {"a": "Sim"})):
        folder = tmp_path / "texts" / language
        folder.mkdir(parents=True)
        (folder / "part.json").write_text(json.dumps(texts), encoding="utf-8")
    monkeypatch.setattr("kentino_configurator.texts.catalogue.resource_dir", lambda: tmp_path)
    forget_texts()
    yield
    forget_texts()


def forget_texts() -> None:
    load_texts.cache_clear()
    catalogue.cache_clear()


@pytest.mark.usefixtures("small_texts")
def test_untranslated_text_falls_back_to_english_and_is_listed() -> None:
    assert [load_texts("pt").say(text_id) for text_id in "ab"] == ["Sim", "Only English"]
    assert missing_ids("pt") == ("b",)


@pytest.mark.parametrize(
    "files", [{"one.json": '{"a": "1", "a": "2"}'}, {"one.json": '{"a": "1"}', "two.json": '{"a": "2"}'}]
)
def test_duplicate_id_is_refused_within_and_across_files(tmp_path: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match='text "a" exists twice'):
        read_language(tmp_path)


def test_pseudo_language_is_accented_and_longer_and_keeps_placeholders() -> None:
    english, pseudo = load_texts("en").sentences, load_texts("pseudo").sentences
    assert pseudo.keys() == english.keys()
    label = "q.d_think_time.label"
    assert len(pseudo[label]) >= 1.35 * len(english[label])
    assert not pseudo[label].isascii()
    said = load_texts("pseudo").say("err.required", why="reason {x}")
    assert "reason {x}" in said


def test_every_language_can_say_every_unit() -> None:
    for language in LOCALES:
        for unit in Unit:
            for value in (0, 1, 2.5, 1e5, 1e13):
                assert load_texts(language).words(Quantity(value, unit))


def test_english_sentences_do_not_wait_for_babel() -> None:
    script = (
        "import sys\n"
        "from kentino_configurator.core.message import Quantity, message\n"
        "from kentino_configurator.core.units import Unit\n"
        "from kentino_configurator.texts import load_texts\n"
        "load_texts('en').say('tr.5.yes', tokens=Quantity(1.5e12, Unit.TOKENS),"
        " parameters=Quantity(7e10, Unit.PARAMETERS), gpu_months=Quantity(900, Unit.GPU_MONTHS))\n"
        "print('babel' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
