"""The `roundworks` command: one file per verb."""

from .main import main

__all__ = ["main"]
