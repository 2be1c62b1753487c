"""What the document layer adds to an answer: number, dates, author, the seller's data and terms."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class SellerProfile:
    """The seller as an administrator entered it. Empty text prints a visible "to be completed"."""

    legal_name: str = ""
    address: str = ""
    company_number: str = ""
    vat_id: str = ""
    bank_account: str = ""
    contact: str = ""
    payment: str = ""
    warranty: str = ""
    lead_time: str = ""
    data_carriers: str = ""
    service_levels: str = ""
    freight: str = ""
    partial_delivery: str = ""
    packing: str = ""
    insurance: str = ""
    origin_and_hs_codes: str = ""
    weee_number: str = ""
    security_updates_until: str = ""
    legal_texts_approved_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One issue of a quotation."""

    number: int
    issued: date


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTerms:
    """Identity of one document. The number is unique by the author's prefix and counter; empty = not given yet.

    ``history`` are all revisions up to this one.
    """

    issued: date
    number: str = ""
    revision: int = 1
    author: str = ""
    draft: bool = True
    seller: SellerProfile = field(default_factory=SellerProfile)
    history: tuple[Revision, ...] = ()

    def valid_until(self, validity_days: int) -> date:
        """Last day of the offer."""
        return self.issued + timedelta(days=validity_days)
