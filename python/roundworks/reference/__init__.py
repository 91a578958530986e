"""The executable specification: every cipher written once, to compute with and to record.

Start with ``aether.py``: it is meant to be read next to the paper. ``docs/how-to/own-cipher.md`` shows how to
write a file of your own.
"""

from .aead import Aead, BlockAead, Rounds
from .catalogue import (
    Described,
    analysed,
    get,
    get_analysed,
    get_permutation,
    get_stream,
    load_description,
    load_file,
    names,
    permutations,
    streaming,
)
from .components import CellPermutation, Matrix, Sbox
from .graph import Graph, Node, Recording, Roundwise, record_init, record_load, record_round, record_rounds
from .permutation import Permutation
from .stream import StreamAead
from .word import IntWord, W, Word, unit

__all__ = [
    "Aead",
    "BlockAead",
    "CellPermutation",
    "Described",
    "Graph",
    "IntWord",
    "Matrix",
    "Node",
    "Permutation",
    "Recording",
    "Rounds",
    "Roundwise",
    "Sbox",
    "StreamAead",
    "W",
    "Word",
    "analysed",
    "get",
    "get_analysed",
    "get_permutation",
    "get_stream",
    "load_description",
    "load_file",
    "names",
    "permutations",
    "record_init",
    "record_load",
    "record_round",
    "record_rounds",
    "streaming",
    "unit",
]
