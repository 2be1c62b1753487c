"""The words of the field as immutable values. No I/O, no Qt, no third-party import."""
