"""From answers to the whole answer, for the window and the command line alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from kentino_configurator.bom.assemble import assemble
from kentino_configurator.bom.offers import build_offers
from kentino_configurator.core.answer import Answer
from kentino_configurator.core.answers import Answers
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Alternative, Decision
from kentino_configurator.core.message import Message, message
from kentino_configurator.core.money import Money
from kentino_configurator.core.offer import Offers
from kentino_configurator.core.request import Request
from kentino_configurator.engine.cost import with_hardware
from kentino_configurator.engine.decide import decide
from kentino_configurator.topology.graph import build_graph
from kentino_configurator.wizard.problems import Problem
from kentino_configurator.wizard.reading import read_request


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An answer with the problems of the answers it was made from. ``answer`` is ``None`` only in strict reading."""

    answer: Answer | None
    problems: tuple[Problem, ...]


class Service:
    """Evaluates answers against one catalogue; the buildable nodes are worked out once."""

    def __init__(self, snapshot: CatalogSnapshot) -> None:
        self.snapshot = snapshot

    @cached_property
    def offers(self) -> Offers:
        """Every machine and network that can be built from the catalogue."""
        return build_offers(self.snapshot)

    def evaluate(
        self, answers: Answers, *, lenient: bool = True, quick: bool = False, base_dir: Path | None = None
    ) -> Evaluation:
        """Reads and decides. Lenient: an unusable value falls back to its default and is reported."""
        reading = read_request(answers, self.snapshot, base_dir=base_dir, lenient=lenient)
        if reading.request is None:
            return Evaluation(answer=None, problems=reading.problems)
        return Evaluation(answer=self.answer(reading.request, quick=quick), problems=reading.problems)

    def answer(self, request: Request, *, quick: bool = False) -> Answer:
        """Decides a complete request and adds parts and wiring of the chosen configuration."""
        decision = decide(request, self.snapshot, self.offers, quick=quick)
        configuration = decision.configuration
        bom = None if configuration is None else assemble(request, configuration, self.snapshot)
        return Answer(
            request=request,
            decision=decision
            if bom is None
            else with_price_of(bom, decision, request.commercial.discount_percent),
            bom=bom,
            topology=None if configuration is None else build_graph(configuration, self.snapshot, bom),
            catalog_version=self.snapshot.version,
            catalog_date=self.snapshot.date,
            catalog_sha256=self.snapshot.sha256,
        )


def with_price_of(bom: BillOfMaterials, decision: Decision, discount_percent: float) -> Decision:
    """The decision with the purchase of the bill of materials, and every alternative at the same discount."""
    kept = 1 - Decimal(str(discount_percent)) / 100
    cost = decision.three_year_cost
    return replace(
        decision,
        three_year_cost=None if cost is None else with_hardware(cost, bom.net),
        alternatives=tuple(discounted(item, kept) for item in decision.alternatives),
    )


def discounted(item: Alternative, kept: Decimal) -> Alternative:
    """An alternative with its price, its three-year cost and the prices in its sentences times ``kept``."""
    if kept == 1 or item.net is None:
        return item
    net = item.net.times(kept)
    saved = (item.net - net).cents / 100
    years = item.three_year_eur
    if years is not None:
        ends = {name: getattr(years, name) - saved for name in ("low", "expected", "high")}
        years = replace(years, **ends)
    return replace(item, net=net, three_year_eur=years, why_not=_with_prices(item.why_not, kept))


def _with_prices(sentence: Message, kept: Decimal) -> Message:
    args = {name: arg.times(kept) if isinstance(arg, Money) else arg for name, arg in sentence.args.items()}
    return message(sentence.id, **args)
