"""Which sections, tables and figures does the document have? Without language and without a file format."""
