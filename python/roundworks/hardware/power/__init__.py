"""Power of a netlist, and of each of its parts, under traffic that was simulated on its gates."""

# Toggle models; here, for `--help` needs no more of the package.
MODELS = ("glitch", "zero-delay")
