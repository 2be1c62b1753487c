"""The bar above everything: whose project, saved or not, undo and redo, appearance, the proposal."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from kentino_configurator.settings import Theme as Preference
from kentino_configurator.texts import LOCALES, Texts
from kentino_configurator.ui import rail, theme
from kentino_configurator.ui.widgets.button import Button, ButtonKind, IconButton
from kentino_configurator.ui.widgets.label import Hairline, label, set_ground
from kentino_configurator.ui.widgets.mark import PRODUCT_NAME, Mark
from kentino_configurator.ui.widgets.variant_tabs import VariantTabs, VariantWords

HEIGHT_PX = 56


class Brand(QWidget):
    """Mark and name of the program, as wide as the rail."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = label(name, "name")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(24), 0, 0, 0)
        layout.setSpacing(theme.px(14))
        layout.addWidget(Mark())
        layout.addWidget(self._name, 1)
        self.set_icons_only(False)

    def set_icons_only(self, icons_only: bool) -> None:
        """Narrow windows show the mark alone."""
        self._name.setVisible(not icons_only)
        self.setFixedWidth(theme.px(rail.ICONS_ONLY_PX if icons_only else rail.WIDTH_PX))
        left = (rail.ICONS_ONLY_PX - 22) / 2 if icons_only else 24
        self.layout().setContentsMargins(theme.px(left), 0, 0, 0)  # type: ignore[union-attr]


class TopBar(QWidget):
    """Signals only; the window does the work."""

    undo_wanted = Signal()
    redo_wanted = Signal()
    proposal_wanted = Signal()
    theme_wanted = Signal(object)
    language_wanted = Signal(str)

    def __init__(self, texts: Texts, project_menu: QMenu) -> None:
        super().__init__()
        self._texts = texts
        set_ground(self, "surface")
        self.setFixedHeight(theme.px(HEIGHT_PX))
        self.brand = Brand(PRODUCT_NAME)
        self.project = Button("", ButtonKind.PLAIN, menu_mark=True, type_role="project", ink="ink")
        self._project_menu = project_menu
        self.project.clicked.connect(self._open_project_menu)
        self.variants = VariantTabs(texts.say("w.variant.add"))
        self.saved = label("", "small", "ink3")
        self.undo = IconButton("undo-2", texts.say("w.bar.undo"))
        self.redo = IconButton("redo-2", texts.say("w.bar.redo"))
        self.appearance = IconButton("settings", texts.say("w.bar.appearance"))
        self.proposal = Button(texts.say("w.bar.proposal"), ButtonKind.FILLED)
        self.undo.clicked.connect(self.undo_wanted)
        self.redo.clicked.connect(self.redo_wanted)
        self.appearance.clicked.connect(self._open_appearance_menu)
        self.proposal.clicked.connect(self.proposal_wanted)
        self._preference = Preference.SYSTEM
        self._lay_out()

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, theme.px(24), 0)
        layout.setSpacing(0)
        layout.addWidget(self.brand)
        layout.addWidget(Hairline(vertical=True))
        layout.addSpacing(theme.px(16))
        layout.addWidget(self.project)
        layout.addSpacing(theme.px(12))
        layout.addWidget(self.variants)
        layout.addStretch(1)
        layout.addWidget(self.saved)
        layout.addSpacing(theme.px(8))
        for button in (self.undo, self.redo, self.appearance):
            layout.addSpacing(theme.px(8))
            layout.addWidget(button)
        layout.addSpacing(theme.px(16))
        layout.addWidget(self.proposal)

    def show_project(self, name: str, saved: str) -> None:
        """Name of the project and when it was saved."""
        self.project.setText(name)
        self.project.updateGeometry()
        self.project.setAccessibleName(self._texts.say("w.bar.project", name=name))
        self.saved.setText(saved)
        self._fit_variants()

    def show_variants(self, variants: tuple[VariantWords, ...], active: int) -> None:
        """All variants; verdicts only while they fit."""
        self.variants.show_variants(variants, active)
        self._fit_variants()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Verdicts of variants give way in narrow windows."""
        self._fit_variants()

    def _fit_variants(self) -> None:
        others = (self.project, self.saved, self.undo, self.redo, self.appearance, self.proposal)
        taken = self.brand.width() + sum(part.sizeHint().width() for part in others) + theme.px(120)
        self.variants.set_letters_only(taken + self.variants.wanted_width() > self.width())

    def show_undo(self, can_undo: bool, can_redo: bool) -> None:
        """Grey what cannot be done."""
        self.undo.setEnabled(can_undo)
        self.redo.setEnabled(can_redo)

    def show_preference(self, preference: Preference) -> None:
        """The scheme that has the tick in the menu."""
        self._preference = preference

    def set_icons_only(self, icons_only: bool) -> None:
        """Follow the rail."""
        self.brand.set_icons_only(icons_only)

    def _open_project_menu(self) -> None:
        self._project_menu.popup(self.project.mapToGlobal(QPoint(0, self.project.height())))

    def _open_appearance_menu(self) -> None:
        menu = appearance_menu(self, self._texts, self._preference)
        menu.popup(self.appearance.mapToGlobal(QPoint(0, self.appearance.height())))


def appearance_menu(owner: QWidget, texts: Texts, preference: Preference) -> QMenu:
    """Scheme and language. ``owner`` has the signals ``theme_wanted`` and ``language_wanted``."""
    menu = QMenu(owner)
    menu.setFont(theme.font("body"))
    schemes = QActionGroup(menu)
    for choice in Preference:
        action = menu.addAction(texts.say(f"w.theme.{choice.value}"))
        action.setCheckable(True)
        action.setChecked(choice is preference)
        action.triggered.connect(lambda _=False, choice=choice: owner.theme_wanted.emit(choice))  # type: ignore[attr-defined]
        schemes.addAction(action)
    menu.addSeparator()
    languages = QActionGroup(menu)
    for language in LOCALES:
        action = menu.addAction(texts.say(f"language.{language}"))
        action.setCheckable(True)
        action.setChecked(language == texts.language)
        action.triggered.connect(lambda _=False, language=language: owner.language_wanted.emit(language))  # type: ignore[attr-defined]
        languages.addAction(action)
    return menu
