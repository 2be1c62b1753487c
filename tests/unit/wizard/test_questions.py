from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kentino_configurator.catalog.names import resolve_gpus, resolve_model
from kentino_configurator.core.answers import Answers, format_path, parse_path
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.paths import resource_dir
from kentino_configurator.texts.catalogue import catalogue
from kentino_configurator.wizard import assumptions, defaults, layout_reading
from kentino_configurator.wizard.defaults import RULES as DEFAULT_RULES
from kentino_configurator.wizard.defaults import default_of
from kentino_configurator.wizard.known import know
from kentino_configurator.wizard.questions import QuestionKind, questionnaire
from kentino_configurator.wizard.relevance import RULES as RELEVANCE_RULES
from kentino_configurator.wizard.relevance import RULES_OF_THE_PLAN

QUESTIONS = questionnaire().questions
LANGUAGES = ("en", "pt", "cs")


def test_there_are_seven_pages_in_the_order_of_a_conversation() -> None:
    assert [page.id for page in questionnaire().pages] == [
        "job", "model", "demand", "training", "site", "terms", "review",
    ]  # fmt: skip


def test_every_question_belongs_to_exactly_one_page() -> None:
    on_pages = [question.id for page in questionnaire().pages for question in page.questions]
    assert sorted(on_pages) == sorted(question.id for question in QUESTIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_page_section_option_and_origin_has_its_texts(language: str) -> None:
    needed = {question.text(part) for question in QUESTIONS for part in ("label", "help", "error")}
    needed |= {option.text for question in QUESTIONS for option in question.options if option.text}
    needed |= {question.origin for question in QUESTIONS if question.origin}
    needed |= {f"moves.{question.moves}" for question in QUESTIONS}
    needed |= {f"page.{page.id}.{part}" for page in questionnaire().pages for part in ("label", "question")}
    needed |= {f"section.{section}.label" for page in questionnaire().pages for section in page.sections}
    needed |= {profile.origin for profile in questionnaire().profiles.values()}
    needed |= {word.origin for word in questionnaire().latency_words.values()}
    needed |= {f"job.{job}" for job in questionnaire().jobs}
    assert needed - set(catalogue(language)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_origin_that_the_default_rules_name_has_its_text(language: str) -> None:
    files = [resource_dir() / "questions.toml"]
    files += [Path(str(module.__file__)) for module in (assumptions, defaults, layout_reading)]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    origins = set(re.findall(r'"(origin\.\w+)"', source))
    assert len(origins) > 50
    assert origins - set(catalogue(language)) == set()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_text_of_the_wizard_is_translated_with_the_same_placeholders(language: str) -> None:
    def placeholders(text: str) -> set[str]:
        return {part.split("}")[0] for part in text.split("{")[1:]}

    def part(name: str) -> dict[str, str]:
        path = resource_dir() / "texts" / name / "wizard.json"
        texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return texts

    english, other = part("en"), part(language)
    assert list(english) == list(other)
    assert {key for key in english if placeholders(english[key]) != placeholders(other[key])} == set()


def test_every_named_rule_exists() -> None:
    known_rules = set(RELEVANCE_RULES) | RULES_OF_THE_PLAN
    assert {question.shown_when for question in QUESTIONS} <= known_rules
    assert {question.assumed_when for question in QUESTIONS} <= known_rules
    assert {page.shown_when for page in questionnaire().pages} <= set(RELEVANCE_RULES)
    assert {question.rule for question in QUESTIONS if question.rule} <= set(DEFAULT_RULES)


def test_no_default_rule_and_no_relevance_rule_is_left_unused() -> None:
    named = {question.shown_when for question in QUESTIONS} | {
        question.assumed_when for question in QUESTIONS
    }
    named |= {page.shown_when for page in questionnaire().pages}
    assert set(DEFAULT_RULES) == {question.rule for question in QUESTIONS if question.rule}
    assert set(RELEVANCE_RULES) - {"always"} <= named


def test_every_listed_default_says_where_it_comes_from() -> None:
    assert [question.id for question in QUESTIONS if question.listed and not question.origin] == []


def test_the_default_of_every_question_can_be_read_back_as_its_answer(snapshot: CatalogSnapshot) -> None:
    known, _ = know(Answers({"limits": {"requested": {}}}), snapshot)
    for question in QUESTIONS:
        default = default_of(known, question).value
        if not question.field or default is None or question.id in ("j_has_plan", "m_config_file"):
            continue
        _, problems = know(Answers({}).with_value(question.path(), default), snapshot)
        assert [problem.line() for problem in problems] == [], question.id


def test_the_paths_of_all_fields_differ_and_survive_parsing() -> None:
    fields = [question.field for question in QUESTIONS if question.field]
    assert len(fields) == len(set(fields))
    for question in QUESTIONS:
        assert format_path(parse_path(question.path(3))) == question.path(3)


def test_ranges_are_in_order_and_defaults_lie_inside() -> None:
    for question in QUESTIONS:
        if question.minimum is not None and question.maximum is not None:
            assert question.minimum < question.maximum, question.id
        if question.kind is QuestionKind.NUMBER and isinstance(question.default, int | float):
            shown = question.default / question.scale
            assert (question.minimum or 0) <= shown <= (question.maximum or shown), question.id


def test_the_catalogue_knows_every_model_and_gpu_the_questionnaire_names(snapshot: CatalogSnapshot) -> None:
    models = {job.model for job in questionnaire().jobs.values()} | set(questionnaire().size_classes.values())
    assert {name for name in models if resolve_model(snapshot, name) is None} == set()
    assert resolve_gpus(snapshot, questionnaire().by_id["j_plan_gpu"].default)
