"""Tools in processes of their own: simulation, lint, synthesis, timing, place and route, proofs."""

# Here, for `--help` needs no more of the package.
SIMULATORS = ("verilator", "icarus")
# What drives a core in place of its bench in Python.
DRIVERS = ("cpp", "symbolic", "control", "leakage")
