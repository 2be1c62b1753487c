"""One of the five questions: number on a line, question, answer, numbers, formulas."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.headings import column
from kentino_configurator.ui.views.parts.tag import Tag
from kentino_configurator.ui.views.words.decision import FormulaPicture, QuestionPicture
from kentino_configurator.ui.widgets.label import label

CARD_LEFT_PX = 40
_CIRCLE_PX = 24
_CIRCLE_TOP_PX = 10


class QuestionCard(QWidget):
    """The deciding one carries ground, bar, filled number and the words for it."""

    formulas_opened = Signal(bool)

    def __init__(self, picture: QuestionPicture, *, last: bool, formulas_open: bool) -> None:
        super().__init__()
        self._picture = picture
        self._last = last
        self.setAccessibleName(picture.spoken)
        rows = QVBoxLayout(self)
        below = 20 if picture.decided else 26
        rows.setContentsMargins(theme.px(CARD_LEFT_PX + 16), theme.px(12), theme.px(16), theme.px(below))
        rows.setSpacing(theme.px(4))
        rows.addLayout(self._head())
        if picture.sentence:
            rows.addWidget(label(picture.sentence, "body", "ink2", wrap=True))
        if picture.formulas:
            rows.addWidget(self._formulas(formulas_open))

    def _head(self) -> QHBoxLayout:
        picture = self._picture
        line = QHBoxLayout()
        line.setSpacing(theme.px(10))
        top = Qt.AlignmentFlag.AlignTop
        line.addWidget(label(picture.question, "name", wrap=True), 1, top)
        if picture.decided:
            line.addWidget(Tag(picture.decided_words, filled=True), 0, top)
        line.addWidget(label(picture.answer, "value", "accent" if picture.decided else "ink2"), 0, top)
        return line

    def _formulas(self, open_: bool) -> Expander:
        lines = column(
            *(_formula(item) for item in self._picture.formulas), spacing_px=4, margins_px=(20, 2, 0, 0)
        )
        expander = Expander(self._picture.formula_title, lines, open_=open_)
        expander.opened.connect(self.formulas_opened)
        return expander

    def paintEvent(self, event: QPaintEvent) -> None:
        """Line of the numbers, ground and bar of the deciding one, circle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._picture.decided:
            self._paint_ground(painter)
        centre = QPointF(theme.px(16), theme.px(_CIRCLE_TOP_PX + _CIRCLE_PX / 2))
        painter.setPen(QPen(theme.colour("line"), 1))
        top = 0.0 if self._picture.number > 1 else centre.y()
        bottom = centre.y() if self._last else float(self.height())
        painter.drawLine(QPointF(centre.x(), top), QPointF(centre.x(), bottom))
        self._paint_circle(painter, centre)

    def _paint_ground(self, painter: QPainter) -> None:
        left = theme.px(CARD_LEFT_PX)
        card = QRectF(left, 0, self.width() - left, self.height() - theme.px(8))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("tint"))
        painter.drawRoundedRect(card, theme.px(6), theme.px(6))
        painter.fillRect(QRectF(left, card.top() + 6, 3, card.height() - 12), theme.colour("accent"))

    def _paint_circle(self, painter: QPainter, centre: QPointF) -> None:
        decided = self._picture.decided
        radius = theme.px(_CIRCLE_PX) / 2 - 0.5
        painter.setPen(QPen(theme.colour("accentfill" if decided else "border"), 1))
        painter.setBrush(theme.colour("accentfill" if decided else "surface"))
        painter.drawEllipse(centre, radius, radius)
        painter.setFont(theme.font("small.label"))
        painter.setPen(theme.colour("onaccent" if decided else "ink2"))
        place = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(self._picture.number))


def _formula(item: FormulaPicture) -> QWidget:
    """``name = expression`` and the value below it."""
    head = label(f"{item.name}  =  {item.expression}", "code", "ink", wrap=True)
    value = label(f"=  {item.value}", "small.strong", "ink", wrap=True)
    return column(head, value, spacing_px=1)
