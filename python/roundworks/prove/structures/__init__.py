"""Permutations made of AES instructions (Feistel, Haraka, Pholkos), by models of their shape."""
