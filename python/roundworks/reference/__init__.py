"""The executable specification: every cipher written once, to compute with and to record.

Start with ``aether.py``: it is meant to lie beside the paper. ``docs/own-cipher.md`` shows how to
write a file of your own.
"""

from .aead import Aead, BlockAead, Rounds
from .catalogue import Described, get, get_stream, load_file, names, streaming
from .components import CellPermutation, Matrix, Sbox
from .graph import Graph, Node, Recording, record_init, record_load, record_round
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
    "Recording",
    "Rounds",
    "Sbox",
    "StreamAead",
    "W",
    "Word",
    "get",
    "get_stream",
    "load_file",
    "names",
    "record_init",
    "record_load",
    "record_round",
    "streaming",
    "unit",
]
