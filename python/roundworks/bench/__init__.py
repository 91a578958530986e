"""Vectors on every back end, and the speed of ciphers and permutations."""
