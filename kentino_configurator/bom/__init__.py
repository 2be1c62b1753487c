"""Which parts, do they go together, what do they cost and draw? Pure functions over a catalogue snapshot."""
