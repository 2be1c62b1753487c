"""What a price list would do to a catalogue, before anything is written."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from kentino_configurator.catalog.content import Record, Records
from kentino_configurator.catalog.price_list import ListedPrice, PriceList, Rejected
from kentino_configurator.catalog.prices import OWN_LIST, Observation, current_price

_LEAST_LIKENESS = 0.6
UNUSUAL_CHANGE = Decimal("0.5")
"""Changes beyond this share are pointed out: a slipped decimal mark looks like one."""


class Effect(StrEnum):
    """What a row does to the price of its item."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """One usable row and its effect. ``old`` and ``new`` are rows of table ``price``."""

    row: int
    item_id: str
    effect: Effect
    old: Record
    new: Record
    observation: Observation

    @property
    def share(self) -> Decimal | None:
        """Change of the net price as a share of the old one, ``None`` where there was none."""
        old, new = self.old["net_cents"], self.new["net_cents"]
        return None if old is None else (Decimal(new) - old) / old

    @property
    def is_unusual(self) -> bool:
        """Whether the price moved so far that somebody should look at it."""
        return self.share is not None and abs(self.share) > UNUSUAL_CHANGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The whole list. It can be applied when nothing is rejected."""

    price_list: PriceList
    changes: tuple[PriceChange, ...]
    rejected: tuple[Rejected, ...]

    def having(self, effect: Effect) -> tuple[PriceChange, ...]:
        """The rows with an effect."""
        return tuple(change for change in self.changes if change.effect is effect)

    @property
    def renewed(self) -> int:
        """Unchanged prices whose date or validity the list moves."""
        moved = ("observed_on", "valid_until")
        return sum(
            any(change.old[name] != change.new[name] for name in moved)
            for change in self.having(Effect.UNCHANGED)
        )

    @property
    def is_empty(self) -> bool:
        """Whether applying it would write nothing new."""
        return not (self.having(Effect.ADDED) or self.having(Effect.CHANGED) or self.renewed)


def preview(price_list: PriceList, records: Records, kind: str = OWN_LIST) -> Preview:
    """Holds a list against the records of a catalogue; ``kind`` is one of ``prices.KINDS``."""
    index = _Index(records)
    changes: list[PriceChange] = []
    rejected = list(price_list.rejected)
    taken: dict[str, int] = {}
    for listed in price_list.prices:
        try:
            change = _change(listed, index, kind, price_list.file_name)
            if (first := taken.setdefault(change.item_id, listed.row)) != listed.row:
                raise RejectionError(
                    f"row {first} has a price for {change.item_id} already; keep one of them"
                )
            changes.append(change)
        except RejectionError as error:
            rejected.append(Rejected(row=listed.row, item=listed.sku or listed.mpn, reason=str(error)))
    return Preview(
        price_list=price_list,
        changes=tuple(changes),
        rejected=tuple(sorted(rejected, key=lambda one: one.row)),
    )


class RejectionError(Exception):
    """A row cannot be used; the message is the reason."""


class _Index:
    """Items by SKU and by part number, their prices, and the rates of currencies."""

    def __init__(self, records: Records) -> None:
        self.items = {record["id"].casefold(): record["id"] for record in records["item"]}
        self.retired = {part["sku"] for part in records["part"] if part["retired"]}
        self.by_mpn: dict[str, set[str]] = {}
        for item_id, mpn in _part_numbers(records):
            self.by_mpn.setdefault(mpn.casefold(), set()).add(item_id)
        self.facts_date = facts_date(records)
        self.prices = {record["item_id"]: record for record in records["price"]}
        self.rates = {
            record["currency"]: Decimal(str(record["eur_per_unit"])) for record in records["currency"]
        }
        self.observations: dict[str, list[Observation]] = {}
        for record in records["price_observation"]:
            self.observations.setdefault(record["item_id"], []).append(observation_of(record))


def _part_numbers(records: Records) -> Iterator[tuple[str, str]]:
    """Part numbers as they are, and each alone where a cell holds several or the maker's name too."""
    named = [(part["sku"], part["mpn"]) for part in records["part"]]
    named += [(gpu["id"], gpu["part_number"]) for gpu in records["gpu"]]
    for item_id, text in named:
        pieces = [piece.strip() for piece in text.replace("/", ";").split(";") if piece.strip()]
        for name in dict.fromkeys([text.strip(), *pieces, *(piece.split()[-1] for piece in pieces)]):
            if name:
                yield item_id, name


