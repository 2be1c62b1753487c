"""Parts with a quantity and a price, before they are numbered into the lines of a bill of materials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kentino_configurator.core.bom import BomGroup, BomLine
from kentino_configurator.core.hardware import GpuSpec, PartSpec, PlatformSpec, Price, PriceStatus
from kentino_configurator.core.money import Money, total

NO_PRICE = Price(amount=None, status=PriceStatus.MISSING, observed_on="", source="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something to order. ``power_w``: planned draw of one piece at full load, ``None``: draws nothing.

    ``spare``: lies on the shelf.
    """

    group: BomGroup
    category: str
    sku: str
    mpn: str
    maker: str
    description: str
    quantity: int
    price: Price
    source: str
    power_w: float | None = None
    rack_units: int | None = None
    notes: str = ""
    spare: bool = False

    def times(self, factor: int) -> Item:
        """The same thing, ``factor`` times as many."""
        return replace(self, quantity=self.quantity * factor)


def from_part(part: PartSpec, quantity: int, group: BomGroup, power_w: float | None = None) -> Item:
    """A catalogue part."""
    return Item(
        group=group,
        category=part.category,
        sku=part.sku,
        mpn=part.mpn,
        maker=part.vendor,
        description=part.name,
        quantity=quantity,
        price=part.price,
        source=part.source,
        power_w=power_w,
        rack_units=part.rack_units,
        notes=part.notes,
    )


def from_gpu(gpu: GpuSpec, quantity: int, power_w: float) -> Item:
    """A graphics card."""
    return Item(
        group=BomGroup.NODE,
        category="gpu",
        sku=gpu.id,
        mpn=gpu.part_number,
        maker="NVIDIA",
        description=gpu.name,
        quantity=quantity,
        price=gpu.price,
        source=gpu.source,
        power_w=power_w,
        notes=gpu.notes,
    )


def from_platform(platform: PlatformSpec) -> Item:
    """The chassis of a node with its board, backplane, fans and built-in supplies."""
    return Item(
        group=BomGroup.NODE,
        category="chassis",
        sku=platform.id,
        mpn=platform.name if platform.form == "rack" else "",
        maker=platform.vendor,
        description=platform.name,
        quantity=1,
        price=platform.price,
        source=platform.source,
        notes=platform.notes,
    )


def known_net(items: Iterable[Item]) -> Money:
    """Sum of the prices that are known: a lower bound as soon as one is missing."""
    return total(item.price.amount.times(item.quantity) for item in items if item.price.amount is not None)


def unpriced(items: Iterable[Item]) -> int:
    """How many items have no price."""
    return sum(item.price.amount is None for item in items)


def to_lines(items: Iterable[Item]) -> tuple[BomLine, ...]:
    """Numbered lines in the order given."""
    return tuple(_to_line(number, item) for number, item in enumerate(items, start=1))


def _to_line(number: int, item: Item) -> BomLine:
    return BomLine(
        line=number,
        group=item.group,
        category=item.category,
        sku=item.sku,
        mpn=item.mpn,
        maker=item.maker,
        description=item.description,
        quantity=item.quantity,
        unit_net=item.price.amount,
        price_status=item.price.status,
        price_date=item.price.observed_on,
        source=item.price.source or item.source,
        power_w=item.power_w,
        notes=item.notes,
        spare=item.spare,
        price_valid_until=item.price.valid_until,
    )
