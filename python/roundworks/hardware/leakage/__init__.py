"""What masked circuits leak in simulation: probes by exact enumeration, toggles by a t-test."""