def facts_date(records: Records) -> str:
    """Day on which the sources were read: it stands in for the date of undated prices, whatever is imported later."""
    return next(str(record["value"]) for record in records["meta"] if record["key"] == "facts_date")


def observation_of(record: Record) -> Observation:
    """A row of table ``price_observation`` as the value it was made of."""
    return Observation(
        item_id=record["item_id"],
        low=Decimal(record["low_cents"]) / 100,
        high=Decimal(record["high_cents"]) / 100,
        currency=record["currency"],
        vat=record["vat"],
        vat_percent=Decimal(str(record["vat_percent"])),
        observed=record["observed"],
        valid_until=record["valid_until"],
        kind=record["kind"],
        source=record["source"],
        note=record["note"],
    )


def _change(listed: ListedPrice, index: _Index, kind: str, file_name: str) -> PriceChange:
    item_id = _item(listed, index)
    if listed.currency not in index.rates:
        known = ", ".join(sorted(index.rates))
        raise RejectionError(f"the catalogue has no rate for {listed.currency}; known are {known}")
    observation = _observation(item_id, listed, kind, file_name)
    known_prices = index.observations.get(item_id, [])
    _require_newest(observation, known_prices)
    old = index.prices[item_id]
    current = current_price([*known_prices, observation], index.rates, index.facts_date)
    new = dataclasses.asdict(current) | {
        "item_id": item_id,
        "currency": "EUR",
        "status": current.status.value,
    }
    return PriceChange(
        row=listed.row,
        item_id=item_id,
        effect=_effect(old, new),
        old=old,
        new=new,
        observation=observation,
    )


def _effect(old: Record, new: Record) -> Effect:
    if old["net_cents"] is None:
        return Effect.ADDED
    same = (old["net_cents"], old["status"]) == (new["net_cents"], new["status"])
    return Effect.UNCHANGED if same else Effect.CHANGED


def _observation(item_id: str, listed: ListedPrice, kind: str, file_name: str) -> Observation:
    return Observation(
        item_id=item_id,
        low=listed.amount,
        high=listed.amount,
        currency=listed.currency,
        vat=f"incl. VAT {listed.vat_percent} %" if listed.vat_included else "ex. VAT",
        vat_percent=listed.vat_percent,
        observed=listed.priced_on.isoformat(),
        valid_until=listed.valid_until.isoformat() if listed.valid_until else "",
        kind=kind,
        source=f"price list {file_name}, row {listed.row}",
        note=listed.note,
    )


def _require_newest(one: Observation, known: Iterable[Observation]) -> None:
    """A list must not be older than the last one of its kind."""
    newest = max((other.observed for other in known if other.kind == one.kind), default="")
    if one.observed < newest:
        raise RejectionError(f"its date {one.observed} is before the price of {newest} in the catalogue")


def _item(listed: ListedPrice, index: _Index) -> str:
    """The one item a row is about."""
    by_sku = _by_sku(listed.sku, index) if listed.sku else None
    by_mpn = index.by_mpn.get(listed.mpn.casefold(), set()) if listed.mpn else set()
    if by_sku is None:
        item_id = _only(listed, by_mpn, index)
    elif by_mpn and by_sku not in by_mpn:
        raise RejectionError(f"SKU {by_sku} and MPN {listed.mpn} ({min(by_mpn)}) are different parts")
    else:
        item_id = by_sku
    if item_id in index.retired:
        raise RejectionError(f"{item_id} is retired; take its successor")
    return item_id


def _by_sku(sku: str, index: _Index) -> str:
    item_id: str | None = index.items.get(sku.casefold())
    if item_id is None:
        raise RejectionError(f"SKU {sku!r} is unknown{_nearest(sku, index.items)}")
    return item_id


def _only(listed: ListedPrice, found: set[str], index: _Index) -> str:
    if not listed.mpn:
        raise RejectionError("neither SKU nor MPN is given")
    if not found:
        raise RejectionError(f"MPN {listed.mpn!r} is unknown{_nearest(listed.mpn, index.by_mpn)}")
    first, *others = sorted(found)
    if others:
        raise RejectionError(f"MPN {listed.mpn} is that of {' and '.join([first, *others])}; give the SKU")
    return first


def _nearest(text: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(text.casefold(), known, 1, _LEAST_LIKENESS)
    return f"; the nearest is {close[0]}" if close else ""
