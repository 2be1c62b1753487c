"""The first thing one sees: begin, open, go on, or take an example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import Texts
from kentino_configurator.ui import icons, theme
from kentino_configurator.ui.top_bar import appearance_menu
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.label import Hairline, label, set_ground
from kentino_configurator.ui.widgets.mark import PRODUCT_NAME, Mark
from kentino_configurator.ui.widgets.scroll import ScrollColumn

CONTENT_PX = 1088
FIRST_ENTRIES = 6
_FILES = (".kentino", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartEntry:
    """One row: a recent project or an example. ``remark`` stands at the right, ``remark_detail`` below it."""

    key: str
    title: str
    detail: str
    remark: str = ""
    remark_detail: str = ""


class _WayIn(QAbstractButton):
    """One of the three large buttons."""

    def __init__(self, title: str, detail: str, icon: str, keys: str, *, filled: bool) -> None:
        super().__init__()
        self._detail, self._icon, self._keys, self._filled = detail, icon, keys, filled
        self.setText(title)
        self.setAccessibleName(f"{title}. {detail}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for title, detail and keys."""
        return QSize(theme.px(280), theme.px(72))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, icon, title, detail, keys."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, ink2 = ("onaccent", "onaccent") if self._filled else ("ink", "ink2")
        self._paint_ground(painter)
        side = theme.px(18)
        icons.paint(painter, self._icon, QRectF(theme.px(20), (self.height() - side) / 2, side, side), ink)
        left = theme.px(56)
        top = (self.height() - theme.px(44)) / 2
        text = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("section"))
        painter.setPen(theme.colour(ink))
        painter.drawText(QRectF(left, top, self.width(), theme.px(24)), text, self.text())
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour(ink2))
        painter.drawText(QRectF(left, top + theme.px(24), self.width(), theme.px(20)), text, self._detail)
        keys = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(self.rect()).adjusted(0, 0, -theme.px(20), 0), keys, self._shown_keys())

    def _shown_keys(self) -> str:
        title = QFontMetrics(theme.font("section")).horizontalAdvance(self.text())
        keys = QFontMetrics(theme.font("small")).horizontalAdvance(self._keys)
        return self._keys if theme.px(56 + 20 + 12) + title + keys <= self.width() else ""

    def _paint_ground(self, painter: QPainter) -> None:
        radius = theme.px(8)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self._filled:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accentfill"))
        else:
            painter.setPen(QPen(theme.colour("border"), 1))
            painter.setBrush(theme.colour("tint" if self.underMouse() else "surface"))
        painter.drawRoundedRect(rect, radius, radius)
        if self.hasFocus():
            inset = 3.0 if self._filled else 1.0
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("onaccent" if self._filled else "accent"), 2))
            painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - 2, radius - 2)


class _EntryRow(QAbstractButton):
    """One row of a list: title and detail, remarks at the right, a hairline below."""

    def __init__(self, entry: StartEntry) -> None:
        super().__init__()
        self.entry = entry
        self.setText(entry.title)
        parts = (entry.title, entry.detail, entry.remark, entry.remark_detail)
        self.setAccessibleName(". ".join(part for part in parts if part))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(theme.px(280), theme.px(60))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, like Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground under the mouse, words, hairline."""
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme.colour("tint"))
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -2))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))
        inset = theme.px(8) if self.underMouse() or self.hasFocus() else 0
        upper = QRectF(inset, theme.px(10), self.width() - 2 * inset, theme.px(20))
        lower = upper.translated(0, theme.px(20))
        self._text(painter, upper, self.entry.title, "strong", "ink", right=False)
        self._text(painter, lower, self.entry.detail, "small", "ink2", right=False)
        self._text(painter, upper, self.entry.remark, "small", "ink2", right=True)
        self._text(painter, lower, self.entry.remark_detail, "small", "ink3", right=True)

    def _text(self, painter: QPainter, rect: QRectF, text: str, role: str, ink: str, *, right: bool) -> None:
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.setFont(theme.font(role))
        painter.setPen(theme.colour(ink))
        words = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(rect.width()))
        painter.drawText(rect, side | Qt.AlignmentFlag.AlignVCenter, words)


class _DropZone(QWidget):
    """A dashed frame that takes files; the whole page takes them too."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._words = words
        self._over = False
        self.setFixedHeight(theme.px(48))

    def set_over(self, over: bool) -> None:
        """A file hangs over the page."""
        self._over = over
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dashed frame and words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.colour("accent" if self._over else "border"), 1)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(theme.colour("tint") if self._over else Qt.BrushStyle.NoBrush)
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(rect, theme.px(8), theme.px(8))
        painter.setFont(theme.font("body"))
        painter.setPen(theme.colour("ink2"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)


class _Offer(QWidget):
    """Work that survived a crash: continue with it or discard it."""

    def __init__(self, words: str, go_on: Button, drop: Button) -> None:
        super().__init__()
        set_ground(self, "tint")
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.px(20), theme.px(10), theme.px(20), theme.px(10))
        line.setSpacing(theme.px(20))
        line.addWidget(label(words, "label", wrap=True), 1)
        line.addWidget(go_on)
        line.addWidget(drop)


