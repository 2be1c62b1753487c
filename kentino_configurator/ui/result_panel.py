"""The answer beside the questions: verdict, machine, memory, speed, price, what changes it, what is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.texts import Texts
from kentino_configurator.ui import result_words, theme
from kentino_configurator.ui.widgets.button import Button, ButtonKind
from kentino_configurator.ui.widgets.estimate_bar import EstimateBar
from kentino_configurator.ui.widgets.estimate_heads import EstimateHeads
from kentino_configurator.ui.widgets.icon_label import STATE_ICONS, StateLine
from kentino_configurator.ui.widgets.label import Hairline, label, set_ground, set_ink
from kentino_configurator.ui.widgets.lever_row import LeverRow
from kentino_configurator.ui.widgets.memory_bar import MemoryBar
from kentino_configurator.ui.widgets.scroll import ScrollColumn

WIDE_PX = 448
NARROW_PX = 360
_PADDING_PX = 24
MOST_BARS = 3


@dataclass(frozen=True, slots=True)
class WeightLimits:
    """The two shares of memory that judge the weights, from the policy."""

    comfortable: float = 0.6
    ceiling: float = 0.7


class _Block(QWidget):
    """A part of the panel with a hairline above it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(0)
        self.rows.addWidget(Hairline())
        self.rows.addSpacing(theme.px(11))

    def add_pair(self, left: QLabel, *right: QLabel) -> None:
        """Words at the left, a figure at the right, on one line."""
        line = QHBoxLayout()
        line.setSpacing(theme.px(6))
        line.addWidget(left, 1, Qt.AlignmentFlag.AlignBaseline)
        for part in right:
            line.addWidget(part, 0, Qt.AlignmentFlag.AlignBaseline)
        self.rows.addLayout(line)


