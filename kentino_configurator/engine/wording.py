"""Names of machines, layouts and limits as messages, so that every sentence speaks of them in the same words."""

from __future__ import annotations

from kentino_configurator.core.layout import Fabric, Parallelism
from kentino_configurator.core.message import Message, Quantity, message
from kentino_configurator.core.offer import NodeOffer
from kentino_configurator.core.units import Unit
from kentino_configurator.engine.plan import Plan


def quantity(value: float, unit: Unit) -> Quantity:
    """A number with its unit."""
    return Quantity(value, unit)


def share(value: float) -> Quantity:
    """A share of one, printed in percent."""
    return Quantity(value, Unit.SHARE)


def machine(offer: NodeOffer) -> Message:
    """One node by its GPUs: "8 × RTX Pro 6000 Server in one node"."""
    return message("e.machine", gpu_count=offer.gpu_count, gpu=offer.gpu.name)


def machines(offer: NodeOffer, nodes: int) -> Message:
    """One or several equal nodes."""
    if nodes == 1:
        return machine(offer)
    return message(
        "e.machines", nodes=Quantity(nodes, Unit.NODES), gpu_count=offer.gpu_count, gpu=offer.gpu.name
    )


def plan_name(plan: Plan) -> Message:
    """A plan in words: machines and, for a cluster, the fabric."""
    name = machines(plan.offer, plan.nodes)
    return name if plan.fabric is None else message("e.cluster", machines=name, fabric=fabric(plan.fabric))


def fabric(kind: Fabric | None) -> Message:
    """A fabric in words."""
    return message("e.fabric.none" if kind is None else f"e.fabric.{kind.value}")


def layout_name(parallelism: Parallelism) -> str:
    """Degrees above one in the field's notation: ``TP4 x PP2 x DP2``; a single GPU is ``TP1``."""
    degrees = (("TP", parallelism.tp), ("PP", parallelism.pp), ("DP", parallelism.dp), ("EP", parallelism.ep))
    parts = [f"{name}{degree}" for name, degree in degrees if degree > 1]
    return " × ".join(parts) or "TP1"
