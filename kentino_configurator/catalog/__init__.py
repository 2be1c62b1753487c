"""Files to ``CatalogSnapshot`` and back: sources, the built database, look-ups, model configurations."""
