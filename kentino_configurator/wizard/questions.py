"""The questionnaire as data: ``resources/questions.toml`` loaded once into immutable values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from kentino_configurator import paths

JOB_INDEX: Final = "[i]"


class QuestionKind(StrEnum):
    """How an answer is given."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    MULTI_CHOICE = "multi_choice"
    AMOUNT = "amount"
    """A number with a unit from ``options``; the answer is ``{"amount": 1000, "unit": "pages"}``."""
    MODEL = "model"
    LIST = "list"
    """Rows of several numbers; only ``s_circuits``."""
    FILE = "file"
    DATE = "date"
    TABLE = "table"


class OptionSource(StrEnum):
    """Where the options of a choice come from when they are not in the file."""

    NONE = ""
    COUNTRIES = "countries"
    """ISO 3166-1 alpha-2 codes (``wizard.countries``)."""
    GPUS = "gpus"
    """Spellings that ``catalog.names.resolve_gpus`` understands."""
    WARRANTIES = "warranties"
    """Parts of the catalogue in the category ``warranty``; free text where it has none."""


class Moves(StrEnum):
    """How strongly an answer moves the result."""

    NOTHING = "nothing"
    DOCUMENT = "document"
    WEAK = "weak"
    MEDIUM = "medium"
    STRONG = "strong"
    VERY_STRONG = "very_strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option. ``value`` is written into the answers; an empty ``text`` means: show the value as it is."""

    value: str | int | bool
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. Its texts are ``q.<id>.label``, ``q.<id>.help`` and ``q.<id>.error``.

    ``field``: path of its answer, ``[i]`` stands for the workload; empty when it only leads to other
    answers (``wizard.answering`` says how). ``minimum``, ``maximum``: range of a number in the unit shown,
    or length of a text. ``scale``: the stored value is the shown one times ``scale`` (0.01 for a percentage
    kept as a share). ``optional``: may be emptied on purpose, which stores ``None``, "no such requirement".
    ``also``: values a file may hold although they are not offered. ``default``: a JSON value, unless
    ``rule`` names a function of ``wizard.defaults``. ``origin``: text id of where the default comes from.
    ``offered``: a value offered beside it. ``shown_when`` and ``assumed_when`` name rules of
    ``wizard.relevance``: when the question is asked, and when its default is an assumption; ``listed``:
    whether the result prints that assumption.
    """

    id: str
    page: str
    section: str
    kind: QuestionKind
    field: str
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    whole: bool = False
    optional: bool = False
    per_workload: bool = False
    scale: float = 1.0
    options: tuple[Option, ...] = ()
    option_source: OptionSource = OptionSource.NONE
    also: tuple[str | int | bool, ...] = ()
    default: Any = None
    rule: str = ""
    origin: str = ""
    offered: Any = None
    shown_when: str = "always"
    assumed_when: str = "always"
    expert: bool = False
    moves: Moves = Moves.NOTHING
    listed: bool = True

    @property
    def is_yes_no(self) -> bool:
        """Whether the two options are yes and no."""
        return {option.value for option in self.options} == {True, False}

    def path(self, workload: int = 0) -> str:
        """The path of the answer for one workload."""
        return self.field.replace(JOB_INDEX, f"[{workload}]")

    def text(self, part: str) -> str:
        """The text id of ``label``, ``help`` or ``error``."""
        return f"q.{self.id}.{part}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. Texts: ``page.<id>.label`` (rail) and ``page.<id>.question`` (heading).

    ``sections`` are ids in the order of appearance, with texts ``section.<id>.label``.
    """

    id: str
    shown_when: str
    sections: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthProfile:
    """Typical lengths of one request, in tokens, with the origin (text id) of the figures."""

    id: str
    input_tokens: int
    output_tokens: int
    max_context_tokens: int
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyWord:
    """A word for waiting and its two numbers; ``None`` = nobody waits."""

    id: str
    ttft_s: float | None
    tokens_per_s_per_user: float | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One of the window's eleven job kinds: the request's kind it stands for and its own defaults."""

    id: str
    kind: str
    model: str
    model_origin: str = "origin.model_of_job"
    profile: str = ""
    latency: str = ""
    active_share: float = 0.2
    think_time_s: float = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Questionnaire:
    """Everything in ``questions.toml``, in file order.

    ``tokens_per_word`` is keyed by language group, ``size_classes`` maps a class to its stand-in model,
    ``figures`` holds single assumptions (words per page, instruction tokens per document, ...).
    """

    pages: tuple[Page, ...]
    jobs: Mapping[str, Job]
    profiles: Mapping[str, LengthProfile]
    latency_words: Mapping[str, LatencyWord]
    tokens_per_word: Mapping[str, float]
    size_classes: Mapping[str, str]
    figures: Mapping[str, float]
    by_id: Mapping[str, Question]

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions of all pages."""
        return tuple(self.by_id.values())

    def page(self, page_id: str) -> Page:
        """The page with that id; an unknown id raises ``KeyError``."""
        for page in self.pages:
            if page.id == page_id:
                return page
        raise KeyError(page_id)


@cache
def questionnaire() -> Questionnaire:
    """The shipped questionnaire, read once per process."""
    text = (paths.resource_dir() / "questions.toml").read_text(encoding="utf-8")
    return parse_questionnaire(tomllib.loads(text))


def parse_questionnaire(data: Mapping[str, Any]) -> Questionnaire:
    """A questionnaire from the parsed file; a wrong entry raises ``TypeError`` or ``ValueError``."""
    questions = tuple(_question(entry) for entry in data["question"])
    return Questionnaire(
        pages=tuple(_page(entry, questions) for entry in data["page"]),
        jobs={entry["id"]: Job(**entry) for entry in data["job"]},
        profiles={entry["id"]: LengthProfile(**entry) for entry in data["profile"]},
        latency_words={entry["id"]: _latency_word(entry) for entry in data["latency"]},
        tokens_per_word=dict(data["tokens_per_word"]),
        size_classes=dict(data["size_class"]),
        figures=dict(data["figures"]),
        by_id={question.id: question for question in questions},
    )


def _page(entry: Mapping[str, Any], questions: tuple[Question, ...]) -> Page:
    own = tuple(question for question in questions if question.page == entry["id"])
    return Page(
        id=entry["id"],
        shown_when=entry.get("shown_when", "always"),
        sections=tuple(dict.fromkeys(question.section for question in own)),
        questions=own,
    )


def _question(entry: Mapping[str, Any]) -> Question:
    given = dict(entry)
    prefix = given.pop("option_texts", "")
    options = tuple(_option(value, prefix) for value in given.pop("options", ()))
    return Question(
        id=given.pop("id"),
        kind=QuestionKind(given.pop("kind")),
        option_source=OptionSource(given.pop("option_source", "")),
        moves=Moves(given.pop("moves")),
        minimum=given.pop("min", None),
        maximum=given.pop("max", None),
        also=tuple(given.pop("also", ())),
        options=options,
        assumed_when=given.pop("assumed_when", entry.get("shown_when", "always")),
        per_workload=given.pop("per_workload", JOB_INDEX in entry["field"]),
        **given,
    )


def _option(value: str | int | bool, prefix: str) -> Option:
    if isinstance(value, bool):
        return Option(value=value, text="o.yes" if value else "o.no")
    return Option(value=value, text=f"{prefix}.{value}" if prefix else "")


def _latency_word(entry: Mapping[str, Any]) -> LatencyWord:
    return LatencyWord(
        id=entry["id"],
        ttft_s=entry.get("ttft_s"),
        tokens_per_s_per_user=entry.get("tokens_per_s_per_user"),
        origin=entry["origin"],
    )
