"""The topology on screen: drawing, matrix and tree of one graph, with one selection."""

from kentino_configurator.ui.topology_view.view import TopologyView

__all__ = ["TopologyView"]