class StartPage(QWidget):
    """Signals only; the window does the work."""

    new_wanted = Signal()
    open_wanted = Signal()
    expert_wanted = Signal()
    recent_wanted = Signal(str)
    example_wanted = Signal(str)
    file_dropped = Signal(Path)
    recover_wanted = Signal(str)
    discard_wanted = Signal(str)
    theme_wanted = Signal(object)
    language_wanted = Signal(str)
    help_wanted = Signal()
    about_wanted = Signal()

    def __init__(
        self,
        texts: Texts,
        recent: Sequence[StartEntry],
        examples: Sequence[StartEntry],
        preference: Preference = Preference.SYSTEM,
    ) -> None:
        super().__init__()
        self._texts = texts
        self._preference = preference
        set_ground(self, "bg")
        self.setAcceptDrops(True)
        self._offers = QVBoxLayout()
        self._catalogue: QLabel = label("", "small", "ink2")
        self._drop = _DropZone(texts.say("w.start.drop"))
        content = self._build_content(recent, examples)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addLayout(self._build_bar())
        page.addWidget(self._centred(content), 1)
        page.addLayout(self._build_foot())

    # ------------------------------------------------------------ building

    def _build_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.px(24), 0, theme.px(24), 0)
        bar.setSpacing(theme.px(10))
        bar.addWidget(Mark())
        bar.addSpacing(theme.px(4))
        bar.addWidget(label(PRODUCT_NAME, "name"))
        bar.addStretch(1)
        bar.addSpacing(theme.px(56))
        appearance = Button(self._language_name(), ButtonKind.PLAIN, type_role="body")
        appearance.setAccessibleName(self._texts.say("w.bar.appearance"))
        appearance.clicked.connect(lambda: self._open_appearance(appearance))
        bar.addWidget(appearance)
        for text_id, signal in (("w.start.help", self.help_wanted), ("w.start.about", self.about_wanted)):
            button = Button(self._texts.say(text_id), ButtonKind.PLAIN, type_role="body")
            button.clicked.connect(signal)
            bar.addWidget(button)
        bar.addStrut(theme.px(56))
        return bar

    def _language_name(self) -> str:
        text_id = f"language.{self._texts.language}"
        return self._texts.say(text_id) if self._texts.has(text_id) else self._texts.language

    def _open_appearance(self, button: Button) -> None:
        menu = appearance_menu(self, self._texts, self._preference)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _build_content(self, recent: Sequence[StartEntry], examples: Sequence[StartEntry]) -> QWidget:
        texts = self._texts
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(theme.px(24), theme.px(40), theme.px(24), theme.px(24))
        rows.setSpacing(0)
        rows.addWidget(label(texts.say("w.start.title"), "display", wrap=True))
        rows.addSpacing(theme.px(8))
        rows.addWidget(label(texts.say("w.start.lead"), "lead", "ink2", wrap=True))
        rows.addSpacing(theme.px(31))
        rows.addLayout(self._offers)
        rows.addLayout(self._build_ways_in())
        rows.addSpacing(theme.px(45))
        rows.addLayout(self._build_lists(recent, examples))
        rows.addSpacing(theme.px(28))
        rows.addWidget(self._drop)
        rows.addStretch(1)
        return content

    def _build_ways_in(self) -> QHBoxLayout:
        say = self._texts.say
        ways = (
            (
                _WayIn(say("w.start.new"), say("w.start.new_detail"), "plus", "Ctrl+N", filled=True),
                self.new_wanted,
            ),
            (
                _WayIn(
                    say("w.start.open"), say("w.start.open_detail"), "folder-open", "Ctrl+O", filled=False
                ),
                self.open_wanted,
            ),
            (
                _WayIn(say("w.start.expert"), say("w.start.expert_detail"), "list", "Ctrl+E", filled=False),
                self.expert_wanted,
            ),
        )
        line = QHBoxLayout()
        line.setSpacing(theme.px(16))
        for button, signal in ways:
            button.clicked.connect(signal)
            line.addWidget(button, 1)
        self._first = ways[0][0]
        return line

    def showEvent(self, event: QShowEvent) -> None:
        """The keyboard starts at the first way in."""
        self._first.setFocus()

    def _build_lists(self, recent: Sequence[StartEntry], examples: Sequence[StartEntry]) -> QHBoxLayout:
        say = self._texts.say
        left = self._list(say("w.start.recent"), "", recent, self.recent_wanted)
        if not recent:
            left.addSpacing(theme.px(14))
            left.addWidget(label(say("w.start.recent_none"), "body", "ink3", wrap=True))
        left.addStretch(1)
        right = self._list(
            say("w.start.examples"), say("w.start.examples_remark"), examples, self.example_wanted
        )
        right.addStretch(1)
        lists = QHBoxLayout()
        lists.setSpacing(theme.px(64))
        lists.addLayout(left, 1)
        lists.addLayout(right, 1)
        return lists

    def _list(
        self, title: str, remark: str, entries: Sequence[StartEntry], signal: SignalInstance
    ) -> QVBoxLayout:
        rows = QVBoxLayout()
        rows.setSpacing(0)
        head = QHBoxLayout()
        head.addWidget(label(title, "section"), 1)
        head.addWidget(label(remark, "small", "ink3"))
        rows.addLayout(head)
        rows.addSpacing(theme.px(8))
        rows.addWidget(Hairline())
        hidden = [self._add_entry(rows, entry, signal) for entry in entries][FIRST_ENTRIES:]
        if hidden:
            self._add_show_all(rows, hidden, len(entries))
        return rows

    def _add_entry(self, rows: QVBoxLayout, entry: StartEntry, signal: SignalInstance) -> _EntryRow:
        row = _EntryRow(entry)
        row.clicked.connect(lambda: signal.emit(entry.key))
        rows.addWidget(row)
        return row

    def _add_show_all(self, rows: QVBoxLayout, hidden: Sequence[_EntryRow], count: int) -> None:
        """The rest of a long list, on demand."""
        more = Button(self._texts.say("w.start.all", count=count), ButtonKind.LINK)

        def show_all() -> None:
            more.hide()
            for row in hidden:
                row.show()
            hidden[0].setFocus()

        for row in hidden:
            row.hide()
        more.clicked.connect(show_all)
        rows.addSpacing(theme.px(12))
        rows.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _centred(self, content: QWidget) -> ScrollColumn:
        content.setMaximumWidth(theme.px(CONTENT_PX + 48))
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addStretch(1)
        line.addWidget(content, 100)
        line.addStretch(1)
        return ScrollColumn(holder, line)

    def _build_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.px(24), 0, theme.px(24), theme.px(20))
        foot.addStretch(1)
        inner = QWidget()
        inner.setMaximumWidth(theme.px(CONTENT_PX))
        line = QHBoxLayout(inner)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._catalogue, 1)
        line.addWidget(label(self._texts.say("w.start.offline"), "small", "ink3"))
        foot.addWidget(inner, 100)
        foot.addStretch(1)
        return foot

    # ------------------------------------------------------------ showing

    def show_catalogue(self, words: str) -> None:
        """Version and date of the catalogue."""
        self._catalogue.setText(words)

    def offer_recovery(self, key: str, words: str) -> None:
        """Offer work that was not saved."""
        go_on = Button(self._texts.say("w.start.recover_open"), ButtonKind.LINK)
        drop = Button(self._texts.say("w.start.recover_drop"), ButtonKind.LINK)
        offer = _Offer(words, go_on, drop)
        go_on.clicked.connect(lambda: self.recover_wanted.emit(key))
        drop.clicked.connect(lambda: self._discard(key, offer))
        self._offers.addWidget(offer)
        self._offers.addSpacing(theme.px(12))

    def _discard(self, key: str, offer: QWidget) -> None:
        offer.hide()
        self.discard_wanted.emit(key)

    # ------------------------------------------------------------ dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """One file of a kind that can be opened."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].toLocalFile().lower().endswith(_FILES):
            event.acceptProposedAction()
            self._drop.set_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """The file went away."""
        self._drop.set_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the file."""
        self._drop.set_over(False)
        self.file_dropped.emit(Path(event.mimeData().urls()[0].toLocalFile()))
