"""The variants of a project as tabs with letter and verdict, and the button that makes another one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.button import IconButton
from kentino_configurator.ui.widgets.label import clear_layout


@dataclass(frozen=True, slots=True)
class VariantWords:
    """Letter of a variant and its verdict, empty while it is not known."""

    name: str
    verdict: str


class _Tab(QAbstractButton):
    """Letter and verdict; the variant that is shown stands on tint."""

    def __init__(self, words: VariantWords, *, here: bool, letter_only: bool) -> None:
        super().__init__()
        self._words, self._here = words, here
        self._verdict = "" if letter_only else words.verdict
        self.setAccessibleName(f"{words.name} {words.verdict}".strip())
        self.setToolTip(self.accessibleName())
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Both words with their padding."""
        metrics = QFontMetrics(theme.font("label"))
        width = metrics.horizontalAdvance(self._words.name) + theme.px(24)
        if self._verdict:
            width += metrics.horizontalAdvance(self._verdict) + theme.px(8)
        return QSize(width, theme.px(32))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, letter, verdict, ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = theme.px(6)
        if self._here or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("tint" if self._here else "panel"))
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
        ink = "ink" if self._here else "ink2"
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        words = self.rect().adjusted(theme.px(12), 0, 0, 0)
        painter.setFont(theme.font("label"))
        painter.setPen(theme.colour(ink))
        painter.drawText(words, left, self._words.name)
        beside = painter.fontMetrics().horizontalAdvance(self._words.name) + theme.px(8)
        painter.setFont(theme.font("label" if self._here else "body"))
        painter.drawText(words.adjusted(beside, 0, 0, 0), left, self._verdict)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


class VariantTabs(QWidget):
    """Tabs appear with the second variant; the plus is always there."""

    chosen = Signal(int)
    add_wanted = Signal()

    def __init__(self, add_name: str) -> None:
        super().__init__()
        self._shown: tuple[object, ...] = ()
        self._letters_only = False
        self._variants: tuple[VariantWords, ...] = ()
        self._active = 0
        self._tabs = QHBoxLayout()
        self._tabs.setSpacing(theme.px(4))
        self._add = IconButton("plus", add_name)
        self._add.clicked.connect(self.add_wanted)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(4))
        line.addLayout(self._tabs)
        line.addWidget(self._add)

    def show_variants(self, variants: tuple[VariantWords, ...], active: int) -> None:
        """All variants with the one that is shown."""
        self._variants, self._active = variants, active
        self._build()

    def wanted_width(self) -> int:
        """Width of all tabs with their verdicts, and of the plus."""
        here = enumerate(self._variants if len(self._variants) > 1 else ())
        tabs = (
            _Tab(words, here=index == self._active, letter_only=False).sizeHint() for index, words in here
        )
        return sum(size.width() + theme.px(4) for size in tabs) + self._add.sizeHint().width()

    def set_letters_only(self, letters_only: bool) -> None:
        """Narrow windows leave the verdicts out."""
        self._letters_only = letters_only
        self._build()

    def _build(self) -> None:
        wanted = (self._variants, self._active, self._letters_only)
        if wanted == self._shown:
            return
        self._shown = wanted
        clear_layout(self._tabs)
        for index, words in enumerate(self._variants if len(self._variants) > 1 else ()):
            tab = _Tab(words, here=index == self._active, letter_only=self._letters_only)
            tab.clicked.connect(lambda _=False, index=index: self.chosen.emit(index))
            self._tabs.addWidget(tab)
