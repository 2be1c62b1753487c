"""Which entries a request may hold, and how each is read: the questionnaire turned into a tree of readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from kentino_configurator.core.request import JobKind
from kentino_configurator.wizard import readers
from kentino_configurator.wizard.questions import JOB_INDEX, Question, QuestionKind, questionnaire
from kentino_configurator.wizard.readers import Read

SCHEMA_VERSION: Final = 1
MAX_WORKLOADS: Final = 40
_INSIDE_ANOTHER_ENTRY: Final = ("m_config_file", "m_architecture", "j_has_plan")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One entry with its reader."""

    read: Read


@dataclass(frozen=True, slots=True)
class Branch:
    """An object with its known keys. ``repeated``: a list of such objects."""

    children: Mapping[str, "Branch | Leaf"]
    repeated: bool = False


@cache
def request_schema() -> Branch:
    """The tree of all entries of a request."""
    leaves = dict(_question_leaves())
    leaves["schema_version"] = readers.schema_version(SCHEMA_VERSION)
    leaves["growth.buy_now"] = readers.yes_no
    leaves[f"workloads{JOB_INDEX}.kind"] = readers.one_of(tuple(JobKind))
    return _branch(leaves)


def _question_leaves() -> list[tuple[str, Read]]:
    return [
        (question.field, _reader(question))
        for question in questionnaire().questions
        if question.field and question.id not in _INSIDE_ANOTHER_ENTRY
    ]


def _branch(leaves: Mapping[str, Read]) -> Branch:
    """Nested branches from flat paths such as ``workloads[i].ttft_s``."""
    children: dict[str, Branch | Leaf] = {}
    for head in dict.fromkeys(path.partition(".")[0] for path in leaves):
        below = {
            path.partition(".")[2]: read for path, read in leaves.items() if path.partition(".")[0] == head
        }
        if "" in below:
            children[head] = Leaf(below[""])
        else:
            name = head.removesuffix(JOB_INDEX)
            children[name] = Branch(_branch(below).children, repeated=name != head)
    return Branch(children)


_BY_KIND: Final[Mapping[QuestionKind, Callable[[Question], Read]]] = {
    QuestionKind.TEXT: readers.text,
    QuestionKind.NUMBER: readers.number,
    QuestionKind.CHOICE: readers.choice,
    QuestionKind.MULTI_CHOICE: readers.names,
    QuestionKind.AMOUNT: readers.amount,
    QuestionKind.MODEL: readers.model,
    QuestionKind.LIST: readers.circuits,
    QuestionKind.DATE: readers.date,
    QuestionKind.TABLE: readers.reviewed,
}


def _reader(question: Question) -> Read:
    read = _BY_KIND[question.kind](question)
    return readers.or_null(read) if question.optional else readers.not_null(read)


def known_paths() -> tuple[str, ...]:
    """All entries as paths without the workload's number, for suggestions."""
    return tuple(_paths(request_schema(), ""))


def _paths(branch: Branch, prefix: str) -> list[str]:
    found: list[str] = []
    for key, child in branch.children.items():
        path = f"{prefix}{key}"
        found.append(path)
        if isinstance(child, Branch):
            found += _paths(child, f"{path}[]." if child.repeated else f"{path}.")
    return found
