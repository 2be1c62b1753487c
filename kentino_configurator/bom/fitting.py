"""Which cards and counts a reference build is offered with, and which edition is really built in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.hardware import GpuSpec, PriceStatus, ReferenceBuild, Tier
from kentino_configurator.core.offer import NodeOffer

RACK_COUNTS = (1, 2, 4, 8)


def counts(build: ReferenceBuild) -> tuple[int, ...]:
    """Card counts of a build: a tower is made for one count, a server may be filled in part."""
    if build.form == "tower":
        return (build.gpu_count,)
    return tuple(count for count in RACK_COUNTS if count <= build.gpu_count)


def cards(build: ReferenceBuild, snapshot: CatalogSnapshot) -> Iterator[tuple[GpuSpec, GpuSpec]]:
    """Pairs of the GPU that is sold and the card that is built in, for every shipping GPU of a build.

    Where a build names a third-party version of a GPU beside it, that version is what its chassis takes.
    """
    named = [snapshot.gpus[gpu_id] for gpu_id in build.gpu_ids if gpu_id in snapshot.gpus]
    versions = {sold.id: card for card in named if (sold := _sold_as(card, snapshot))}
    shipping = {card.id: card for card in named if card.tier == Tier.SHIPS}
    for gpu_id in dict.fromkeys((*shipping, *versions)):
        sold = snapshot.gpus[gpu_id]
        yield sold, _priced_like(versions[gpu_id], sold) if gpu_id in versions else sold


def _sold_as(card: GpuSpec, snapshot: CatalogSnapshot) -> GpuSpec | None:
    """The shipping GPU that a third-party version of a GeForce is a version of."""
    if not card.is_geforce or card.tier == Tier.SHIPS:
        return None
    return next((gpu for gpu in snapshot.shipping_gpus() if card.name.startswith(gpu.name + " ")), None)


def _priced_like(card: GpuSpec, sold: GpuSpec) -> GpuSpec:
    """The version with the price of its retail card as a placeholder, when none of its own is known."""
    if card.price.amount is not None or sold.price.amount is None:
        return card
    note = f"price of the {sold.name}; none of this version is published"
    return replace(card, price=replace(sold.price, status=PriceStatus.PLACEHOLDER, note=note))


def built_in(offer: NodeOffer, snapshot: CatalogSnapshot) -> GpuSpec:
    """The card an offer is built with, as ``cards`` gives it."""
    if offer.fitted is not None:
        return offer.fitted
    return next((card for sold, card in cards(offer.build, snapshot) if sold.id == offer.gpu.id), offer.gpu)
