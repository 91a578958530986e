"""The large permutations, of 256 and of 512 bits, in place on numpy arrays.

    from roundworks.permutations import Permutation
    areion = Permutation("areion-256")
    areion.permute(blocks)  # uint8, shape (N, 32): every row, batched
    areion.inverse(blocks)

A name is one of `names()`, or any other configuration of the Feistel family, such as
``feistel512:1-1,2-3,2-1,1-0/2,3,1,0``; a number of rounds may follow, as in ``haraka-256:3.5``.
The same names have descriptions in `roundworks.reference`.

Hash functions made of them::

    from roundworks.permutations import BlockHash, areion_512_md
    BlockHash("haraka-512").hash(inputs)  # uint8, shape (N, 64) to (N, 32)
    areion_512_md(b"of any length")  # 32 bytes

And Pholkos with key and tweak, for study: see its docstring::

    Pholkos(key).encrypt(tweak, blocks)  # in place
"""

from __future__ import annotations

from ._native import BlockHash, Permutation, Pholkos, areion_512_md, hash_names, permutation_names

__all__ = ["BlockHash", "Permutation", "Pholkos", "areion_512_md", "hash_names", "names"]


def names() -> list[str]:
    """Those with a name of their own."""
    return permutation_names()
