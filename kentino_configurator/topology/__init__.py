"""What is wired to what, and how is it drawn? From a configuration to a graph to a display list."""
