"""One widget for each kind of question. A field shows and takes; what is usable is decided by ``wizard``."""
