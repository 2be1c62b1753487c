"""What every section looks at, with the questions that several sections ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kentino_configurator.core.answer import Answer
from kentino_configurator.core.bom import BillOfMaterials
from kentino_configurator.core.catalog import CatalogSnapshot
from kentino_configurator.core.decision import Configuration, Decision, WorkloadResult
from kentino_configurator.core.request import Request, Workload
from kentino_configurator.proposal.terms import DocumentTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An answer with the catalogue it came from and the terms of the document."""

    answer: Answer
    snapshot: CatalogSnapshot
    terms: DocumentTerms

    @property
    def decision(self) -> Decision:
        """The decision."""
        return self.answer.decision

    @property
    def request(self) -> Request:
        """What was asked."""
        return self.answer.request

    @property
    def configuration(self) -> Configuration | None:
        """What to build; ``None`` for a referral or without an answer."""
        return self.answer.decision.configuration

    @property
    def bom(self) -> BillOfMaterials | None:
        """The bill of materials of the configuration."""
        return self.answer.bom

    @property
    def customer(self) -> str:
        """Name of the customer; empty when it is open."""
        return self.request.customer.name

    @property
    def project(self) -> str:
        """What the footer calls this document: customer and jobs."""
        jobs = ", ".join(workload.name for workload in self.request.workloads)
        return f"{self.customer}, {jobs}" if self.customer else jobs

    def served(self) -> Iterator[tuple[Workload, WorkloadResult]]:
        """Every job with its result, in the order of the request."""
        results = {result.workload: result for result in self.decision.results}
        for workload in self.request.workloads:
            if workload.name in results:
                yield workload, results[workload.name]

    @property
    def is_offer(self) -> bool:
        """Whether there is something of ours to sell."""
        return self.configuration is not None

    def share(self, policy_id: str) -> float:
        """A threshold of the policy."""
        return self.snapshot.policy[policy_id]
