"""A JSON file that is opened or dropped: a request, or the description of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kentino_configurator.core.answers import Answers
from kentino_configurator.files import parse_json

LARGEST_FILE_BYTES: Final = 20 * 2**20
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
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise RequestFileError(f"{path}: larger than 20 MB; a request is far smaller.")
        tree = parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RequestFileError(f"{path}: cannot be read ({reason}); choose an existing file.") from error
    except (ValueError, RecursionError) as error:
        raise RequestFileError(f"{path}: is not valid JSON; choose a request or a config.json.") from error
    if not isinstance(tree, Mapping):
        raise RequestFileError(f"{path}: holds no JSON object; choose a request or a config.json.")
    return tree
