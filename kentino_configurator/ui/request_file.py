"""A JSON file that is opened or dropped: a request, or the description of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kentino_configurator.core.answers import Answers
from kentino_configurator.files import UnreadableFileError, read_json

_MODEL_KEYS: Final = frozenset({"architectures", "model_type", "num_hidden_layers", "hidden_size"})


class RequestFileError(Exception):
    """A file that cannot be opened; the message says where, what, and what would be right."""


def load_request_file(path: Path) -> Answers:
    """The answers in a request file; for a model's ``config.json`` the answers that name it."""
    tree = _read(path)
    if _MODEL_KEYS & set(tree):
        return Answers({"workloads": [{"model": {"config": str(path)}}]})
    return Answers(tree)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        tree = read_json(path)
    except UnreadableFileError as error:
        raise RequestFileError(str(error)) from error
    if not isinstance(tree, Mapping):
        raise RequestFileError(f"{path}: holds no JSON object; choose a request or a config.json.")
    return tree
