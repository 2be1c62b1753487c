"""The bill of materials as one plain table: the columns that workbook and CSV have in common.

Both files go to buyers: the catalogue's own notes about a part stay out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kentino_configurator.core.bom import BillOfMaterials, BomLine
from kentino_configurator.texts import Texts

COLUMNS: Final = (
    "line",
    "group",
    "sku",
    "maker",
    "mpn",
    "description",
    "quantity",
    "unit_net",
    "line_net",
    "currency",
    "price_status",
    "price_date",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of the table. Prices are exact; ``None`` where there is none, which ``price_status`` says in words."""

    line: int
    group: str
    sku: str
    maker: str
    mpn: str
    description: str
    quantity: int
    unit_net: Decimal | None
    line_net: Decimal | None
    currency: str
    price_status: str
    price_date: str


def headers(texts: Texts) -> tuple[str, ...]:
    """Names of the columns."""
    return tuple(texts.say(f"doc.item.{name}") for name in COLUMNS)


def items(bom: BillOfMaterials, texts: Texts) -> Iterator[Item]:
    """Every line in order."""
    return (_item(line, bom.net.currency, texts) for line in bom.lines)


def _item(line: BomLine, currency: str, texts: Texts) -> Item:
    net = line.net
    return Item(
        line=line.line,
        group=texts.say(f"doc.group.{line.group.value}"),
        sku=line.sku,
        maker=line.maker,
        mpn=line.mpn,
        description=line.description,
        quantity=line.quantity,
        unit_net=None if line.unit_net is None else line.unit_net.amount,
        line_net=None if net is None else net.amount,
        currency=currency,
        price_status=texts.say(f"n.price.{line.price_status.value}"),
        price_date=line.price_date,
    )
