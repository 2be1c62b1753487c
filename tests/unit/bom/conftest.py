from __future__ import annotations

from collections.abc import Callable

import pytest

from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.bom.node import node_items
from kentino_configurator.bom.node_plan import NodePlan
from kentino_configurator.bom.offers import build_offers
from kentino_configurator.bom.power import ac_w, dc_w
from kentino_configurator.bom.supplies import supply_of
from kentino_configurator.catalog.repository import load_snapshot
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration
from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.llm import KvPrecision, Precision
from kentino_configurator.core.offer import NodeOffer, Offers
from kentino_configurator.core.request import JobKind, Request, Workload

MakeRequest = Callable[..., Request]
MakeConfiguration = Callable[..., Configuration]


@pytest.fixture(scope="session")
def snapshot() -> CatalogSnapshot:
    return load_snapshot()


@pytest.fixture(scope="session")
def offers(snapshot: CatalogSnapshot) -> Offers:
    return build_offers(snapshot)


@pytest.fixture(scope="session")
def offer_of(offers: Offers) -> Callable[[str], NodeOffer]:
    by_id = {offer.id: offer for offer in offers.nodes}
    return by_id.__getitem__


@pytest.fixture(scope="session")
def make_request(snapshot: CatalogSnapshot) -> MakeRequest:
    def make(kind: JobKind = JobKind.INFERENCE, **parts: object) -> Request:
        workload = Workload(name="assistant", kind=kind, model=snapshot.models["llama-3.1-70b"])
        return Request(workloads=(workload,), **parts)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def make_configuration(offer_of: Callable[[str], NodeOffer]) -> MakeConfiguration:
    def make(offer_id: str, nodes: int = 1, fabric: Fabric | None = None, tp: int = 1) -> Configuration:
        return Configuration(
            node=offer_of(offer_id),
            nodes=nodes,
            replicas=nodes,
            parallelism=Parallelism(tp=tp, dp=nodes),
            weights_precision=Precision.FP8,
            kv_precision=KvPrecision.BF16,
            fabric=fabric,
        )

    return make


@pytest.fixture(scope="session")
def subject_of(snapshot: CatalogSnapshot, offer_of: Callable[[str], NodeOffer]) -> Callable[[str], Subject]:
    """One node of an offer as the rules see it, without request and network."""

    def make(offer_id: str) -> Subject:
        offer = offer_of(offer_id)
        plan = NodePlan(
            build=offer.build, platform=offer.platform, card=offer.card, gpu_count=offer.gpu_count
        )
        items = node_items(plan, snapshot)
        dc = dc_w(items, offer.form, snapshot.policy)
        supply_w, supply_count = supply_of(plan, items, snapshot)
        return Subject(
            plan=plan,
            node_items=items,
            node_dc_w=dc.expected,
            node_ac_w=ac_w(dc, snapshot.policy).expected,
            supply_w=supply_w,
            supply_count=supply_count,
            snapshot=snapshot,
        )

    return make
