"""The report: one self-contained page from the rows under ``results/``."""

from roundworks.report.build import build

__all__ = ["build"]
