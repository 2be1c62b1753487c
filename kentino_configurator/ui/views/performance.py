"""The performance: every figure as a range against what was asked, and how far the load may grow."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import WorkloadResult
from kentino_configurator.core.request import Workload
from kentino_configurator.texts import Texts
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.page import ScrolledView
from kentino_configurator.ui.views.parts.curve_chart import CurveChart
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.headings import block_title, column, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.parts.two_columns import TwoColumns
from kentino_configurator.ui.views.words import performance as words
from kentino_configurator.ui.views.words.curve import curve_picture
from kentino_configurator.ui.views.words.jobs import job_title, served
from kentino_configurator.ui.widgets.estimate_bar import EstimateBar, EstimatePicture
from kentino_configurator.ui.widgets.estimate_heads import EstimateHeads
from kentino_configurator.ui.widgets.label import label

SIDE_PX = 380


class PerformanceView(ScrolledView):
    """One block for each job, then the curve, then scaling."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._snapshot = context.snapshot

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """Title and the blocks, or why there is nothing to predict."""
        title = view_title(texts.say("w.view.performance"), texts.say("view.performance.lead"))
        if answer.decision.configuration is None:
            empty = EmptyState(texts.say("view.none"), texts.say("view.none_why"))
            return column(title, empty, spacing_px=16)
        jobs = [self._job(answer, workload, result, texts) for workload, result in served(answer)]
        return column(title, *jobs, *self._curve(answer, texts), *self._scaling(answer, texts), spacing_px=32)

    def _job(self, answer: Answer, workload: Workload, result: WorkloadResult, texts: Texts) -> QWidget:
        shown = words.figures(workload, result)
        title = job_title("view.performance.speed", workload, answer, texts)
        table = HouseTable(title)
        table.set_table(words.columns(texts), words.rows(shown, texts))
        lead = label(words.job_lead(workload, result, texts), "body", "ink2", wrap=True)
        left = column(
            EstimateHeads(title, texts, "section"), lead, *_bars(words.bars(shown, texts)), spacing_px=8
        )
        right = column(*self._side(answer, workload, result, texts), spacing_px=8)
        return column(TwoColumns(left, right, side_px=SIDE_PX), table, spacing_px=16)

    def _side(
        self, answer: Answer, workload: Workload, result: WorkloadResult, texts: Texts
    ) -> Iterator[QWidget]:
        yield block_title(texts.say("view.performance.holds"))
        for sentence in words.holds(answer, texts):
            yield label(sentence, "body", "ink", wrap=True)
        others = (
            words.capacity(workload, result, texts),
            words.bound_words(result, texts),
            words.field_range(answer, self._snapshot, texts),
        )
        for sentence in filter(None, others):
            yield label(sentence, "body", "ink2", wrap=True)

    def _curve(self, answer: Answer, texts: Texts) -> Iterator[QWidget]:
        picture = curve_picture(answer, self._snapshot, texts)
        if picture is not None:
            head = block_title(
                texts.say("view.performance.curve"), texts.say("view.performance.curve_remark")
            )
            caption = label(texts.say("view.performance.curve_caption"), "small", "ink3", wrap=True)
            yield column(head, CurveChart(picture), caption, spacing_px=4)

    def _scaling(self, answer: Answer, texts: Texts) -> Iterator[QWidget]:
        figure = words.scaling_figure(answer, self._snapshot)
        if figure is None:
            return
        bar, *_ = _bars(words.bars((figure,), texts))
        left = column(EstimateHeads(texts.say("w.view.scaling"), texts, "section"), bar, spacing_px=8)
        table = HouseTable(texts.say("view.performance.field"))
        table.set_table(words.field_columns(texts), words.field_rows(answer, texts))
        note = label(texts.say("view.performance.field_note"), "small", "ink3", wrap=True)
        yield TwoColumns(left, column(table, note, spacing_px=8), side_px=SIDE_PX)


def _bars(pictures: tuple[EstimatePicture, ...]) -> list[EstimateBar]:
    bars = []
    for picture in pictures:
        bar = EstimateBar()
        bar.show_picture(picture)
        bars.append(bar)
    return bars
