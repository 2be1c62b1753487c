"""The memory: one GPU to scale, the computation of each part, the room that is left."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Configuration, WorkloadResult
from kentino_configurator.core.prediction import MemoryPerGpu
from kentino_configurator.core.request import Workload
from kentino_configurator.texts import Texts
from kentino_configurator.ui.result_words import memory_picture
from kentino_configurator.ui.views.base import ViewContext
from kentino_configurator.ui.views.page import ScrolledView
from kentino_configurator.ui.views.parts.empty_state import EmptyState
from kentino_configurator.ui.views.parts.expander import Expander
from kentino_configurator.ui.views.parts.headings import block_title, column, view_title
from kentino_configurator.ui.views.parts.house_table import HouseTable
from kentino_configurator.ui.views.words import memory as words
from kentino_configurator.ui.views.words.jobs import job_title, served
from kentino_configurator.ui.views.words.memory_stages import StageMemory, stage_memories, stage_title
from kentino_configurator.ui.widgets.icon_label import StateLine
from kentino_configurator.ui.widgets.label import label
from kentino_configurator.ui.widgets.memory_bar import MemoryBar


class MemoryView(ScrolledView):
    """One block for each job. Whether the stages were opened stays."""

    def __init__(self, context: ViewContext) -> None:
        super().__init__()
        self._snapshot = context.snapshot
        policy = context.snapshot.policy
        self._comfortable = policy["weights.comfortable_share"]
        self._ceiling = policy["weights.ceiling_share"]
        self._stages_open = False

    def body(self, answer: Answer, texts: Texts) -> QWidget:
        """Title and the blocks, or why there is nothing to fill."""
        title = view_title(texts.say("w.view.memory"), texts.say("view.memory.lead"))
        configuration = answer.decision.configuration
        if configuration is None:
            empty = EmptyState(texts.say("view.none"), texts.say("view.none_why"))
            return column(title, empty, spacing_px=16)
        blocks = [
            self._block(answer, configuration, workload, result, texts) for workload, result in served(answer)
        ]
        return column(title, *blocks, spacing_px=32)

    def _block(
        self,
        answer: Answer,
        configuration: Configuration,
        workload: Workload,
        result: WorkloadResult,
        texts: Texts,
    ) -> QWidget:
        memory = result.memory
        title = job_title("w.panel.memory", workload, answer, texts)
        table = HouseTable(title)
        table.set_table(words.columns(texts), words.rows(answer, workload, result, texts))
        judged, role = words.judgement(memory, self._comfortable, self._ceiling, texts)
        return column(
            block_title(title, words.remark(memory, texts)),
            label(words.who_holds_it(configuration, texts), "body", "ink2", wrap=True),
            self._bar(memory, texts),
            StateLine(judged, role),
            table,
            *self._below(answer, workload, result, texts),
            spacing_px=8,
        )

    def _bar(self, memory: MemoryPerGpu, texts: Texts) -> MemoryBar:
        bar = MemoryBar(legend=False, values=True)
        bar.show_picture(memory_picture(memory, self._comfortable, self._ceiling, texts))
        return bar

    def _below(
        self, answer: Answer, workload: Workload, result: WorkloadResult, texts: Texts
    ) -> Iterator[QWidget]:
        told = (words.capacity(workload, result, texts), words.longest_context(result, texts))
        for sentence in filter(None, told):
            yield label(sentence, "body", "ink2", wrap=True)
        stages = stage_memories(answer, workload, result, self._snapshot)
        if stages:
            content = column(*(self._stage(stage, texts) for stage in stages), spacing_px=12)
            expander = Expander(texts.say("view.memory.stages"), content, open_=self._stages_open)
            expander.opened.connect(self._remember)
            yield expander

    def _stage(self, stage: StageMemory, texts: Texts) -> QWidget:
        return column(label(stage_title(stage, texts), "label", wrap=True), self._bar(stage.memory, texts))

    def _remember(self, open_: bool) -> None:
        self._stages_open = open_
