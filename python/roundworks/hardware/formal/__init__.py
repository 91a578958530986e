"""Proofs about whole cores: messages over unknown bits, and the control by model checking."""
