"""Proving bounds: models of the recorded graph, solvers, proofs that anyone can check."""

from .. import extras

extras.want(__name__, "jsonschema_rs", "numpy")
