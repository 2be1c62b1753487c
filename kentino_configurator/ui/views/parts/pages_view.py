"""The pages of a PDF, scrolled; greyed under a veil while other ones are being made."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QEvent, QIODevice, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtPdf import QPdfBookmarkModel, QPdfDocument
from PySide6.QtPdfWidgets import QPdfView
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kentino_configurator.ui import theme
from kentino_configurator.ui.widgets.button import Button
from kentino_configurator.ui.widgets.label import label

NOTICED_AFTER_MS = 300
LONG_AFTER_MS = 1000
_VEIL_ALPHA = 190
_TITLE = int(QPdfBookmarkModel.Role.Title.value)
_PAGE = int(QPdfBookmarkModel.Role.Page.value)


class Veil(QWidget):
    """Lies over old pages: says that new ones are being made, and after a second lets one stop that."""

    cancelled = Signal()

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._words = label("", "section")
        self._words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._room = QVBoxLayout(self)
        self._room.addStretch(1)
        self._room.addWidget(self._words)
        self._button: Button | None = None
        self._room.addStretch(2)
        self._soon = _timer(self, NOTICED_AFTER_MS, self.show)
        self._long = _timer(self, LONG_AFTER_MS, self._offer)
        owner.installEventFilter(self)
        self.hide()

    def begin(self, words: str, cancel: str) -> None:
        """Work has begun; it is shown when a person would notice it."""
        self._words.setText(words)
        self._words.show()
        self._new_button(cancel)
        self._soon.start()
        self._long.start()

    def end(self) -> None:
        """The new pages are there."""
        self._soon.stop()
        self._long.stop()
        self.hide()

    def _new_button(self, words: str) -> None:
        if self._button is not None:
            self._button.setParent(None)
            self._button.deleteLater()
        self._button = Button(words)
        self._button.clicked.connect(self.cancelled)
        self._button.hide()
        self._room.insertWidget(2, self._button, 0, Qt.AlignmentFlag.AlignHCenter)

    def _offer(self) -> None:
        if self._button is not None:
            self._button.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the owner."""
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground of the page, nearly opaque."""
        ground = theme.colour("surface")
        ground.setAlpha(_VEIL_ALPHA)
        QPainter(self).fillRect(self.rect(), ground)


def _timer(owner: QObject, milliseconds: int, call: object) -> QTimer:
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(call)
    return timer


class PagesView(QPdfView):
    """Shows bytes of a PDF as wide as the view. New bytes keep the page one was looking at."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        # Not a child: Qt crashes when a view takes its document down with it (6.12).
        self._document = QPdfDocument()
        self.setDocument(self._document)
        self.setPageMode(QPdfView.PageMode.MultiPage)
        self.setZoomMode(QPdfView.ZoomMode.FitToWidth)
        self.setPageSpacing(theme.px(12))
        self.setFrameShape(QPdfView.Shape.NoFrame)
        self.setAccessibleName(name)
        self._dress()

    @property
    def page_count(self) -> int:
        """Pages of the document shown."""
        return self._document.pageCount()

    def show_bytes(self, data: bytes) -> None:
        """Show another document."""
        page = self.pageNavigator().currentPage()
        document = QPdfDocument()
        document.load(_device(data, document))
        self.setDocument(document)
        self._document = document
        if 0 < page < document.pageCount():
            self.go_to(page)

    def go_to(self, page: int) -> None:
        """Scroll to the top of a page, counted from 0."""
        self.pageNavigator().jump(page, QPointF(0, 0))

    def contents(self) -> tuple[tuple[str, int], ...]:
        """Title and page (counted from 0) of every entry of the document's outline."""
        model = QPdfBookmarkModel()
        model.setDocument(self._document)
        entries = [model.index(row, 0) for row in range(model.rowCount())]
        return tuple((entry.data(_TITLE), entry.data(_PAGE)) for entry in entries)

    def changeEvent(self, event: QEvent) -> None:
        """The ground behind the pages follows the theme."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._dress()

    def _dress(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Dark, theme.colour("bg"))
        self.setPalette(palette)


def _device(data: bytes, document: QPdfDocument) -> QBuffer:
    """The bytes as the document reads them; they live exactly as long as it does."""
    buffer = QBuffer(document)
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return buffer
