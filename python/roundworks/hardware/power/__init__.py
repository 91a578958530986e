"""Power of a netlist, and of each of its parts, under traffic that was simulated on its gates."""
