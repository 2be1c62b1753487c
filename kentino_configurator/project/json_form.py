"""A project as JSON and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from kentino_configurator.core.answers import Answers
from kentino_configurator.project.document import SCHEMA_VERSION, IssuedQuote, Project, Variant

_TEXT_FIELDS: Final = (
    "id",
    "title",
    "document_language",
    "created",
    "modified",
    "catalog_version",
    "catalog_sha256",
    "app_version",
    "internal_notes",
)


class FormError(ValueError):
    """The JSON is no project; the message says what is wrong with it."""


def project_to_json(project: Project) -> dict[str, Any]:
    """The JSON tree of a project file."""
    return {
        "schema_version": SCHEMA_VERSION,
        **{name: getattr(project, name) for name in _TEXT_FIELDS},
        "active": project.active,
        "variants": [
            {"name": variant.name, "answers": dict(variant.answers.tree)} for variant in project.variants
        ],
        "quotes": [
            {"number": quote.number, "revision": quote.revision, "issued_on": quote.issued_on}
            for quote in project.quotes
        ],
    }


def project_from_json(tree: Any) -> Project:
    """The project in a JSON tree of the current form. Raises ``FormError``."""
    if not isinstance(tree, Mapping):
        raise FormError("it holds no JSON object")
    variants = _variants(tree.get("variants"))
    active = tree.get("active", 0)
    if isinstance(active, bool) or not isinstance(active, int) or not 0 <= active < len(variants):
        raise FormError('"active" is not the number of a variant')
    texts = {name: _text(tree, name) for name in _TEXT_FIELDS}
    return Project(variants=variants, active=active, quotes=_quotes(tree.get("quotes", [])), **texts)


def encode(tree: Mapping[str, Any]) -> bytes:
    """JSON as UTF-8, readable for people; text that UTF-8 cannot hold is written as escapes."""
    try:
        return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
    except UnicodeEncodeError:
        return (json.dumps(tree, ensure_ascii=True, indent=1) + "\n").encode("ascii")


def _variants(entries: Any) -> tuple[Variant, ...]:
    if not isinstance(entries, list) or not entries:
        raise FormError('"variants" is not a list with at least one variant')
    return tuple(_variant(entry, number) for number, entry in enumerate(entries))


def _variant(entry: Any, number: int) -> Variant:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("answers"), Mapping):
        raise FormError(f'"variants[{number}]" has no "answers"')
    return Variant(name=_text(entry, "name"), answers=Answers(dict(entry["answers"])))


def _quotes(entries: Any) -> tuple[IssuedQuote, ...]:
    if not isinstance(entries, list):
        raise FormError('"quotes" is not a list')
    return tuple(_quote(entry, number) for number, entry in enumerate(entries))


def _quote(entry: Any, number: int) -> IssuedQuote:
    try:
        day = date.fromisoformat(entry["issued_on"])
        return IssuedQuote(
            number=str(entry["number"]), revision=int(entry["revision"]), issued_on=day.isoformat()
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FormError(f'"quotes[{number}]" is no number, revision and date') from error


def _text(tree: Mapping[str, Any], name: str) -> str:
    value = tree.get(name, "")
    if not isinstance(value, str):
        raise FormError(f'"{name}" is not text')
    return value
