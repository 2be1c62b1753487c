"""A project taken back out of a document that was made from it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kentino_configurator.files import LARGEST_FILE_BYTES, parse_json
from kentino_configurator.project.document import SCHEMA_VERSION, Project
from kentino_configurator.project.json_form import FormError, project_from_json
from kentino_configurator.project.migrate import migrate, version_of
from kentino_configurator.project.store import ProjectError

ATTACHED_PROJECT: Final = "project.kentino"
"""Name of the project among the files inside a PDF."""
LARGEST_PDF_BYTES: Final = 200 * 2**20


def project_from_pdf(path: Path) -> Project:
    """The project inside a PDF of this program. Raises ``ProjectError``.

    The PDF itself is never written: what comes out is a new, unsaved project.
    """
    tree = _parsed(path, _attached(path))
    version = version_of(tree) if isinstance(tree, dict) else None
    if version is None or not isinstance(tree, dict):
        raise ProjectError(f"{path}: the project inside is damaged; open the project file itself.")
    if version > SCHEMA_VERSION:
        raise ProjectError(
            f"{path}: was made by a newer version of the program (format {version}); update the program."
        )
    try:
        return project_from_json(migrate(tree, version))
    except FormError as error:
        raise ProjectError(
            f"{path}: the project inside is damaged ({error}); open the project file itself."
        ) from error


def _attached(path: Path) -> bytes:
    import pikepdf

    try:
        if path.stat().st_size > LARGEST_PDF_BYTES:
            raise ProjectError(f"{path}: is larger than 200 MB and no document of this program.")
        with pikepdf.open(path) as pdf:
            if ATTACHED_PROJECT not in pdf.attachments:
                raise ProjectError(f"{path}: holds no project; open a PDF that this program has written.")
            data = pdf.attachments[ATTACHED_PROJECT].get_file().read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ProjectError(f"{path}: cannot be read ({reason}); name an existing PDF.") from error
    except pikepdf.PdfError as error:
        raise ProjectError(
            f"{path}: is no readable PDF; open a PDF that this program has written."
        ) from error
    if len(data) > LARGEST_FILE_BYTES:
        raise ProjectError(f"{path}: the project inside is larger than 20 MB and none of this program.")
    return data


def _parsed(path: Path, data: bytes) -> object:
    try:
        return parse_json(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ProjectError(
            f"{path}: the project inside is damaged (no valid JSON); open the project file itself."
        ) from error
