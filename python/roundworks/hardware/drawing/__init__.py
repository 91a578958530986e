"""Data of drawings: a core's blocks, and which word is in which pipeline stage."""
