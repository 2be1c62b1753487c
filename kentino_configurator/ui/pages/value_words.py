"""A stored value of a question in words, as a table shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.texts import Texts
from kentino_configurator.ui.pages.field_factory import country_entries, options_of, unit_words
from kentino_configurator.ui.pages.row_state import shown_value
from kentino_configurator.wizard.questions import OptionSource, Question, QuestionKind


def value_words(question: Question, value: Any, snapshot: CatalogSnapshot, texts: Texts) -> str:
    """Number with unit, option in words, name of a model or country; what is missing is said."""
    if value is None and question.optional:
        return texts.say("w.field.no_requirement")
    if value in (None, ""):
        return texts.say("w.field.empty")
    if question.kind is QuestionKind.MODEL and isinstance(value, str) and value in snapshot.models:
        return snapshot.models[value].name
    if question.option_source is OptionSource.COUNTRIES:
        return next(
            (entry.name for entry in country_entries(texts.locale) if entry.value == value), str(value)
        )
    for option in options_of(question, texts):
        if option.value == value and type(option.value) is type(value):
            return option.words
    shown = shown_value(question, value, texts)
    if isinstance(shown, Mapping):
        return f"{shown.get('amount', '')} {shown.get('unit', '')}".strip()
    return f"{shown}\u00a0{unit_words(question, texts)}".strip()
