"""The whole answer to a request: decision, parts and wiring brought together, and its JSON form."""
