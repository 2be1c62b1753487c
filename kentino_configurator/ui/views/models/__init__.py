"""Item models of the views."""
