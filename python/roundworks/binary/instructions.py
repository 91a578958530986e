"""Every instruction that is followed."""

from . import scalar, vector
from .handlers import HANDLERS

__all__ = ["HANDLERS", "scalar", "vector"]
