"""Differential and linear trails, a variable for every bit of a difference or mask."""
