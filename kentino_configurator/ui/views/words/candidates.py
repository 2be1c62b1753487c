"""Which alternatives are compared: what is proposed, what can be built instead, and what was only looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.decision import Alternative, Configuration
from kentino_configurator.core.evidence import Estimate
from kentino_configurator.core.message import Message
from kentino_configurator.core.money import Money
from kentino_configurator.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One column: an answer with this configuration in place of the chosen one. ``index`` is -1 for the chosen one."""

    index: int
    answer: Answer
    net: Money | None
    net_is_lower_bound: bool
    three_years: Estimate | None
    why_not: Message | None = None
    change: Message | None = None

    @property
    def is_chosen(self) -> bool:
        """Whether this is what is proposed."""
        return self.index < 0

    @property
    def configuration(self) -> Configuration:
        """What would be built."""
        configuration = self.answer.decision.configuration
        assert configuration is not None
        return configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPicture:
    """What was looked at and has no column now. ``index`` is -1 when it cannot have one."""

    index: int
    name: str
    why: str
    change: str


def candidates(answer: Answer) -> tuple[Candidate, ...]:
    """The chosen configuration first, then every alternative that can be built."""
    return tuple(_candidates(answer))


def _candidates(answer: Answer) -> Iterator[Candidate]:
    decision = answer.decision
    if decision.configuration is not None and answer.bom is not None:
        cost = decision.three_year_cost
        yield Candidate(
            index=-1,
            answer=answer,
            net=answer.bom.net,
            net_is_lower_bound=answer.bom.unpriced_lines > 0,
            three_years=None if cost is None else cost.total,
        )
    for index, item in enumerate(decision.alternatives):
        if item.configuration is not None and item.feasible:
            yield _candidate(index, item, answer)


def _candidate(index: int, item: Alternative, answer: Answer) -> Candidate:
    decision = replace(
        answer.decision, verdict=item.verdict, configuration=item.configuration, results=item.results
    )
    return Candidate(
        index=index,
        answer=replace(answer, decision=decision),
        net=item.net,
        net_is_lower_bound=item.net_is_lower_bound,
        three_years=item.three_year_eur,
        why_not=item.why_not,
        change=item.what_would_change,
    )


def columns_for(found: Sequence[Candidate], wanted: Sequence[int], most: int) -> tuple[Candidate, ...]:
    """Up to ``most`` columns: the chosen one, then those asked for, then the others in order."""
    first = [candidate for candidate in found if candidate.is_chosen]
    asked = [candidate for index in wanted for candidate in found if candidate.index == index]
    rest = [candidate for candidate in found if not candidate.is_chosen and candidate not in asked]
    return tuple([*first, *asked, *rest][:most])


def others_than(shown: Sequence[Candidate], answer: Answer, texts: Texts) -> tuple[OtherPicture, ...]:
    """Everything that was looked at and has no column."""
    with_column = {candidate.index for candidate in shown}
    return tuple(
        _other(index, item, texts)
        for index, item in enumerate(answer.decision.alternatives)
        if index not in with_column
    )


def _other(index: int, item: Alternative, texts: Texts) -> OtherPicture:
    change = item.what_would_change
    can_be_shown = item.configuration is not None and item.feasible
    return OtherPicture(
        index=index if can_be_shown else -1,
        name=texts.say(f"doc.alt.{item.kind}"),
        why=texts.say(item.why_not),
        change="" if change is None else texts.say(change),
    )
