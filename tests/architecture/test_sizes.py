"""Functions stay small enough to be read at a glance. A docstring does not count."""

from __future__ import annotations

import ast
from statistics import median

from tests.architecture.source_tree import modules

MAX_LINES = 60
MEDIAN_LINES = 10

Function = ast.FunctionDef | ast.AsyncFunctionDef


def function_lines() -> dict[str, int]:
    return {
        f"{module}:{node.lineno} {node.name}": lines_of(node)
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, Function)
    }


def lines_of(function: Function) -> int:
    first = function.body[0]
    has_docstring = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if has_docstring else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - docstring


def test_no_function_is_too_long() -> None:
    too_long = {name: lines for name, lines in function_lines().items() if lines > MAX_LINES}
    assert too_long == {}


def test_the_usual_function_is_short() -> None:
    assert median(function_lines().values()) < MEDIAN_LINES


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        name for name, tree in modules().items() if tree.body and not (ast.get_docstring(tree) or "").strip()
    ]
    assert silent == []
