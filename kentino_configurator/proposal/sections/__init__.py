"""One module for each section of the document."""
