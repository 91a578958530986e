"""Cycles of a core as a formula: a file per family, and every formula compared with simulation."""
