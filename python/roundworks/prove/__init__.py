"""Proving bounds: models of the recorded graph, solvers, proofs that anyone can check."""
