"""Integral distinguishers by the division property, bit-wise and word-wise."""
