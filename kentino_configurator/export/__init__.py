"""Documents and workbooks from language-neutral content."""
