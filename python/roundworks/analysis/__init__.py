"""Analyses of a recorded description: bounds, searches, audits, exact probabilities."""

from .. import extras

extras.want(__name__, "jsonschema_rs", "numpy")
