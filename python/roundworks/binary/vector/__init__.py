"""Instructions on vectors of 128, 256 and 512 bits, in the encodings of SSE, AVX and AVX-512. [INTEL-SDM]

A vector is a list of bits, the lowest first. An instruction that has one meaning per element is a function
of the elements of its sources; masks, the part of the register above the result and operands that are
repeated are the same for all, in `operands`.
"""

from . import aes, arithmetic, bitwise, masks, moves, shuffles

__all__ = ["aes", "arithmetic", "bitwise", "masks", "moves", "shuffles"]
