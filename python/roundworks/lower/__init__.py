"""From a description to programs: what a message needs, and each of its functions for one instruction set."""