class ResultPanel(QWidget):
    """Renders one answer. Verdict and price stay in view; the rest scrolls when the window is low."""

    findings_wanted = Signal()
    assumptions_wanted = Signal()
    question_wanted = Signal(str, int)
    """Question and workload that somebody wants to answer."""

    def __init__(self, texts: Texts, limits: WeightLimits) -> None:
        super().__init__()
        self._texts = texts
        self._limits = limits
        self._answer: Answer | None = None
        self._wanted: result_words.Unknown | None = None
        set_ground(self, "panel")
        self._build_head()
        self._build_memory()
        self._build_bars()
        self._build_price()
        self._build_levers()
        self._build_foot()
        self._lay_out()
        self.set_narrow(False)

    def set_narrow(self, narrow: bool) -> None:
        """360 wide in small windows."""
        self.setFixedWidth(theme.px(NARROW_PX if narrow else WIDE_PX))

    def set_computing(self, computing: bool) -> None:
        """The old answer stays, greyed, while a new one takes long."""
        self._remark.setText(self._texts.say("w.panel.computing" if computing else "w.panel.estimate"))
        set_ink(self._remark, "ink2")
        set_ink(self._verdict, "ink3" if computing else "ink")

    def show_failure(self) -> None:
        """The engine broke: the old figures stay, marked as such."""
        self._remark.setText(self._texts.say("w.panel.failed"))
        set_ink(self._remark, "block")

    # ------------------------------------------------------------ building

    def _build_head(self) -> None:
        texts = self._texts
        self._remark = label(texts.say("w.panel.estimate"), "small", "ink2")
        self._verdict = label("", "verdict", wrap=True)
        self._machine = label("", "label", wrap=True)
        self._layout_line = label("", "body", "ink2", wrap=True)
        self._reason = label("", "body", "ink2", wrap=True)
        top = QHBoxLayout()
        top.addWidget(label(texts.say("w.panel.answer"), "small", "ink3"))
        top.addStretch(1)
        top.addWidget(self._remark)
        self._head = QWidget()
        rows = QVBoxLayout(self._head)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.px(4))
        rows.addLayout(top)
        rows.addSpacing(theme.px(3))
        rows.addWidget(self._verdict)
        rows.addSpacing(theme.px(3))
        for line in (self._machine, self._layout_line, self._reason):
            rows.addWidget(line)

    def _build_memory(self) -> None:
        self._memory = _Block()
        self._memory_used = label("", "section")
        self._memory_total = label("", "small", "ink3")
        title = label(self._texts.say("w.panel.memory"), "strong")
        self._memory.add_pair(title, self._memory_used, self._memory_total)
        self._memory_bar = MemoryBar()
        self._memory.rows.addWidget(self._memory_bar)

    def _build_bars(self) -> None:
        self._performance = _Block()
        self._heads = EstimateHeads("", self._texts)
        self._performance.rows.addWidget(self._heads)
        self._performance.rows.addSpacing(theme.px(4))
        self._bars = [EstimateBar() for _ in range(MOST_BARS)]
        for bar in self._bars:
            self._performance.rows.addWidget(bar)

    def _build_price(self) -> None:
        self._price = _Block()
        self._price_value = label("", "title")
        title = label(self._texts.say("w.price.net"), "strong")
        self._price.add_pair(title, self._price_value)
        self._price_state = StateLine(icon="info")
        self._price.rows.addSpacing(theme.px(2))
        self._price.rows.addWidget(self._price_state)

    def _build_levers(self) -> None:
        self._levers = _Block()
        self._levers.rows.addWidget(label(self._texts.say("w.panel.levers"), "strong"))
        self._levers.rows.addSpacing(theme.px(3))
        self._lever_rows: list[LeverRow] = []

    def _build_foot(self) -> None:
        self._open = Button("", ButtonKind.LINK)
        self._open.clicked.connect(self.findings_wanted)
        self._unknown = label("", "small", "ink2", wrap=True)
        self._answer_it = Button(
            self._texts.say("w.panel.answer_it"), ButtonKind.LINK, type_role="small.label"
        )
        self._answer_it.clicked.connect(self._want_question)
        self._assumptions = Button("", ButtonKind.LINK)
        self._assumptions.clicked.connect(self.assumptions_wanted)
        self._foot = QWidget()
        rows = QVBoxLayout(self._foot)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(theme.px(14))
        upper, lower = QHBoxLayout(), QHBoxLayout()
        for layout, left, right in (
            (upper, self._open, self._assumptions),
            (lower, self._unknown, self._answer_it),
        ):
            layout.addWidget(left, 0 if left is self._open else 1)
            if left is self._open:
                layout.addStretch(1)
            layout.addWidget(right, 0, Qt.AlignmentFlag.AlignTop)
            rows.addLayout(layout)

    def _lay_out(self) -> None:
        scrolled = QWidget()
        middle = QVBoxLayout(scrolled)
        padding = theme.px(_PADDING_PX)
        middle.setContentsMargins(padding, 0, padding, theme.px(16))
        middle.setSpacing(theme.px(13))
        for part in (self._memory, self._performance, self._price, self._levers, self._foot):
            middle.addWidget(part)
        middle.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, theme.px(22), 0, 0)
        outer.setSpacing(theme.px(24))
        self._head.setContentsMargins(padding, 0, padding, 0)
        outer.addWidget(self._head)
        outer.addWidget(ScrollColumn(scrolled, middle), 1)

    # ------------------------------------------------------------ showing

    def show_answer(self, answer: Answer, *, complete: bool = True) -> None:
        """Replace every figure at once. What would change an incomplete answer is not known yet and stays."""
        self._answer = answer
        self._show_head(answer)
        self._show_memory(answer)
        self._show_bars(answer)
        self._show_price(answer)
        if complete:
            self._show_levers(answer)
        words, role = result_words.open_words(answer, self._texts)
        self._open.show_look(words, role, STATE_ICONS.get(role, ""))
        self._assumptions.show_look(result_words.assumption_words(answer, self._texts), "accent")
        self._show_unknown(answer)

    def _show_unknown(self, answer: Answer) -> None:
        """The unanswered question that moves the answer most."""
        found = result_words.strongest_unknown(answer)
        self._wanted = found
        self._unknown.setVisible(found is not None)
        self._answer_it.setVisible(found is not None)
        if found is not None:
            count = len(answer.request.assumptions)
            self._unknown.setText(result_words.unknown_words(found, count, self._texts))

    def _want_question(self) -> None:
        if self._wanted is not None:
            self.question_wanted.emit(self._wanted.question_id, self._wanted.workload)

    def _show_head(self, answer: Answer) -> None:
        texts = self._texts
        self._verdict.setText(result_words.verdict_words(answer, texts))
        lines: Mapping[QLabel, str] = {
            self._machine: result_words.machine_words(answer, texts),
            self._layout_line: result_words.layout_line(answer, texts),
            self._reason: result_words.reason_words(answer, texts),
        }
        for line, words in lines.items():
            line.setText(words)
            line.setVisible(bool(words))

    def _show_memory(self, answer: Answer) -> None:
        memory = answer.decision.memory
        self._memory.setVisible(memory is not None)
        if memory is None:
            return
        used, total = result_words.memory_used_words(memory, self._texts)
        self._memory_used.setText(used)
        self._memory_total.setText(total)
        limits = self._limits
        picture = result_words.memory_picture(memory, limits.comfortable, limits.ceiling, self._texts)
        self._memory_bar.show_picture(picture)

    def _show_bars(self, answer: Answer) -> None:
        pictures = result_words.estimate_pictures(answer, self._texts)
        self._performance.setVisible(bool(pictures))
        self._heads.show_title(result_words.performance_title(answer, self._texts))
        for index, bar in enumerate(self._bars):
            bar.setVisible(index < len(pictures))
            if index < len(pictures):
                bar.show_picture(pictures[index])

    def _show_price(self, answer: Answer) -> None:
        price, state = result_words.price_words(answer.bom, self._texts)
        self._price.setVisible(bool(price))
        self._price_value.setText(price)
        self._price_state.show_state(state, "ink2")

    def _show_levers(self, answer: Answer) -> None:
        for row in self._lever_rows:
            row.setParent(None)
            row.deleteLater()
        rows = result_words.levers(answer, self._texts)
        self._levers.setVisible(bool(rows))
        self._lever_rows = [
            LeverRow(row.name, row.now, row.at, row.becomes, last=row is rows[-1]) for row in rows
        ]
        for widget in self._lever_rows:
            self._levers.rows.addWidget(widget)
