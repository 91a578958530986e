"""Benches: Python that runs inside a simulator. Imported there, by cocotb, and nowhere else."""
