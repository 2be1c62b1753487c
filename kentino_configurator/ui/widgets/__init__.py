"""Small painted widgets. They get finished words and shares of a scale, never values to format."""
