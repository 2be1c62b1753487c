"""Memo by identity: found again for the same specs, not for others, bounded."""

from __future__ import annotations

from kentino_configurator.engine.memo import SpecMemo


def test_a_result_is_computed_once_per_specs_and_rest() -> None:
    memo: SpecMemo[int] = SpecMemo()
    spec, calls = object(), []

    def compute() -> int:
        calls.append(1)
        return len(calls)

    assert memo.get((spec,), "a", compute) == memo.get((spec,), "a", compute) == 1
    assert memo.get((spec,), "b", compute) == 2
    assert memo.get((object(),), "a", compute) == 3


def test_an_equal_but_different_spec_is_not_confused() -> None:
    memo: SpecMemo[str] = SpecMemo()
    first, second = [1], [1]
    memo.get((first,), 0, lambda: "first")
    assert memo.get((second,), 0, lambda: "second") == "second"


def test_the_memo_forgets_when_it_is_full() -> None:
    memo: SpecMemo[int] = SpecMemo(capacity=2)
    specs = [object() for _ in range(5)]
    assert [memo.get((spec,), 0, lambda n=n: n) for n, spec in enumerate(specs)] == [0, 1, 2, 3, 4]
    assert memo.get((specs[0],), 0, lambda: 9) == 9
