"""From a language-neutral document to files: PDF, workbook, CSV."""
