"""Every finding and verdict has words in every shipped language; no sentence lacks a value it asks for."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kentino_configurator
from kentino_configurator.core.decision import Severity, Verdict
from kentino_configurator.core.evidence import Evidence
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts import LOCALES
from kentino_configurator.texts.catalogue import catalogue, missing_ids
from kentino_configurator.texts.unit_forms import FORMS

TRANSLATIONS = tuple(language for language in LOCALES if language != "en")
PLURALS = ("one", "few", "many", "other")
PLACEHOLDER = re.compile(r"\{(\w+)\}")
FINDINGS = json.loads((resource_dir() / "findings.json").read_text(encoding="utf-8"))
SOURCES = sorted(Path(kentino_configurator.__file__).parent.rglob("*.py"))


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_english_text_is_translated(language: str) -> None:
    assert missing_ids(language) == ()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_translation_lacks_its_english_text(language: str) -> None:
    assert catalogue(language).keys() - catalogue("en").keys() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_use_the_placeholders_of_the_english_text(language: str) -> None:
    english, translated = catalogue("en"), catalogue(language)
    different = {
        text_id: placeholders(text) ^ placeholders(translated[text_id])
        for text_id, text in english.items()
        if text_id in translated and placeholders(text) != placeholders(translated[text_id])
    }
    assert different == {}


@pytest.mark.parametrize("language", LOCALES)
def test_braces_stand_only_around_placeholders(language: str) -> None:
    outside = {text_id: PLACEHOLDER.sub("", text) for text_id, text in catalogue(language).items()}
    assert [text_id for text_id, text in outside.items() if set("{}") & set(text)] == []


@pytest.mark.parametrize("language", LOCALES)
def test_no_text_is_empty_or_padded(language: str) -> None:
    texts = catalogue(language).items()
    assert [text_id for text_id, text in texts if not text or text != text.strip()] == []


@pytest.mark.parametrize("rule", FINDINGS)
def test_every_finding_has_text_why_and_change_that_need_no_unknown_value(rule: str) -> None:
    texts = catalogue("en")
    needed = set().union(*(placeholders(texts[f"{rule}.{part}"]) for part in ("text", "why", "change")))
    assert needed == set(FINDINGS[rule]["placeholders"])


def test_severities_of_findings_are_those_of_the_engine_or_come_from_the_rule() -> None:
    assert {finding["severity"] for finding in FINDINGS.values()} <= {*Severity, "from-rule"}


def test_every_finding_text_belongs_to_a_listed_finding() -> None:
    written = {text_id.rpartition(".")[0] for text_id in catalogue("en") if text_id.startswith("f.")}
    assert written == set(FINDINGS)


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_its_four_texts(verdict: Verdict) -> None:
    ids = [f"v.{verdict}.{part}" for part in ("title", "headline", "text", "next")]
    assert [text_id for text_id in ids if text_id not in catalogue("en")] == []


def test_every_severity_and_evidence_has_a_word_and_an_explanation() -> None:
    ids = [f"sev.{severity}.{part}" for severity in Severity for part in ("label", "help")]
    ids += [f"ev.{evidence}.{part}" for evidence in Evidence for part in ("label", "help")]
    assert [text_id for text_id in ids if text_id not in catalogue("en")] == []


@pytest.mark.parametrize("language", LOCALES)
def test_every_unit_has_its_texts(language: str) -> None:
    texts = catalogue(language)
    for form in (form for forms in FORMS.values() for form in forms):
        ids = [f"{form.text_id}.{kind}" for kind in PLURALS] if form.counted else [form.text_id]
        wanted = {"count"} if form.counted else {"value"}
        assert [placeholders(texts[text_id]) for text_id in ids] == [wanted] * len(ids)


def said_in(path: Path) -> Iterator[tuple[str, str, set[str] | None]]:
    """Place, text id and argument names of each message in a file; names are ``None`` when computed."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _says(node.func) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                names = {keyword.arg for keyword in node.keywords}
                complete = None if None in names else {name for name in names if name}
                yield f"{path.name}:{node.lineno}", first.value, complete


def _says(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id == "message"
    return isinstance(function, ast.Attribute) and function.attr in ("say", "fill")


def test_source_files_say_only_texts_that_exist() -> None:
    unknown = [
        f"{place} {text_id}"
        for path in SOURCES
        for place, text_id, _ in said_in(path)
        if text_id not in catalogue("en")
    ]
    assert unknown == []


def test_source_files_give_every_sentence_its_values() -> None:
    short = [
        f"{place} {text_id} needs {sorted(missing)}"
        for path in SOURCES
        for place, text_id, names in said_in(path)
        if names is not None and (missing := placeholders(catalogue("en").get(text_id, "")) - names)
    ]
    assert short == []
