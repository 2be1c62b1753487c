"""One question on a page: words at the left, field, where the value comes from, one line below."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.fields.field import NARROW_PX, Field
from kentino_configurator.ui.pages.row_state import RowState
from kentino_configurator.ui.question_words import split_label
from kentino_configurator.ui.widgets.button import Button, ButtonKind, IconButton
from kentino_configurator.ui.widgets.icon_label import IconLabel
from kentino_configurator.ui.widgets.label import label, set_ink
from kentino_configurator.ui.widgets.origin_mark import OriginMark

LABEL_PX = 232
NARROW_LABEL_PX = 184
GAP_PX = 16
FIELD_PX = 36
RESET_PX = 24
SLOT_GAP_PX = 3
ROW_GAP_PX = 8
BESIDE_FROM_PX = 600


class _Origin(QWidget):
    """Mark and words of the origin."""

    def __init__(self) -> None:
        super().__init__()
        self._mark = OriginMark()
        self._words: QLabel = label("", "small", "ink2", wrap=True)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(7))
        line.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._words, 1)

    def show_state(self, state: RowState) -> None:
        """Another value with another origin."""
        self._mark.set_origin(state.origin)
        self._words.setText(state.origin_words)

    def natural_width(self) -> int:
        """Width of mark and words on one line."""
        words = QFontMetrics(self._words.font()).horizontalAdvance(self._words.text())
        return self._mark.width() + theme.px(7) + words + 2


class _Note(QWidget):
    """The line below the field: an error, what was read, or help while in focus."""

    link_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("", "block")
        self._words: QLabel = label("", "small", "ink3", wrap=True)
        self._link = Button("", ButtonKind.LINK, type_role="small.label")
        self._link.clicked.connect(self.link_clicked)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(6))
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._words, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._link, 0, Qt.AlignmentFlag.AlignTop)
        line.addStretch(1)
        line.setStretch(1, 100)
        self.show_words("")

    def show_words(self, words: str, ink: str = "ink3", *, icon: str = "", link: str = "") -> None:
        """Replace the line."""
        self._words.setText(words)
        set_ink(self._words, ink)
        self._icon.show_icon(icon, ink)
        self._icon.setVisible(bool(icon))
        self._link.setText(link)
        self._link.updateGeometry()
        self._link.setVisible(bool(link))


def text_height(words: str, width: int) -> int:
    """Height of wrapped words in the small type."""
    return _wrapped_height(words, width, theme.px(100)) if words else 0


@lru_cache(maxsize=4096)
def _wrapped_height(words: str, width: int, _scale: int) -> int:
    space = QRect(0, 0, max(width, 1), 10_000)
    return (
        QFontMetrics(theme.font("small")).boundingRect(space, int(Qt.TextFlag.TextWordWrap), words).height()
    )


class QuestionRow(QWidget):
    """Shows a state and hands on what the person gave. It decides nothing.

    The origin stands beside a narrow field, and below a wide one or on a narrow page. Help, error and reading have
    their room reserved, so that nothing moves when they appear.
    """

    entered = Signal(object)
    typing = Signal(object)
    reset_wanted = Signal()
    other_reading_wanted = Signal(object)

    def __init__(self, words: str, help_words: str, field: Field, texts: Texts) -> None:
        super().__init__()
        plain, term = split_label(words)
        self.title = plain
        self.field = field
        self._help = help_words
        self._state: RowState | None = None
        self._focused = False
        self._reading = ""
        self._other: Any = None
        self._other_words = ""
        self._labels = _labels(plain, term)
        self._origin = _Origin()
        self._note = _Note()
        self._reset = IconButton(
            "rotate-ccw", texts.say("w.field.reset", name=plain), ink="accent", icon_px=14, box_px=RESET_PX
        )
        for part in (self._labels, field, self._origin, self._note, self._reset):
            part.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        field.describe(f"{plain} ({term})" if term else plain, help_words)
        field.entered.connect(self._on_entered)
        field.typing.connect(self.typing)
        self._reset.clicked.connect(self.reset_wanted)
        self._note.link_clicked.connect(lambda: self.other_reading_wanted.emit(self._other))

    # ------------------------------------------------------------ showing

    def show_state(self, state: RowState) -> None:
        """Show value, origin and problem."""
        self._state = state
        self.field.show_value(state.shown)
        self.field.set_invalid(bool(state.problem))
        self._origin.show_state(state)
        self._reset.setVisible(state.can_reset)
        self._show_note()

    def show_reading(self, words: str, other: Any = None, other_words: str = "") -> None:
        """Say how a typed text was read, with the other reading as a link."""
        self._reading, self._other, self._other_words = words, other, other_words
        self._show_note()

    def set_focused(self, focused: bool) -> None:
        """Help is shown while the question has the keyboard."""
        if focused != self._focused:
            self._focused = focused
            self._show_note()

    @property
    def last_stop(self) -> QWidget:
        """Where Tab leaves the row."""
        return self._reset

    @property
    def problem(self) -> str:
        """What is wrong, empty when the value is usable."""
        return self._state.problem if self._state else ""

    @property
    def _remark(self) -> str:
        return self._state.remark if self._state else ""

    def _show_note(self) -> None:
        if self.problem:
            self._note.show_words(self.problem, "block", icon="octagon-alert")
        elif self._reading:
            self._note.show_words(self._reading, "accent", link=self._other_words)
        elif self._focused:
            self._note.show_words(self._help)
        else:
            self._note.show_words(self._remark, "ink2")
        self.updateGeometry()
        self._place(self.width())

    def _has_note(self) -> bool:
        return bool(self.problem or self._reading or self._focused or self._remark)

    def _on_entered(self, value: Any) -> None:
        self._reading, self._other_words = "", ""
        self.entered.emit(value)

    # ------------------------------------------------------------ placing

    def _is_beside(self, width: int) -> bool:
        return not self.field.wide and width >= theme.px(BESIDE_FROM_PX)

    def _label_width(self, width: int) -> int:
        return theme.px(LABEL_PX if width >= theme.px(BESIDE_FROM_PX) else NARROW_LABEL_PX)

    def _field_left(self, width: int) -> int:
        return self._label_width(width) + theme.px(GAP_PX)

    def _field_width(self, width: int) -> int:
        if not self.field.wide:
            return theme.px(NARROW_PX)
        room = width - self._field_left(width) - theme.px(RESET_PX + 6)
        return min(self.field.natural_width(), room)

    def _field_height(self, width: int) -> int:
        field_width = self._field_width(width)
        if self.field.hasHeightForWidth():
            return self.field.heightForWidth(field_width)
        return self.field.sizeHint().height()

    def _slot_height(self, width: int) -> int:
        """Room below the field for the longest of help, error, reading and (there) origin."""
        room = width - self._field_left(width)
        words = [self._help, self.problem, f"{self._reading} {self._other_words}", self._remark]
        if not self._is_beside(width) and self._state:
            words.append(f"     {self._state.origin_words}")
        return max(theme.px(16), *(text_height(text, room - theme.px(20)) for text in words))

    def hasHeightForWidth(self) -> bool:
        """Words wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Labels at the left against field and slot at the right."""
        labels = self._labels.heightForWidth(self._label_width(width))
        field = self._field_height(width)
        below = field + theme.px(SLOT_GAP_PX) + self._slot_height(width)
        if self._is_beside(width):
            below = max(below, self._origin.heightForWidth(self._origin_width(width)))
        return max(labels, below) + theme.px(ROW_GAP_PX)

    def sizeHint(self) -> QSize:
        """As wide as the page of the drawn window."""
        return QSize(theme.px(688), self.heightForWidth(theme.px(688)))

    def minimumSizeHint(self) -> QSize:
        """As wide as the narrowest page."""
        return QSize(theme.px(420), theme.px(FIELD_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts for the new width."""
        self._place(event.size().width())

    def _origin_width(self, width: int) -> int:
        left = self._field_left(width) + self._field_width(width) + theme.px(GAP_PX)
        room = width - left - theme.px(RESET_PX + 4)
        return max(theme.px(80), min(room, self._origin.natural_width()))

    def _place(self, width: int) -> None:
        label_width = self._label_width(width)
        field = QRect(self._field_left(width), 0, self._field_width(width), self._field_height(width))
        self._labels.setGeometry(0, 0, label_width, self._labels.heightForWidth(label_width))
        self.field.setGeometry(field)
        slot_top = field.bottom() + 1 + theme.px(SLOT_GAP_PX)
        if self._is_beside(width):
            self._place_beside(field, slot_top, width)
        else:
            self._place_below(field, slot_top, width)
        room = width - field.left()
        self._note.setGeometry(field.left(), slot_top, room, self._slot_height(width))

    def _place_beside(self, field: QRect, slot_top: int, width: int) -> None:
        """Origin and reset beside the field; a tall origin gives way to what stands in the slot."""
        origin_width = self._origin_width(width)
        height = self._origin.heightForWidth(origin_width)
        left = field.right() + 1 + theme.px(GAP_PX)
        top = max(0, (theme.px(FIELD_PX) - height) // 2)
        self._origin.setGeometry(left, top, origin_width, height)
        self._origin.setVisible(top + height <= slot_top or not self._has_note())
        self._place_reset(left + origin_width + theme.px(4))

    def _place_below(self, field: QRect, top: int, width: int) -> None:
        """Origin in the slot unless the slot says something else; reset beside the field."""
        room = width - field.left()
        self._origin.setGeometry(field.left(), top, room, self._origin.heightForWidth(room))
        self._origin.setVisible(not self._has_note())
        self._place_reset(field.right() + 1 + theme.px(6))

    def _place_reset(self, left: int) -> None:
        side = theme.px(RESET_PX)
        self._reset.setGeometry(left, (theme.px(FIELD_PX) - side) // 2, side, side)


def _labels(plain: str, term: str) -> QWidget:
    block = QWidget()
    rows = QVBoxLayout(block)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    rows.addWidget(label(plain, "label", wrap=True))
    if term:
        rows.addWidget(label(term, "small", "ink2", wrap=True))
    rows.addStretch(1)
    return block
