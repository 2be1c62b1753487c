"""The heads over the estimate bars leave the panel its width, whatever a job is called."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from kentino_configurator.texts.catalogue import load_texts
from kentino_configurator.ui.widgets.estimate_heads import EstimateHeads


def test_a_job_of_many_words_takes_more_lines_and_no_more_width(qtbot: QtBot) -> None:
    heads = EstimateHeads("Performance", load_texts("en"))
    qtbot.addWidget(heads)
    width = heads.minimumSizeHint().width()
    low = heads.heightForWidth(width + 60)
    heads.show_title("Performance of questions over many files and summaries")
    assert heads.minimumSizeHint().width() <= width + 8
    assert heads.heightForWidth(width + 60) > low
