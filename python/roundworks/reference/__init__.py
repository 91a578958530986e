"""The executable specification: every cipher written once, to compute with and to record.

Start with ``aether.py``: it is meant to be read next to the paper. ``docs/how-to/own-cipher.md`` shows how to
write a file of your own.
"""

from .aead import Aead as Aead
from .aead import BlockAead as BlockAead
from .aead import Rounds as Rounds
from .block import BlockCipher as BlockCipher
from .catalogue import Described as Described
from .catalogue import analysed as analysed
from .catalogue import catalogued as catalogued
from .catalogue import get as get
from .catalogue import get_analysed as get_analysed
from .catalogue import get_hash as get_hash
from .catalogue import get_permutation as get_permutation
from .catalogue import get_stream as get_stream
from .catalogue import hashes as hashes
from .catalogue import names as names
from .catalogue import permutations as permutations
from .catalogue import programmed as programmed
from .catalogue import streaming as streaming
from .components import CellPermutation as CellPermutation
from .components import Matrix as Matrix
from .components import Sbox as Sbox
from .graph import Graph as Graph
from .graph import Node as Node
from .graph import Recording as Recording
from .own import load_description as load_description
from .own import load_file as load_file
from .permutation import Permutation as Permutation
from .record import Roundwise as Roundwise
from .record import record_init as record_init
from .record import record_keyed as record_keyed
from .record import record_load as record_load
from .record import record_round as record_round
from .record import record_rounds as record_rounds
from .record import record_schedule as record_schedule
from .sponge import Sponge as Sponge
from .sponge_hash import SpongeHash as SpongeHash
from .stream import Place as Place
from .stream import StreamAead as StreamAead
from .word import IntWord as IntWord
from .word import W as W
from .word import Word as Word
from .word import join as join
from .word import unit as unit
