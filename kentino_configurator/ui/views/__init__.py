"""The views of the result, in the order of the rail."""

from __future__ import annotations

from typing import Final

from kentino_configurator.ui.views.base import Badge, ResultView, ViewContext, ViewSpec, no_badge

# Every factory imports its view when it is first shown, so that the window opens fast.
VIEWS: Final[tuple[ViewSpec, ...]] = ()

__all__ = ["VIEWS", "Badge", "ResultView", "ViewContext", "ViewSpec", "no_badge"]
