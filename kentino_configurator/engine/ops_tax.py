"""What running the machine costs in hours: the duties of one node, and what each further node adds.

Form and columns: base hours x nodes x factor + incidents x repair hours; every number is policy with its source.
Copies behind a router share no network and are counted linearly; clusters take the growing factors.
"""

from __future__ import annotations

from kentino_configurator.core.decision import OpsTax
from kentino_configurator.core.evidence import Estimate, Evidence
from kentino_configurator.core.policy import Policy
from kentino_configurator.core.request import Operations
from kentino_configurator.core.units import Unit

DUTIES = (
    "drivers",
    "engine",
    "firmware",
    "nccl",
    "fabric",
    "storage",
    "checkpoints",
    "scheduler",
    "monitoring",
    "security",
    "failures",
    "reports",
)


def ops_tax(nodes: int, gpus: int, cluster: bool, policy: Policy) -> OpsTax:
    """Hours per year in three columns, and the article's own column for added nodes."""
    incidents = interruptions_per_year(gpus, policy)
    repair = policy["ops.hours_per_incident"]
    factors = _factors(cluster, policy)
    low, middle, high = (
        policy[f"ops.base_node_hours_{column}"] * (1 + (nodes - 1) * factor) + count * repair
        for column, factor, count in zip(
            ("low", "middle", "high"),
            factors,
            (incidents.low, incidents.expected, incidents.high),
            strict=True,
        )
    )
    article = policy["ops.base_node_hours_middle"] * (1 + (nodes - 1) * policy["ops.article_factor"])
    return OpsTax(
        hours_low=low,
        hours_middle=middle,
        hours_high=high,
        article_hours=article,
        interruptions_per_year=incidents,
        duties=DUTIES,
        cluster=cluster,
    )


def _factors(cluster: bool, policy: Policy) -> tuple[float, float, float]:
    low = policy["ops.added_node_factor_low"]
    if not cluster:
        return low, low, low
    return low, policy["ops.added_node_factor_middle"], policy["ops.added_node_factor_high"]


def interruptions_per_year(gpus: int, policy: Policy) -> Estimate:
    """Hardware interruptions per year from failures per GPU-year of two published fleets (data-centre SXM parts)."""
    low = policy["failures.per_gpu_year_low"] * gpus
    high = policy["failures.per_gpu_year_high"] * gpus
    return Estimate(
        low=low, expected=(low * high) ** 0.5, high=high, unit=Unit.PER_YEAR, evidence=Evidence.DERIVED
    )


def yearly_cost_eur(tax: OpsTax, operations: Operations) -> Estimate:
    """The hours at the stated hourly cost."""
    rate = operations.hourly_cost_eur
    return Estimate(
        low=tax.hours_low * rate,
        expected=tax.hours_middle * rate,
        high=max(tax.hours_high, tax.hours_middle) * rate,
        unit=Unit.EUR,
        evidence=Evidence.ASSUMED,
    )
