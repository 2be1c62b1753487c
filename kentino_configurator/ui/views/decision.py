"""The decision: five questions, findings, and why nothing else was chosen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Decision, Severity
from kentino_configurator.texts import Texts
from kentino_configurator.ui import theme
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.page import ScrolledView
from kentino_configurator.ui.views.parts.finding_row import FindingRow
from kentino_configurator.ui.views.parts.headings import block_title, column, line, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.question_card import QuestionCard
from kentino_configurator.ui.views.parts.two_columns import TwoColumns
from kentino_configurator.ui.views.words import decision as words
from kentino_configurator.ui.views.words import referral as tables
from kentino_configurator.ui.widgets.icon_label import STATE_ICONS, IconLabel
from kentino_configurator.ui.widgets.label import Hairline, label

SIDE_PX = 400
_INK = {Severity.BLOCK: "block", Severity.WARN: "warn", Severity.NOTE: "ink2"}


class DecisionView(ScrolledView):
    """Left the way to the answer, right what else is known about it. What was opened stays open."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._turned: set[int] = set()
        self._toggled: set[str] = set()

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """Two columns, under each other where it is narrow."""
        main = column(
            view_title(texts.say("view.decision.title"), words.lead(answer.decision, texts)),
            *_without_machine(answer, texts),
            self._questions(answer.decision, texts),
            Hairline(),
            _foot(answer, texts),
            spacing_px=16,
        )
        side = column(
            self._findings(answer.decision, texts), *_instead(answer.decision, texts), spacing_px=32
        )
        return TwoColumns(main, side, side_px=SIDE_PX)

    def _questions(self, decision: Decision, texts: Texts) -> QWidget:
        pictures = words.question_pictures(decision, texts)
        cards = []
        for picture in pictures:
            wanted = picture.decided is not (picture.number in self._turned)
            card = QuestionCard(picture, last=picture is pictures[-1], formulas_open=wanted)
            card.formulas_opened.connect(partial(self._turn, picture.number))
            cards.append(card)
        return column(*cards)

    def _turn(self, number: int, _open: bool) -> None:
        self._turned ^= {number}

    def _findings(self, decision: Decision, texts: Texts) -> QWidget:
        rows: list[QWidget] = [
            block_title(texts.say("view.decision.findings"), words.blocking_words(decision, texts))
        ]
        for group in words.finding_groups(decision, texts):
            rows.append(_group_head(group))
            for picture in group.findings:
                rows += [Hairline(), self._finding(picture)]
        if len(rows) == 1:
            rows.append(label(texts.say("view.decision.no_findings"), "body", "ink2", wrap=True))
        return column(*rows)

    def _finding(self, picture: words.FindingPicture) -> FindingRow:
        """Findings that ask for something are open at first."""
        wanted = (picture.severity is not Severity.NOTE) is not (picture.key in self._toggled)
        row = FindingRow(picture, open_=wanted)
        row.opened.connect(self._remember)
        return row

    def _remember(self, key: str, _open: bool) -> None:
        self._toggled ^= {key}


def _group_head(group: words.FindingGroup) -> QWidget:
    ink = _INK[group.severity]
    icon = IconLabel(STATE_ICONS.get(group.severity.value, "info"), ink)
    head = line(
        icon,
        label(group.title, "small.strong", ink),
        label(str(len(group.findings)), "small.strong", ink),
        stretch=1,
    )
    head.setContentsMargins(0, theme.px(12), 0, theme.px(8))
    return head


def _instead(decision: Decision, texts: Texts) -> list[QWidget]:
    pictures = words.instead_pictures(decision, texts)
    if not pictures:
        return []
    rows: list[QWidget] = [
        block_title(texts.say("view.decision.instead"), texts.say("view.decision.what_would_change"))
    ]
    for picture in pictures:
        rows += [Hairline(), _instead_row(picture)]
    return [column(*rows, spacing_px=8)]


def _instead_row(picture: words.InsteadPicture) -> QWidget:
    row = QWidget()
    grid = QGridLayout(row)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.px(16))
    grid.setVerticalSpacing(theme.px(2))
    grid.setColumnStretch(1, 1)
    grid.addWidget(label(picture.name, "label"), 0, 0, Qt.AlignmentFlag.AlignTop)
    change = label(picture.change, "small", "ink2", wrap=True)
    change.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    grid.addWidget(change, 0, 1)
    grid.addWidget(label(picture.why, "small", "ink2", wrap=True), 1, 0, 1, 2)
    return row


def _foot(answer: Answer, texts: Texts) -> QWidget:
    foot = QWidget()
    grid = QGridLayout(foot)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.px(24))
    grid.setVerticalSpacing(theme.px(6))
    grid.setColumnStretch(2, 1)
    top = Qt.AlignmentFlag.AlignTop
    for row, picture in enumerate(words.foot_pictures(answer, texts)):
        grid.addWidget(label(picture.name, "label"), row, 0, top)
        if picture.agrees is not None:
            icon = ("check", "ok") if picture.agrees else ("triangle-alert", "warn")
            grid.addWidget(IconLabel(*icon), row, 1, top)
        grid.addWidget(label(picture.words, "body", "ink2", wrap=True), row, 2)
    return foot


def _without_machine(answer: Answer, texts: Texts) -> list[QWidget]:
    """What stands before the questions when there is nothing of ours to build."""
    decision = answer.decision
    if decision.configuration is not None:
        return []
    headline, reason = words.explanation(answer, texts)
    blocks: list[QWidget] = [label(headline, "section", wrap=True), label(reason, "body", "ink2", wrap=True)]
    if decision.referral is not None:
        blocks += [
            _system_table(decision, texts),
            *_list("delivered", words.delivered(decision, texts), texts),
        ]
    if decision.limits_met:
        blocks.append(_limit_table(decision, texts))
    blocks += _list("needed", words.needed(decision, texts), texts)
    blocks.append(block_title(texts.say("view.decision.questions")))
    return blocks


def _system_table(decision: Decision, texts: Texts) -> HouseTable:
    assert decision.referral is not None
    table = HouseTable(texts.say("view.decision.system"))
    table.set_table(tables.system_columns(texts), tables.system_rows(decision.referral, texts))
    return table


def _limit_table(decision: Decision, texts: Texts) -> HouseTable:
    table = HouseTable(texts.say("view.decision.limits"))
    table.set_table(tables.limit_columns(texts), tables.limit_rows(decision, texts))
    return table


def _list(name: str, items: tuple[str, ...], texts: Texts) -> list[QWidget]:
    if not items:
        return []
    lines = [label(f"–  {item}", "body", "ink2", wrap=True) for item in items]
    return [column(label(texts.say(f"view.decision.{name}"), "strong"), *lines, spacing_px=4)]
