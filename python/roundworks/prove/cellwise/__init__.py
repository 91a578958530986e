"""Truncated differences and masks: of every cell the model says whether it is zero, and no more."""
