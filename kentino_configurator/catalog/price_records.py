"""Rows of ``prices.csv`` to observations, and observations to the price tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from kentino_configurator.catalog.content import Record
from kentino_configurator.catalog.errors import CatalogError
from kentino_configurator.catalog.prices import KINDS, Observation, current_price
from kentino_configurator.catalog.tables import Row


def observation_from_row(row: Row) -> Observation:
    """One dated price; raises ``CatalogError`` when the kind is unknown or an amount is no number."""
    if (kind := row.required("kind")) not in KINDS:
        raise CatalogError(f"{row.where}: kind must be one of {', '.join(sorted(KINDS))}, not {kind!r}.")
    return Observation(
        item_id=row.required("item"),
        low=_decimal(row, "low"),
        high=_decimal(row, "high"),
        currency=row.required("currency"),
        vat=row.required("vat"),
        vat_percent=_decimal(row, "vat_percent"),
        observed=row.text("observed"),
        valid_until=row.text("valid_until"),
        kind=kind,
        source=row.required("source"),
        note=row.text("note"),
    )


def observation_record(one: Observation, number: int) -> Record:
    """The row of table ``price_observation``."""
    return {
        "id": number,
        "item_id": one.item_id,
        "low_cents": int(one.low * 100),
        "high_cents": int(one.high * 100),
        "currency": one.currency,
        "vat": one.vat,
        "vat_percent": float(one.vat_percent),
        "observed": one.observed,
        "valid_until": one.valid_until,
        "kind": one.kind,
        "source": one.source,
        "note": one.note,
    }


def price_records(
    items: Iterable[Record], observations: Iterable[Observation], currencies: Iterable[Record], read_on: str
) -> Iterator[Record]:
    """The current price of every item, ``missing`` included."""
    rates = {record["currency"]: Decimal(str(record["eur_per_unit"])) for record in currencies}
    seen: dict[str, list[Observation]] = {}
    for one in observations:
        seen.setdefault(one.item_id, []).append(one)
    for item in items:
        price = current_price(seen.get(item["id"], ()), rates, read_on)
        yield {
            "item_id": item["id"],
            "net_cents": price.net_cents,
            "currency": "EUR",
            "status": price.status.value,
            "observed_on": price.observed_on,
            "valid_until": price.valid_until,
            "source": price.source,
            "note": price.note,
        }


def _decimal(row: Row, column: str) -> Decimal:
    try:
        return Decimal(row.required(column))
    except InvalidOperation:
        raise CatalogError(f"{row.where}: {column} must be a number, not {row.text(column)!r}.") from None
