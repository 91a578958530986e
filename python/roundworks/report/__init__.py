"""The report: one self-contained page from stored rows."""

from roundworks.report.build import build

__all__ = ["build"]
