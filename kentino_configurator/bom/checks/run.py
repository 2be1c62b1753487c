"""Asking the rules."""

from __future__ import annotations

from kentino_configurator.bom.checks import (  # noqa: F401 - each registers its rules
    a_cards,
    b_supplies,
    c_lanes,
    d_host,
    f_network,
    h_software,
    j_site,
    k_prices,
)
from kentino_configurator.bom.checks.registry import RULES, apply_rule
from kentino_configurator.bom.checks.subject import Subject
from kentino_configurator.core.bom import BomCheck


def check_node(subject: Subject) -> tuple[BomCheck, ...]:
    """The rules that read the node alone: what an offer can be judged by."""
    return _checks(subject, node_only=True)


def check_order(subject: Subject) -> tuple[BomCheck, ...]:
    """All rules that apply to the order, in the order of their ids."""
    return _checks(subject, node_only=False)


def _checks(subject: Subject, *, node_only: bool) -> tuple[BomCheck, ...]:
    asked = [entry for entry in RULES.values() if entry.node_only or not node_only]
    answers = (apply_rule(entry, subject) for entry in sorted(asked, key=lambda e: (e.id[0], int(e.id[1:]))))
    return tuple(check for check in answers if check is not None)
