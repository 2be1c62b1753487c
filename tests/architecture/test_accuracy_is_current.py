"""The accuracy page, the figures that the proposal quotes and the record of held-out errors belong to this engine."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks import accuracy, serving_rows, training_rows
from benchmarks.held_out import read_held_out, share_that_moved

REWRITE = "run 'python -m benchmarks.accuracy'"
REFIT = "run 'python -m benchmarks.calibrate --errors' and 'python -m benchmarks.calibrate_training --errors'"

TOLERANCE, MOST_MOVED = 0.03, 0.1
"""Leaving a group out is costly to repeat: its record may lag behind small changes of the engine."""

FITTED = {"inference": serving_rows.WEIGHTS, "training": training_rows.WEIGHTS}

judge = cache(accuracy.judge)


@cache
def judged() -> dict[str, accuracy.Judged]:
    return {table: judge(table) for table in accuracy.TABLES}


def test_the_page_says_what_the_engine_does() -> None:
    assert accuracy.PAGE.read_text(encoding="utf-8") == accuracy.page(judged()), REWRITE


def test_the_proposal_quotes_what_the_engine_does() -> None:
    assert accuracy.QUOTED.read_text(encoding="utf-8") == accuracy.quoted(judged()), REWRITE


@pytest.mark.parametrize("table", accuracy.TABLES)
def test_the_errors_with_groups_left_out_are_those_of_this_engine(table: str) -> None:
    moved = share_that_moved(judge(table).fitted, read_held_out(table), TOLERANCE)
    assert moved <= MOST_MOVED, REFIT


@pytest.mark.parametrize("table", accuracy.TABLES)
def test_every_fitted_row_has_an_error_with_its_group_left_out(table: str) -> None:
    record = read_held_out(table)
    missing = [
        outcome.id
        for outcome in judge(table).fitted
        if outcome.family in FITTED[table]
        and not outcome.skipped
        and outcome.grade != "C"
        and outcome.id not in record
    ]
    assert missing == [], REFIT


def test_a_figure_without_words_would_show_its_code_name() -> None:
    families = {each.family for table in accuracy.TABLES for each in judge(table).report.by_family}
    assert families <= accuracy.WORDS.keys()
