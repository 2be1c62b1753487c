"""What a view of the result is, and how the window knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.texts import Texts

if TYPE_CHECKING:
    from kentino_configurator.ui.session import Session


@dataclass(frozen=True, slots=True)
class Badge:
    """What is open in a view, beside its name in the rail. ``role`` is ``ink3``, ``warn`` or ``block``."""

    words: str = ""
    role: str = "ink3"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """What a view may use: the session to change answers or to read the project, and the catalogue."""

    session: Session
    snapshot: CatalogSnapshot


class ResultView(QWidget):
    """Renders an answer below the strip. It never asks the engine; what it changes goes through the session.

    The window gives it the ground ``surface`` and no margins: content starts at (32, 24) and scrolls if needed.
    """

    question_wanted = Signal(str)
    """Open the page of this question id and focus it."""
    view_wanted = Signal(str)
    """Open the view with this id."""

    def show_answer(self, answer: Answer, texts: Texts) -> None:
        """Show another answer, or the same one in another language. Called only while the view is visible."""
        raise NotImplementedError


def no_badge(answer: Answer, texts: Texts) -> Badge:
    """Nothing open."""
    return Badge()


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewSpec:
    """One entry of the rail. Its name is the text ``w.view.<id>``; ``icon`` a file of ``resources/icons``."""

    id: str
    icon: str
    factory: Callable[[ViewContext], ResultView]
    badge: Callable[[Answer, Texts], Badge] = no_badge
