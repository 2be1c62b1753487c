"""What the views show, as finished words: pure functions of an answer."""
