"""What fits, how fast, what to build and why. Pure functions over core values."""
