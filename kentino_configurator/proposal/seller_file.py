"""The seller's own data as an administrator wrote it: a TOML file beside the preferences, empty until then."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any, Final

from kentino_configurator import paths
from kentino_configurator.proposal.terms import SellerProfile

FILE_NAME: Final = "seller.toml"
_FIELDS: Final = tuple(field.name for field in fields(SellerProfile))


class SellerError(Exception):
    """The file cannot be used; the message is one sentence: where, what, what would be right."""


def seller_path() -> Path:
    """Where the profile of this machine is kept."""
    return paths.user_config_dir() / FILE_NAME


def load_seller(path: Path | None = None) -> SellerProfile:
    """The profile in the file; an empty one when there is no file. Raises ``SellerError``.

    A profile is never guessed from public data: what is not in the file is printed as "to be completed".
    """
    path = path or seller_path()
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return SellerProfile()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SellerError(f"{path}: cannot be read ({reason}); make it readable or remove it.") from error
    except ValueError as error:
        raise SellerError(f"{path}: is no valid TOML ({error}).") from error
    return SellerProfile(**{name: _text(path, name, value) for name, value in tree.items()})


def _text(path: Path, name: str, value: Any) -> str:
    if name not in _FIELDS:
        raise SellerError(f'{path}: "{name}" is unknown; the names are {", ".join(_FIELDS)}.')
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str):
        raise SellerError(f'{path}: "{name}" is not a text in quotes.')
    return value.strip()
