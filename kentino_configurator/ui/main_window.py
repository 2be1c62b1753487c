"""The window: start page or workbench, menus and keys, files and preferences."""

from __future__ import annotations

import base64
import binascii
import datetime
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QLocale, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QMenu, QStackedWidget, QToolTip

from kentino_configurator.core.answers import Answers
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.project.recovery import Recoverable, discard, recoverable_sessions
from kentino_configurator.project.store import SUFFIX, ProjectError
from kentino_configurator.settings import (
    Preferences,
    load_preferences,
    save_preferences,
    with_recent_file,
)
from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import LOCALES, Texts, load_texts
from kentino_configurator.ui import dialogs, start_entries, theme
from kentino_configurator.ui.places import EXPERT_ID, page_key, view_key
from kentino_configurator.ui.request_file import RequestFileError, load_request_file
from kentino_configurator.ui.session import Session
from kentino_configurator.ui.start_page import StartPage
from kentino_configurator.ui.widgets.mark import PRODUCT_NAME, mark_icon
from kentino_configurator.wizard.presets import load_preset

if TYPE_CHECKING:
    from kentino_configurator.ui.workbench import Workbench

MINIMUM_PX = (1100, 640)
FIRST_PX = (1440, 900)
FIRST_PAGE = "job"


class MainWindow(QMainWindow):
    """One window with one project."""

    catalogue_wanted = Signal()
    """Somebody goes on before the catalogue is loaded: load it now."""

    def __init__(self, session: Session, preferences: Preferences | None = None) -> None:
        super().__init__()
        self.session = session
        self._preferences = preferences or load_preferences()
        self._texts = load_texts(window_language(self._preferences))
        self._snapshot: CatalogSnapshot | None = None
        self._recoverable: dict[str, Recoverable] = {}
        self._follower = theme.SystemFollower(_app(), self._preferences.theme)
        self.workbench: Workbench | None = None
        self.setWindowIcon(mark_icon())
        self.setMinimumSize(*(min(theme.px(side), side) for side in MINIMUM_PX))
        self.setAcceptDrops(True)
        self._stack = QStackedWidget()
        self.setCentralWidget(self._stack)
        self._project_menu = QMenu(self)
        self._start = self._build_start()
        self._stack.addWidget(self._start)
        self._bind_keys()
        session.document_changed.connect(self._follow_document)
        self._restore_geometry()
        self._follow_document()

    # ------------------------------------------------------------ parts

    @property
    def texts(self) -> Texts:
        """The words of the window."""
        return self._texts

    @property
    def start_page(self) -> StartPage:
        """The start page."""
        return self._start

    def _build_start(self) -> StartPage:
        recent = start_entries.recent_entries(self._preferences.recent_files, self._texts)
        page = StartPage(
            self._texts, recent, start_entries.example_entries(self._texts), self._preferences.theme
        )
        page.new_wanted.connect(self.new_project)
        page.open_wanted.connect(self.choose_project)
        page.expert_wanted.connect(self.new_expert_project)
        page.recent_wanted.connect(lambda file: self.open_file(Path(file)))
        page.example_wanted.connect(self.open_example)
        page.file_dropped.connect(self.open_file)
        page.recover_wanted.connect(self._recover)
        page.discard_wanted.connect(self._discard)
        page.theme_wanted.connect(self.set_theme)
        page.language_wanted.connect(self.set_language)
        page.help_wanted.connect(self.show_shortcuts)
        page.about_wanted.connect(self.show_about)
        if self._snapshot is not None:
            page.show_catalogue(start_entries.catalogue_line(self._snapshot, self._texts))
        return page

    def _build_workbench(self, snapshot: CatalogSnapshot) -> Workbench:
        from kentino_configurator.ui.workbench import Workbench

        self._fill_project_menu()
        bench = Workbench(self.session, snapshot, self._texts, self._project_menu)
        bar = bench.top_bar
        bar.undo_wanted.connect(self.session.undo)
        bar.redo_wanted.connect(self.session.redo)
        bar.proposal_wanted.connect(self.show_proposal)
        bar.theme_wanted.connect(self.set_theme)
        bar.language_wanted.connect(self.set_language)
        bar.show_preference(self._preferences.theme)
        return bench

    def _fill_project_menu(self) -> None:
        menu, say = self._project_menu, self._texts.say
        menu.clear()
        menu.setFont(theme.font("body"))
        entries: tuple[tuple[str, str, Callable[[], None]] | None, ...] = (
            ("w.menu.new", "Ctrl+N", self.new_project),
            ("w.menu.open", "Ctrl+O", self.choose_project),
            ("w.menu.save", "Ctrl+S", self.save),
            ("w.menu.save_as", "Ctrl+Shift+S", self.save_as),
            None,
            ("w.variant.add", "Ctrl+D", self._add_variant),
            ("w.variant.remove", "", self._remove_variant),
            None,
            ("w.menu.expert", "Ctrl+E", self.show_expert_page),
            ("w.menu.start", "", self.show_start),
            None,
            ("w.menu.shortcuts", "", self.show_shortcuts),
            ("w.menu.about", "", self.show_about),
            ("w.menu.quit", "", self.close_window),
        )
        for entry in entries:
            if entry is None:
                menu.addSeparator()
                continue
            text_id, keys, call = entry
            action = QAction(f"{say(text_id)}\t{keys}" if keys else say(text_id), menu)
            action.triggered.connect(lambda _=False, call=call: call())
            menu.addAction(action)

    def _bind_keys(self) -> None:
        keys: dict[str, Callable[[], object]] = {
            "Ctrl+N": self.new_project,
            "Ctrl+O": self.choose_project,
            "Ctrl+S": self.save,
            "Ctrl+Shift+S": self.save_as,
            "Ctrl+E": self.show_expert_page,
            "Ctrl+P": self.show_proposal,
            "Ctrl+D": self._add_variant,
            "Ctrl+Z": self.session.undo,
            "Ctrl+Y": self.session.redo,
            "Ctrl+Shift+Z": self.session.redo,
            "Ctrl+Return": self._go_on,
            "Ctrl+Enter": self._go_on,
            "F6": self._cycle_focus,
            "F1": self._explain_focus,
        }
        for sequence, call in keys.items():
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.activated.connect(call)
        for digit in range(1, 10):
            shortcut = QShortcut(QKeySequence(f"Alt+{digit}"), self)
            shortcut.activated.connect(lambda digit=digit: self._jump(digit))

    # ------------------------------------------------------------ catalogue

    def show_catalogue(self, snapshot: CatalogSnapshot) -> None:
        """The catalogue is there: name it and offer what a crash left behind."""
        self._snapshot = snapshot
        self._start.show_catalogue(start_entries.catalogue_line(snapshot, self._texts))
        for found in recoverable_sessions():
            key = str(found.path)
            self._recoverable[key] = found
            self._start.offer_recovery(key, start_entries.recovery_words(found, self._texts))

    def show_problem(self, what: str, detail: str) -> None:
        """Tell what happened and what it means."""
        dialogs.NoticeDialog(self, self._texts, what, detail).exec()

    # ------------------------------------------------------------ projects

    def new_project(self) -> None:
        """Begin with nothing answered."""
        self._begin(Answers({}), "")

    def new_expert_project(self) -> None:
        """Begin on the page with all questions."""
        if self._begin(Answers({}), "") and self.workbench:
            self.workbench.show_key(page_key(EXPERT_ID))

    def open_example(self, name: str) -> None:
        """Begin with the answers of a preset."""
        self._begin(load_preset(name), self._texts.say(f"preset.{name}.label"))

    def _begin(self, answers: Answers, title: str) -> bool:
        if not self._may_leave():
            return False
        self.session.new(answers, title)
        self._show_workbench()
        return True

    def choose_project(self) -> None:
        """Ask for a file and open it."""
        folder = self._preferences.last_folder or ""
        title, kinds = self._texts.say("w.file.open_title"), self._texts.say("w.file.requests")
        path, _ = QFileDialog.getOpenFileName(self, title, folder, kinds)
        if path:
            self.open_file(Path(path))

    def open_file(self, path: Path) -> None:
        """Open a project, or begin a new one from a request file. A file that cannot be used changes nothing."""
        if not self._may_leave():
            return
        try:
            if path.suffix.lower() == SUFFIX:
                self.session.open(path)
                self._remember_file(path)
            else:
                self.session.new(load_request_file(path), path.stem)
        except (ProjectError, RequestFileError) as error:
            self.show_problem(self._texts.say("w.error.open"), str(error))
            return
        self._show_workbench()

    def save(self) -> None:
        """Save to the project's file, or ask for one."""
        self._save_to(
            self.session.file
        ) if self.session.file and not self.session.read_only else self.save_as()

    def save_as(self) -> None:
        """Ask for a file and save."""
        if self._snapshot is None:
            return
        folder = Path(self._preferences.last_folder or "")
        proposed = folder / f"{file_name(self.session.title, self._texts)}{SUFFIX}"
        title, kind = self._texts.say("w.file.save_title"), self._texts.say("w.file.filter")
        path, _ = QFileDialog.getSaveFileName(self, title, str(proposed), kind)
        if path:
            self._save_to(Path(path).with_suffix(SUFFIX))

    def _save_to(self, path: Path) -> bool:
        self._flush()
        try:
            self.session.save(path)
        except ProjectError as error:
            self.show_problem(self._texts.say("w.error.save"), str(error))
            return False
        self._remember_file(path)
        return True

    def _recover(self, key: str) -> None:
        found = self._recoverable.pop(key, None)
        if found is not None and self._may_leave():
            self.session.recover(found)
            self._show_workbench()

    def _discard(self, key: str) -> None:
        found = self._recoverable.pop(key, None)
        if found is not None:
            discard(found)

    def _may_leave(self) -> bool:
        """Whether the present project may be put away; asks when changes are not in its file."""
        self._flush()
        if self.session.is_saved:
            return True
        name = self.session.title or self._texts.say("w.bar.untitled")
        choice = dialogs.LeaveDialog.ask(self, self._texts, name)
        if choice is dialogs.Leave.SAVE:
            self.save()
            return self.session.is_saved
        return choice is dialogs.Leave.DISCARD

    def _flush(self) -> None:
        if self.workbench is not None and self.workbench.page is not None:
            self.workbench.page.flush()

    # ------------------------------------------------------------ what is shown

    def show_start(self) -> None:
        """The start page, with the lists up to date. The project stays open behind it."""
        self._replace_start()
        self._stack.setCurrentWidget(self._start)

    def _replace_start(self) -> None:
        old, self._start = self._start, self._build_start()
        self._stack.addWidget(self._start)
        self._stack.removeWidget(old)
        old.deleteLater()

    def _show_workbench(self, key: str = "") -> None:
        if self._snapshot is None:
            self.catalogue_wanted.emit()
        if self._snapshot is None:
            return
        old, self.workbench = self.workbench, self._build_workbench(self._snapshot)
        self._stack.addWidget(self.workbench)
        if old is not None:
            self._stack.removeWidget(old)
            old.deleteLater()
        self.workbench.show_key(key or page_key(FIRST_PAGE))
        self._stack.setCurrentWidget(self.workbench)
        self._follow_document()
        if self.workbench.page is not None:
            self.workbench.page.focus_first()

    def show_expert_page(self) -> None:
        """All questions on one page, for the present project or a new one."""
        if self._stack.currentWidget() is not self.workbench or self.workbench is None:
            self.new_expert_project()
        else:
            self.workbench.show_key(page_key(EXPERT_ID))

    def show_proposal(self) -> None:
        """The view of the proposal, when there is one."""
        bench = self.workbench
        if bench is not None and view_key("proposal") in bench.places():
            bench.show_key(view_key("proposal"))

    def show_shortcuts(self) -> None:
        """The list of keys."""
        dialogs.ShortcutsDialog(self, self._texts).exec()

    def show_about(self) -> None:
        """Version and licences."""
        dialogs.AboutDialog(self, self._texts).exec()

    def _follow_document(self) -> None:
        name = self.session.title or self._texts.say("w.bar.untitled")
        self.setWindowTitle(f"{name}[*] · {PRODUCT_NAME}")
        self.setWindowModified(not self.session.is_saved)
        if self.workbench is not None:
            self.workbench.top_bar.show_project(name, saved_words(self.session, self._texts))
            self.workbench.top_bar.show_undo(self.session.can_undo, self.session.can_redo)

    # ------------------------------------------------------------ keys

    def _go_on(self) -> None:
        if self.workbench is not None and self._stack.currentWidget() is self.workbench:
            self.workbench.go_on()

    def _add_variant(self) -> None:
        if self.workbench is not None and self._stack.currentWidget() is self.workbench:
            self.workbench.add_variant()

    def _remove_variant(self) -> None:
        if self.workbench is not None:
            self.workbench.remove_variant()

    def _jump(self, digit: int) -> None:
        if self.workbench is None or self._stack.currentWidget() is not self.workbench:
            return
        keys = self.workbench.places()
        if digit <= len(keys):
            self.workbench.show_key(keys[digit - 1])
            if self.workbench.page is not None:
                self.workbench.page.focus_first()

    def _cycle_focus(self) -> None:
        if self.workbench is not None:
            self.workbench.cycle_focus()

    def _explain_focus(self) -> None:
        focused = QApplication.focusWidget()
        words = focused.accessibleDescription() if focused is not None else ""
        if focused is None or not words:
            self.show_shortcuts()
            return
        place = focused.mapToGlobal(focused.rect().bottomLeft())
        QToolTip.showText(place, words, focused)

    # ------------------------------------------------------------ preferences

    def set_theme(self, preference: Preference) -> None:
        """Light, dark or as the system."""
        self._keep(replace(self._preferences, theme=preference))
        self._follower.set_preference(preference)
        if self.workbench is not None:
            self.workbench.top_bar.show_preference(preference)

    def set_language(self, language: str) -> None:
        """The window in another language; pages and views are built again, answers stay."""
        if language == self._texts.language or language not in LOCALES:
            return
        self._flush()
        self._keep(replace(self._preferences, window_language=language))  # type: ignore[arg-type]
        self._texts = load_texts(language)
        bench_shown = self._stack.currentWidget() is self.workbench
        key = self.workbench.current if self.workbench is not None else ""
        self._replace_start()
        if self.workbench is not None:
            self._show_workbench(key)
        self._stack.setCurrentWidget(self.workbench if bench_shown and self.workbench else self._start)
        self._follow_document()

    def _remember_file(self, path: Path) -> None:
        self._keep(replace(with_recent_file(self._preferences, path), last_folder=str(path.parent)))

    def _keep(self, preferences: Preferences) -> None:
        self._preferences = preferences
        keep_preferences(preferences)

    def _restore_geometry(self) -> None:
        self.resize(*FIRST_PX)
        if self._preferences.window_geometry:
            try:
                saved = base64.b64decode(self._preferences.window_geometry, validate=True)
            except (binascii.Error, ValueError):
                return
            self.restoreGeometry(QByteArray(saved))

    # ------------------------------------------------------------ closing and dropping

    def close_window(self) -> None:
        """Close as if the window's own button was pressed."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing is lost: ask when changes are not in the file."""
        if not self._may_leave():
            event.ignore()
            return
        geometry = base64.b64encode(self.saveGeometry().data()).decode("ascii")
        self._keep(replace(self._preferences, window_geometry=geometry))
        self.session.close()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A project file may be dropped anywhere."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].toLocalFile().lower().endswith(SUFFIX):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        self.open_file(Path(event.mimeData().urls()[0].toLocalFile()))


def window_language(preferences: Preferences) -> str:
    """The chosen language, else that of the system if it is offered, else English."""
    if preferences.window_language is not None:
        return preferences.window_language
    system = QLocale.system().name().split("_")[0]
    return system if system in LOCALES else "en"


def saved_words(session: Session, texts: Texts) -> str:
    """When the file was written, or that there is none."""
    if session.read_only:
        return texts.say("w.bar.read_only")
    if not session.is_saved:
        return texts.say("w.bar.kept")
    if session.saved_at is None:
        return ""
    return texts.say("w.bar.saved", time=clock_words(session.saved_at))


def clock_words(moment: datetime.datetime) -> str:
    """A time of day as 14:02, which all languages of the window write alike."""
    return f"{moment:%H:%M}"


def file_name(title: str, texts: Texts) -> str:
    """A title without what file systems refuse."""
    kept = "".join(sign for sign in title if sign.isalnum() or sign in " -_").strip()
    return kept or texts.say("w.bar.untitled")


def keep_preferences(preferences: Preferences) -> None:
    """Write preferences; a folder that cannot be written must not stop the work."""
    import logging

    try:
        save_preferences(preferences)
    except OSError:
        logging.getLogger(__name__).warning("the preferences could not be written")


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
