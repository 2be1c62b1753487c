"""A document without language: identity, sections of blocks, open points."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from kentino_configurator.core.message import Arg
from kentino_configurator.proposal.blocks import Block
from kentino_configurator.proposal.terms import DocumentTerms


class DocumentKind(StrEnum):
    """A quotation, a referral elsewhere, an analysis, or a summary; only the first is a quotation."""

    PROPOSAL = "proposal"
    REFERRAL = "referral"
    ANALYSIS = "analysis"
    SUMMARY = "summary"


class Audience(StrEnum):
    """Who may read it. A customer's document holds no internal note."""

    CUSTOMER = "customer"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One numbered part; ``doc.short.<id>`` is its name in the page header. ``own_page`` fills exactly one page.

    ``keep_together`` is for a sheet that is filled in and signed: one page if it fits on one.
    """

    id: str
    title: Arg
    blocks: tuple[Block, ...]
    lead: Arg = ""
    own_page: bool = False
    keep_together: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The document. ``valid_until`` is ``None`` where nothing is offered."""

    kind: DocumentKind
    title: Arg
    project: str
    terms: DocumentTerms
    valid_until: date | None
    catalog_version: str
    catalog_date: str
    budgetary: bool
    sections: tuple[Section, ...]
    open_points: tuple[Arg, ...]
    audience: Audience = Audience.CUSTOMER
