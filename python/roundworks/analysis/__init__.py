"""Analyses of a recorded description: bounds, searches, audits, exact probabilities."""
