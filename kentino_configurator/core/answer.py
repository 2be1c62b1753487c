"""The complete answer to a request: what windows show, files hold and proposals print."""

from __future__ import annotations

from dataclasses import dataclass

from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.decision import Decision
from kentino_configurator.core.request import Request
from kentino_configurator.core.topology import TopologyGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Request, decision, bill of materials and topology; the last two are ``None`` without a configuration."""

    request: Request
    decision: Decision
    bom: BillOfMaterials | None
    topology: TopologyGraph | None
    catalog_version: str
    catalog_date: str
    catalog_sha256: str
