"""Questions, flow, defaults and the reading of answers. No Qt, no network; see ``docs/architecture.md``."""
