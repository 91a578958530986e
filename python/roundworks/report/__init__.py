"""The report: one self-contained page from stored rows."""
