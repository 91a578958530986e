"""The Rust side of Roundworks: ciphers, search, timing.

Sizes are in bytes. ``Buffer`` means any object with contiguous single-byte items: ``bytes``,
``bytearray``, ``memoryview``, a ``numpy.uint8`` array.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import ClassVar, Self, TypedDict, TypeVar, final, overload, type_check_only

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer, disjoint_base

__all__ = [
    "Aead",
    "BlockHash",
    "Decryptor",
    "DeviceMemory",
    "Encryptor",
    "FrontierSteps",
    "Gpu",
    "GpuAead",
    "LinearMap",
    "Mac",
    "ParitySteps",
    "Permutation",
    "Pholkos",
    "Pinned",
    "PublicBits",
    "Staged",
    "Symbols",
    "areion_512_md",
    "bench",
    "bench_permutations",
    "check_lrat",
    "cipher_names",
    "create_key_file",
    "feistel_minima",
    "file_ciphers",
    "gpu_cipher_names",
    "hash_names",
    "inspect_file",
    "lightest_of_cores",
    "lightest_of_permuted",
    "lightest_of_three",
    "mac_names",
    "open_file",
    "permutation_names",
    "readable_by_others",
    "rustc_version",
    "seal_file",
    "search_parts",
    "search_profile",
    "search_structures",
    "structure_collisions",
    "sums_collision",
    "word_collision",
    "word_diffusion",
    "word_profile",
]

# An array is one to a type checker from Python 3.12 on only.
_Bytes = Buffer | NDArray[np.uint8]
_Out = TypeVar("_Out", bound=_Bytes)

def cipher_names() -> list[str]:
    """Name of every cipher that a subclass of `Aead` can be of."""

@disjoint_base
class Aead:
    """An authenticated cipher with its key; `roundworks.aead` has a subclass for each cipher.

    Objects do not change: threads may share one. No method is to see a buffer that another thread
    writes to meanwhile; resizing one is refused by Python.

    Parameters
    ----------
    key : Buffer, KEY_BYTES
        Copied; the copy is wiped when the object goes.
    tag_bytes : {None, ...}
        One of ``TAG_SIZES``; None takes ``TAG_BYTES``.
    backend : {None, "portable", "aesni", "avx2", "vaes256", "vaes512", "avx512", "aarch64"}
        One that `backends` lists; None takes the fastest that this CPU has.

    Raises
    ------
    TypeError
        ``key: want a bytes-like object, got str``
    ValueError
        ``key: want 32 bytes, got 16``, or
        ``tag_bytes: aegis-128l has tags of 16 or 32 bytes, got 8``
    UnknownName
        ``backend 'sse': not known; one of aarch64, aesni, avx2, ...``
    BackendUnavailable
        ``backend 'avx512': this CPU lacks it; available for aether: portable, avx2``

    Warns
    -----
    ResearchOnlyWarning
        `roundworks.aead.Aether`, which names the forgery, and `roundworks.aead.AetherLb`, always.
    """

    NAME: ClassVar[str]
    KEY_BYTES: ClassVar[int]
    NONCE_BYTES: ClassVar[int]
    TAG_BYTES: ClassVar[int]
    """Of the default tag."""
    TAG_SIZES: ClassVar[tuple[int, ...]]
    """Every size of tag, the default first."""

    def __new__(cls, key: _Bytes, *, tag_bytes: int | None = None, backend: str | None = None) -> Self: ...
    def __init_subclass__(cls, *, name: str | None = None) -> None:
        """Give the subclass the facts of the cipher called ``name``; without it, its base's."""

    @property
    def backend(self) -> str:
        """Name of the back end in use; "library" of a cipher that is not ours."""

    @property
    def tag_bytes(self) -> int:
        """Size of the tag in use."""

    @classmethod
    def generate_key(cls) -> bytes:
        """A fresh key of ``KEY_BYTES`` bytes from the operating system."""

    @classmethod
    def backends(cls) -> list[tuple[str, bool]]:
        """Each back end the cipher is written for, slowest first, and whether this CPU has it;
        ``[("library", True)]`` of a cipher that is not ours."""

    def sealed_bytes(self, data_bytes: int) -> int:
        """Size of what `encrypt` makes of ``data_bytes``."""

    def opened_bytes(self, sealed_bytes: int) -> int | None:
        """Most data that this many bytes of ciphertext and tag can hold; None if nothing sealed has
        that size. Only a cipher that pads may hold less."""

    def encrypt(self, nonce: _Bytes, data: _Bytes, associated_data: _Bytes | None = None) -> bytes:
        """Encrypt ``data`` and authenticate it together with ``associated_data``.

        Parameters
        ----------
        nonce : Buffer, NONCE_BYTES
            Must never serve twice under one key.
        data : Buffer, L >= 0 bytes
        associated_data : Buffer, any length, or None for none

        Returns
        -------
        bytes, ``sealed_bytes(L)``: L + tag_bytes, unless the cipher pads
            ciphertext || tag

        Raises
        ------
        TypeError
            ``data: want a bytes-like object, got str``
        ValueError
            ``nonce: want 16 bytes, got 12``, or ``data: want a bytes-like object, got memoryview
            that gives none: operation forbidden on released memoryview object``
        MemoryError
            For the result, or for a copy of what is not ``bytes``.

        Notes
        -----
        Releases the GIL if data and associated data have 8192 bytes or more; what is not ``bytes``
        is then copied first.
        """

    def decrypt(self, nonce: _Bytes, data: _Bytes, associated_data: _Bytes | None = None) -> bytes:
        """Decrypt ``data``, ciphertext || tag, if it is authentic.

        Parameters
        ----------
        nonce : Buffer, NONCE_BYTES
        data : Buffer, ciphertext || tag
        associated_data : Buffer, any length, or None for none

        Returns
        -------
        bytes
            What was encrypted.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``, whatever the reason. Data of a
            size that nothing sealed has raises it too.
        TypeError, ValueError
            As in `encrypt`.
        """

    def encrypt_into(self, nonce: _Bytes, data: _Bytes, associated_data: _Bytes | None, buf: _Bytes) -> int:
        """Encrypt ``data`` into ``buf``; as `encrypt`, without a copy or a new object.

        Parameters
        ----------
        nonce : Buffer, NONCE_BYTES
        data : Buffer, L bytes
            No other thread may write to it during the call.
        associated_data : Buffer, any length, or None for none
            Copied, unless it is ``bytes``.
        buf : writable Buffer, ``sealed_bytes(L)``
            Receives ciphertext || tag. May begin where ``data`` begins (in place), else must not
            overlap it. No other thread may touch it during the call.

        Returns
        -------
        int
            Bytes written: all of ``buf``.

        Raises
        ------
        TypeError
            ``buf: want a writable bytes-like object, such as a bytearray, got bytes``
        ValueError
            ``buf: want 32 bytes, got 16``, or
            ``buf: overlaps data; want the same first byte, or no common byte``
        """

    def decrypt_into(self, nonce: _Bytes, data: _Bytes, associated_data: _Bytes | None, buf: _Bytes) -> int:
        """Decrypt ``data`` into ``buf``; as `decrypt`, without a copy or a new object.

        Parameters
        ----------
        nonce : Buffer, NONCE_BYTES
        data : Buffer, S bytes
            No other thread may write to it during the call. In place it must be writable, and what
            it has behind ``buf`` is of no use afterwards.
        associated_data : Buffer, any length, or None for none
        buf : writable Buffer, ``opened_bytes(S)``
            As in `encrypt_into`.

        Returns
        -------
        int
            Bytes of plaintext: all of ``buf``, unless the cipher pads.

        Raises
        ------
        InvalidTag
            Then ``buf`` holds zeros.
        TypeError, ValueError
            As in `encrypt_into`; then ``buf`` is untouched.
        """

    def encryptor(self, nonce: _Bytes) -> Encryptor:
        """Encrypt a message incrementally.

        Raises
        ------
        TypeError, ValueError
            As in `encrypt`.
        """

    def decryptor(self, nonce: _Bytes) -> Decryptor:
        """Check and decrypt a message incrementally.

        Raises
        ------
        TypeError, ValueError
            As in `encrypt`.
        """

    @overload
    def seal_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: Sequence[_Bytes],
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: None = None,
    ) -> list[bytes]: ...
    @overload
    def seal_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: _Bytes,
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: None = None,
    ) -> NDArray[np.uint8]: ...
    @overload
    def seal_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: _Bytes,
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: _Out,
    ) -> _Out:
        """Encrypt and authenticate N independent messages; each as `encrypt` would.

        A back end with registers for several messages interleaves them, and from 4 MiB of results on
        all cores that this process may use take part.

        Parameters
        ----------
        nonces : uint8 array of shape (N, NONCE_BYTES), or list or tuple of N Buffers
        data : uint8 array of shape (N, L), or list or tuple of N Buffers of any sizes
        associated_data : uint8 array of shape (N, A), or list or tuple of N Buffers; or one Buffer
            for all; or None for none
        out : uint8 array of shape (N, ``sealed_bytes(L)``), or None for a new one
            Only with an array of data. Must not overlap an input.

        Returns
        -------
        array of shape (N, ``sealed_bytes(L)``), or list of N bytes
            Whichever ``data`` was. A new array is numpy's, which must then be installed.

        Raises
        ------
        TypeError
            ``data[3]: want a bytes-like object, got str``
        ValueError
            ``nonces: want 16 bytes each, got 12``, ``nonces: want one for each of 8 messages, got
            7``, ``out: want an array of shape [8, 80], got [8, 64]``, or
            ``out: overlaps an input; want memory of its own``

        Notes
        -----
        Releases the GIL if the results have 8192 bytes or more: no other thread may write to an
        argument during the call.
        """

    @overload
    def open_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: Sequence[_Bytes],
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: None = None,
    ) -> tuple[list[bytes | None], list[bool]]: ...
    @overload
    def open_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: _Bytes,
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: None = None,
    ) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]: ...
    @overload
    def open_many(
        self,
        nonces: _Bytes | Sequence[_Bytes],
        data: _Bytes,
        associated_data: _Bytes | Sequence[_Bytes] | None = None,
        *,
        out: _Out,
    ) -> tuple[_Out, NDArray[np.bool_]]:
        """Check and decrypt N independent messages; each as `decrypt` would.

        Parameters
        ----------
        nonces, associated_data
            As in `seal_many`.
        data : uint8 array of shape (N, S), or list or tuple of N Buffers of any sizes
            ciphertext || tag of each.
        out : uint8 array of shape (N, ``opened_bytes(S)``), or None for a new one

        Returns
        -------
        data : array of shape (N, ``opened_bytes(S)``), or list of N bytes
            Whichever ``data`` was. What is not authentic is a row of zeros, or None in a list. A
            cipher that pads gives a numpy array, a narrower view of ``out``, if all rows are shorter.
        ok : numpy array of N bool, or list of N bool
            Which were authentic.

        Raises
        ------
        TypeError, ValueError
            As in `seal_many`; or ``data: rows of 3 and of 4 bytes in it; pass a list`` of a cipher
            that pads.

        Notes
        -----
        As of `seal_many`.
        """

@final
class Encryptor:
    """Encrypts a message incrementally: `ad`, then `update`, then `finalize`.

    Made by `Aead.encryptor`. The parts may have any sizes; the results, one after the other, are
    what `Aead.encrypt` gives.
    """

    def ad(self, data: _Bytes) -> None:
        """Take in more associated data.

        Raises
        ------
        OutOfOrder
            ``encryptor: associated data after data; call ad() before the first update()``
        """

    def update(self, data: _Bytes) -> bytes:
        """Encrypt the next bytes of the message.

        Returns
        -------
        bytes
            The same number; fewer, or none until `finalize`, if the cipher works on more at a time.

        Raises
        ------
        OutOfOrder
            ``encryptor: finalized; start another, with another nonce to encrypt``, or
            ``encryptor: another thread is using it; take one each``
        MemoryError
            Then nothing of ``data`` was taken in.
        """

    def finalize(self) -> bytes:
        """What is left of the ciphertext, with the tag behind it; for most ciphers the tag alone.

        Raises
        ------
        OutOfOrder
            As in `update`.
        """

@final
class Decryptor:
    """Checks and decrypts a message incrementally: `ad`, then `update`, then `finalize`.

    Made by `Aead.decryptor`. It holds the ciphertext until the tag is there: no plaintext exists
    before that.
    """

    def ad(self, data: _Bytes) -> None:
        """Take in more associated data.

        Raises
        ------
        OutOfOrder
            As `Encryptor.ad`.
        """

    def update(self, data: _Bytes) -> None:
        """Take in the next bytes of the ciphertext, without the tag.

        Raises
        ------
        OutOfOrder, MemoryError
            As `Encryptor.update`.
        """

    def finalize(self, tag: _Bytes) -> bytes:
        """All of the plaintext, if the tag belongs to what was taken in.

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``
        ValueError
            ``tag: want 16 bytes, got 12``; the decryptor can go on.
        OutOfOrder
            As `Encryptor.finalize`.
        """

@final
class Mac:
    """A message authentication code, of data that come in any number of parts.

    Parameters
    ----------
    name : str
        One of `mac_names`: ``"aegis-128l"``, ``"aegis-256x2"``, ..., ``"minalpher"``.
    key : Buffer
        Of the cipher's size. A key that makes such codes must not encrypt, too.
    nonce : Buffer, optional
        Of the cipher's size; Minalpher takes none.
    tag_bytes : int, optional
        16 or 32 for AEGIS; the cipher's usual size if not given.
    backend : str, optional
        The fastest on this CPU if not given.

    Raises
    ------
    UnknownName
        ``MAC 'rocca-s': not known; one of aegis-128l, ...``
    ValueError
        ``key: want 16 bytes, got 12``, and so of the nonce and the size of the tag.
    BackendUnavailable
        This CPU lacks the instructions.
    """

    def __new__(
        cls,
        name: str,
        key: _Bytes,
        nonce: _Bytes | None = None,
        *,
        tag_bytes: int | None = None,
        backend: str | None = None,
    ) -> Self: ...
    @property
    def tag_bytes(self) -> int:
        """Size of the tag."""

    def update(self, data: _Bytes) -> None:
        """Add data.

        Raises
        ------
        OutOfOrder
            ``mac: finalized; start another``, or ``mac: another thread is using it; take one each``
        """

    def finalize(self) -> bytes:
        """The tag of all data.

        Raises
        ------
        OutOfOrder
            As in `update`.
        """

    def verify(self, tag: _Bytes) -> None:
        """Compare the tag of all data with ``tag``, in constant time.

        Raises
        ------
        InvalidTag
            They differ.
        ValueError
            ``tag: want 16 bytes, got 12``; the MAC can go on.
        OutOfOrder
            As in `update`.
        """

def mac_names() -> list[str]:
    """Names that `Mac` knows."""

def bench(
    cipher: str,
    backend: str,
    operation: str,
    data_bytes: int,
    ad_bytes: int,
    samples: int,
    min_sample_ns: int,
) -> tuple[list[float], list[float], str]:
    """Time one operation of the Rust core in this process.

    A sample is the mean of the calls in one window of at least ``min_sample_ns``, at most 2 ms.
    Byte i of the key, the nonce, the data and the associated data is i modulo 256.

    Parameters
    ----------
    cipher : str
        One of `cipher_names` that has a back end.
    backend : str
        One that `Aead.backends` of its class lists.
    operation : {"encrypt", "decrypt"}
    data_bytes, ad_bytes : int >= 0
    samples : int >= 1
    min_sample_ns : int >= 0

    Returns
    -------
    samples_ns : list of float, length ``samples``
        Nanoseconds for one call.
    samples_cycles : list of float, length ``samples``, or empty
        Core cycles for one call, by a chain of 2000 dependent additions timed next to each window;
        empty on a CPU for which no chain is written.
    digest : str
        SHA-256 of ciphertext || tag, in hex.

    Raises
    ------
    UnknownName
        ``operation 'seal': not known; one of encrypt, decrypt``
    BackendUnavailable
        As in `Aether`.
    ValueError
        ``samples: want at least 1, got 0``

    Notes
    -----
    Releases the GIL.
    """

# Search: one recorded round, and all round structures.
#
# A program is (words, inputs, nodes, outputs). Ids count the state words 0..words, the message
# inputs after them, then the nodes in order. A node is (kind, operand ids, weight):
#   "f"    one operand; activity passes through and costs the weight (weights of others: no effect)
#   "xor"  among operands and output, never exactly one active
#   "any"  with an active operand the output may be active or not
# outputs[i] is the id of new word i, or None for a word that never differs.
# Patterns are integers whose bit i says that word i (or message input i) is active.
_Program = tuple[int, int, list[tuple[str, list[int], int]], list[int | None]]
_Structure = tuple[list[int], list[int]]

@type_check_only
class _StructuresFound(TypedDict):
    words: int
    inputs: int
    active: int
    candidates: int
    searched: int
    found: int
    complete: bool
    threads: int
    seconds: float
    structures: list[_Structure]

@type_check_only
class _ProfilesFound(TypedDict):
    candidates: int
    searched: int
    found: int
    complete: bool
    seconds: float
    structures: list[_Structure]

def word_profile(program: _Program, starts: list[int], messages: list[int | None]) -> list[int | None]:
    """Minimum total weight of active F over the first 1, 2, ... rounds.

    Parameters
    ----------
    program : tuple
        1 to 24 words, 0 to 24 message inputs.
    starts : list of patterns
        Paths begin in any of them.
    messages : list of patterns or None, 1 to 1000 rounds
        For each round the message inputs that differ, or None where any of them may.

    Returns
    -------
    list of int, one for each round
        All None if ``starts`` is empty.

    Raises
    ------
    DescriptionError
        ``node 3: operand 9 is not defined yet: want ids below 8``

    Notes
    -----
    Releases the GIL. Time grows with 2**words states times what a round can do to each, and
    2**inputs more where any may differ; memory is 40 bytes for each state and at most 256 MiB more.
    """

def permutation_names() -> list[str]:
    """Name of every permutation that has one of its own; `Permutation` takes more."""

def bench_permutations(
    subjects: Sequence[tuple[str, str, bool, str, int]], samples: int, window_ns: int
) -> list[tuple[list[float], list[float], float]]:
    """Time permutations of the Rust core, interleaved: a window each, then all again.

    Parameters
    ----------
    subjects : sequence of (name, backend, inverse, way, blocks)
        ``way`` is "chain" (one block, each time the result of the last, in registers), "call" (the
        same through a call and memory) or "many" (that many blocks in one call).
    samples : int >= 0
        Windows of each.
    window_ns : int >= 0
        At most 2 ms, unless one call takes longer.

    Returns
    -------
    list of (samples_ns, samples_cycles, seconds)
        Samples are for one block; cycles are empty on a CPU for which the clock is not written.

    Raises
    ------
    UnknownName, BackendUnavailable
        As `Permutation`.
    ValueError
        ``way 'many' of 0 blocks: want chain or call, or many of at least 1``
    """

@final
class Permutation:
    """A permutation of 256 or 512 bits on a back end. Objects do not change: threads may share one.

    Parameters
    ----------
    name : str
        One of `permutation_names`, another configuration of the Feistel family, or either with a
        number of rounds behind: ``haraka-512:4.5``, ``simpira-2:8``.
    backend : {None, "portable", "aesni", "vaes256", "vaes512", "aarch64"}
        One that `backends` lists; None takes the fastest that this CPU has.

    Raises
    ------
    UnknownName
        ``permutation 'areion': not known; did you mean areion-256, areion-512? (...)``
    BackendUnavailable
        ``backend 'vaes512': this CPU lacks it; available for areion-256: portable, aesni``
    """

    def __new__(cls, name: str, *, backend: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """In its shortest form."""

    @property
    def rounds(self) -> float:
        """How many; of Haraka and Pholkos the last may be half a one."""

    @property
    def block_bytes(self) -> int:
        """32 or 64."""

    @property
    def backend(self) -> str:
        """Name of the back end in use."""

    @staticmethod
    def backends() -> list[str]:
        """Those that this CPU can run, slowest first."""

    def permute(self, blocks: _Bytes) -> None:
        """Replace every block by what it is mapped to.

        Parameters
        ----------
        blocks : writable Buffer of shape (N, block_bytes), or (block_bytes,) for one
            C-contiguous bytes, such as a ``numpy.uint8`` array. No other thread is to use it
            meanwhile; from 8 KiB on the GIL is released.

        Raises
        ------
        TypeError
            ``blocks: want contiguous memory, got a strided view; pass a contiguous copy, then copy
            back``
        ValueError
            ``blocks: want shape (N, 32) or (32,), got (4, 64)``
        """

    def inverse(self, blocks: _Bytes) -> None:
        """Replace every block by what is mapped to it; as `permute`."""

@final
class Pholkos:
    """Pholkos with a tweak, under a key that is as long as a block. Threads may share one.

    No test vectors of its designers are known, and of its tweakey schedule some is our reading:
    ``spec/pholkos/permutation.toml`` says what, and how sure. For study.

    Parameters
    ----------
    key : Buffer of 32 or 64 bytes
    backend : {None, "portable", "aesni", "vaes256", "vaes512", "aarch64"}
        As of `Permutation`.

    Raises
    ------
    ValueError
        ``key: want 32 or 64 bytes, got 16``
    UnknownName, BackendUnavailable
        As `Permutation`.
    """

    def __new__(cls, key: _Bytes, *, backend: str | None = None) -> Self: ...
    @property
    def block_bytes(self) -> int:
        """32 or 64."""

    @property
    def backend(self) -> str:
        """Name of the back end in use."""

    def encrypt(self, tweak: _Bytes, blocks: _Bytes) -> None:
        """Encrypt every block in place, under one tweak of 16 bytes.

        Parameters
        ----------
        blocks : writable Buffer of shape (N, block_bytes), or (block_bytes,) for one
            As of `Permutation.permute`, whose errors are also this one's.

        Raises
        ------
        ValueError
            ``tweak: want 16 bytes, got 12``
        """

    def decrypt(self, tweak: _Bytes, blocks: _Bytes) -> None:
        """Decrypt every block in place; as `encrypt`."""

def hash_names() -> list[str]:
    """Name of every hash function that `BlockHash` takes."""

@final
class BlockHash:
    """A hash function of one block to 32 bytes, on a back end. Threads may share one.

    Parameters
    ----------
    name : {"haraka-256", "haraka-512", "areion-256-dm", "areion-512-dm"}
        The permutation of that name with feed-forward; of 64 bytes half of each word is kept.
    backend : {None, "portable", "aesni", "vaes256", "vaes512", "aarch64"}
        One that `Permutation.backends` lists; None takes the fastest that this CPU has.

    Raises
    ------
    UnknownName
        ``hash function 'sha': not known; one of areion-256-dm, areion-512-dm, ...``
    BackendUnavailable
        As `Permutation`.
    """

    def __new__(cls, name: str, *, backend: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """Name of the hash function."""

    @property
    def input_bytes(self) -> int:
        """32 or 64."""

    @property
    def backend(self) -> str:
        """Name of the back end in use."""

    def hash(self, inputs: _Bytes) -> NDArray[np.uint8]:
        """The hash of every input, many interleaved.

        Parameters
        ----------
        inputs : Buffer of shape (N, input_bytes), or (input_bytes,) for one
            C-contiguous bytes, such as a ``numpy.uint8`` array. From 8 KiB on a copy is taken of
            what is not ``bytes``, and the GIL is released.

        Returns
        -------
        ndarray of uint8, shape (N, 32) or (32,)

        Raises
        ------
        TypeError
            ``inputs: want contiguous memory, got a strided view; pass a contiguous copy``
        ValueError
            ``inputs: want shape (N, 32) or (32,), got (4, 64)``
        """

def areion_512_md(message: _Bytes, *, backend: str | None = None) -> bytes:
    """Areion512-MD: the hash of a message of any length, of 32 bytes.

    Raises
    ------
    ValueError
        ``message: want at most 536870911 bytes, got 536870912``
    UnknownName, BackendUnavailable
        As `BlockHash`.
    """

def feistel_minima(
    codes: Sequence[str], shuffle: Sequence[int], linear: bool, distinct: bool, rounds: int, limit: int
) -> list[int | None]:
    """Fewest active S-boxes of 1, 2, ... rounds of a Feistel permutation on AES instructions.

    Parameters
    ----------
    codes : sequence of str
        Two or four functions such as ``2-1``; ``0-0`` is the word itself.
    linear, distinct : bool
        Masks, of two words only, instead of differences; a layer of S-boxes that two functions
        apply to one word counted once.
    limit : int
        Above it the result is None.
    """

@final
class FrontierSteps:
    """Dynamic programming over a frontier, see `roundworks.prove.solvers.cutset`.

    Parameters
    ----------
    steps : sequence of (kept, rows, bits)
        A step makes a table of ``bits`` bits of that before it, which has none at the start and at the end.
        ``kept``: of each bit that stays, its place before and after. ``rows``: from, to, option and cost.
    """

    def __new__(
        cls, steps: Sequence[tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int, int, int]], int]]
    ) -> Self: ...
    def minima(self, options: bytes, enough: bytes) -> bytes:
        """The minimum cost of each of 32 queries; 255 where there is none, or at least as much.

        Parameters
        ----------
        options : bytes, 32 times the number of options
            What each option costs, one byte for each query; 255 is never.
        enough : bytes, 32
            Once every query costs at least so much, it ends, with lower bounds; 255 for none.
        """

@final
class Symbols:
    """Bits as sums over GF(2) of symbols, each of which stands for one function of a proof's inputs.

    A bit is a number: equal numbers are equal functions. 0 and 1 are the constants, and ``bit ^ 1`` is the
    negation of ``bit``; any other sum is `xor`. What is not linear is a function of the bits that one S-box
    takes, of which the outputs are symbols, or *lost*: equal to nothing but itself.
    """

    def __new__(cls) -> Self: ...
    @property
    def count(self) -> int:
        """Symbols so far."""

    @property
    def is_complete(self) -> bool:
        """Whether the description has made all of its symbols: what is neither a function of one S-box's input
        nor a product that the description has is lost then, and takes no symbols."""

    @is_complete.setter
    def is_complete(self, value: bool) -> None: ...
    def fresh(self, count: int) -> list[int]:
        """Bits that are new symbols."""

    def left_behind(self, count: int) -> list[int]:
        """New symbols for what was in a place before: equal to nothing else."""

    def is_lost(self, bit: int) -> bool:
        """Whether no form follows a bit."""

    def is_sum(self, bit: int) -> bool:
        """Whether a bit is a sum of symbols."""

    def xor(self, a: int, b: int) -> int:
        """The sum of two bits."""

    def times(self, a: int, b: int) -> int:
        """The product of two bits.

        Raises
        ------
        NotFollowed
            of what several S-boxes have not finished, while the description is computed
        """

    def xor_each(self, a: list[int], b: list[int]) -> list[int]:
        """The sums of the bits of two lists."""

    def times_each(self, a: list[int], b: list[int]) -> list[int]:
        """The products of the bits of two lists."""

    def either_each(self, a: list[int], b: list[int]) -> list[int]:
        """Whether one of two bits is 1, for those of two lists; of sums that no S-box takes a new symbol."""

    def of_three_each(self, a: list[int], b: list[int], c: list[int], table: int) -> list[int]:
        """What a truth table of eight bits makes of three, for those of three lists; bit 4 a + 2 b + c of it is
        that of (a, b, c)."""

    def any_of(self, bits: list[int]) -> int:
        """1 if any of the bits is."""

    def settled(self, bits: list[int]) -> list[int]:
        """The same bits, after symbols were added."""

    def linear(self, bits: list[int], map: LinearMap) -> list[int]:
        """What a map makes of each group of bits."""

    def substituted(self, bits: list[int], table: bytes) -> list[int]:
        """What an S-box of the description makes of each group of bits, the least significant first: its outputs
        get symbols."""

    def looked_up(self, bits: list[int], values: Sequence[int], width: int) -> list[int]:
        """What a look-up in the code makes of up to eight bits: `width` bits of one of the values."""

@final
class LinearMap:
    """A linear map of bits, for `Symbols.linear`.

    Parameters
    ----------
    sources : sequence of sequences
        For each bit of the result the places of those whose sum it is.
    """

    def __new__(cls, sources: Sequence[Sequence[int]]) -> Self: ...

@final
class PublicBits:
    """What follows from bits that anybody sees: their sums, functions of an S-box's input that is such, and what
    was in memory before. A sum of symbols of a ciphertext need not be: the message is one.

    Parameters
    ----------
    symbols : Symbols
    known : list of bits
    """

    def __new__(cls, symbols: Symbols, known: list[int]) -> Self: ...
    def holds(self, bits: list[int]) -> bool:
        """Whether all of the bits are known to whoever knows the public ones."""

@final
class ParitySteps:
    """Steps of ``bit ^= product of others`` on places, for the sums of products over a set of inputs.

    Parameters
    ----------
    places : int, 6 to 40
    active : int
        A mask of the places that take all values at the start; the others are 0 there.
    steps : sequence of (target, factors, unknown)
        ``factors`` is a mask of places, or None where nothing uses the target any longer, and it is 0.
        ``unknown`` is the number of an unknown constant that is a factor, too, or None.

    Raises
    ------
    ValueError
        ``step 3: a place beyond the state, or a target that is its own factor``
    """

    def __new__(
        cls, places: int, active: int, steps: Sequence[tuple[int, int | None, int | None]]
    ) -> Self: ...
    def sums(self, reads: Sequence[tuple[int, int]], seconds: float | None) -> list[bool | None]:
        """Whether the sum of each product is odd, whatever the constants are; None where they may matter.

        Takes ``2**places / 4`` bytes. After ``seconds`` the list ends early. Releases the GIL.

        Parameters
        ----------
        reads : sequence of (after, product)
            After how many steps a product, a mask of places, is read; in this order.
        """

    def sums_of_values(
        self, constants: Sequence[bool], reads: Sequence[tuple[int, int]], seconds: float | None
    ) -> list[bool]:
        """The same sums, by computing all inputs with these values of the constants. Releases the GIL.

        Raises
        ------
        TimeoutError
            After ``seconds``.
        """

def lightest_of_cores(
    bits: int,
    images: Sequence[Sequence[int]],
    weights: Sequence[Sequence[int]],
    orbits: Sequence[int],
    active: int,
    most: int,
    enough: int,
    seconds: float | None,
) -> tuple[int, list[list[int]]] | None:
    """The lightest trail through three layers of S-boxes of which few are active, by going through all such trails.

    A word has for each bit of an S-box the cells that have it, as an integer: bit c is that of cell c.

    Parameters
    ----------
    bits : int, 2 to 5
        Of an S-box.
    images : sequence of words
        Of bit k of cell c at place bits * c + k, under the linear layer.
    weights : sequence of bytes
        For each difference before an S-box what each one behind it weighs; 255 is never.
    orbits : sequence of int
        A number for each cell, the same for those that permutations of the cells make of each other which commute with
        the linear layer. At most 128 cells.
    active : int
        Trails with more active S-boxes in all three layers are not looked at,
    most : int
        nor are heavier ones.
    enough : int
        One that weighs at most that is the result, whether there are lighter ones or not.

    Returns
    -------
    weight : int
        The minimum weight of all these.
    words : list of 4 words
        Differences behind the first layer, before and behind the second one, before the third one.

    None where there is no such trail.

    Raises
    ------
    TimeoutError
        After ``seconds``.
    ValueError
        ``bits: want 2 to 5, got 6``
    """

def lightest_of_permuted(
    bits: int,
    to: Sequence[int],
    sboxes: Sequence[Sequence[Sequence[int]]],
    kinds: Sequence[int],
    fewer: Sequence[int],
    most: int,
    seconds: float | None,
) -> tuple[int, list[tuple[bytes, bytes]]] | None:
    """The lightest trail through alike layers of S-boxes and permutations of bits, by branch and bound.

    Parameters
    ----------
    bits : int, 1 to 8
        Of an S-box.
    to : sequence of int
        Where bit k of cell c, at place bits * c + k, is in the next layer.
    sboxes : sequence of matrices of int
        For each value before an S-box what each one behind it weighs; 255 is never, and only 0 to 0 weighs 0.
    kinds : sequence of int
        For each cell which of these S-boxes it has.
    fewer : sequence of int
        What 0, 1, .. layers weigh at least, for all numbers below that of the trail's.
    most : int
        Heavier trails are not looked at.

    Returns
    -------
    weight : int
        The minimum weight of all these.
    layers : list of pairs of bytes
        For each layer the values of all cells before it and behind it.

    None where there is no such trail.

    Raises
    ------
    TimeoutError
        After ``seconds``.
    ValueError
        ``places: want 64 to 64, got 63``
    """

def lightest_of_three(
    columns: int,
    images: Sequence[int],
    weights: Sequence[Sequence[int]],
    most: int,
    few: int | None,
    seconds: float | None,
) -> tuple[int, list[list[int]]] | None:
    """The lightest trail through three layers of S-boxes, by going through all that can be light.

    Parameters
    ----------
    columns : int, 1 to 64
        S-boxes of a layer; bit r of each is in row r.
    images : sequence of int
        Of bit 0 of each row under the linear layer, which takes a row to itself and commutes with rotation.
    weights : sequence of bytes
        For each difference before an S-box what each one behind it weighs; 255 is never.
    most : int
        Heavier trails are not looked at.
    few : int
        Nor are those of more active columns before and behind the first linear layer, unless this is None.

    Returns
    -------
    weight : int
        The minimum weight of all these.
    words : list of 4 lists of 8 int
        Differences behind the first layer, before and behind the second one, before the third one; by row.

    None where there is no trail so light.

    Raises
    ------
    TimeoutError
        After ``seconds``.
    ValueError
        ``rows: want 1 to 8, got 9``
    """

def word_collision(program: _Program) -> tuple[int, list[tuple[int, int, int]]] | None:
    """The cheapest internal collision: from no difference, through a message, back to none.

    Returns
    -------
    cost : int
        Total weight of active F.
    trail : list of (state pattern before the round, message pattern, weight of its active F)
        The first state is 0, the first message is not; after the last round the state is 0.

    None only for a program without message inputs.

    Raises
    ------
    DescriptionError
        As in `word_profile`.

    Notes
    -----
    Releases the GIL.
    """

def word_diffusion(program: _Program) -> int | None:
    """Rounds until every word depends on every word, cancellation aside; None if it never does.

    Raises
    ------
    DescriptionError
        As in `word_profile`.
    """

def search_structures(
    words: int,
    inputs: int,
    active: int,
    *,
    threads: int | None = None,
    parts: tuple[int, int] | None = None,
    progress: Callable[[int, int, int], object] | None = None,
    keep: int = 0,
) -> _StructuresFound:
    """All round structures whose cheapest internal collision has at least ``active`` active F.

    A structure is ``S'[i] = F(S[i-1]) ^ (X_j at the message positions, else S[pi(i)])`` with
    ``pi`` injective, [AETHER, section 3.2]; there are ``words! C(words, inputs) / inputs!``.
    Every one is decided, exactly.

    Parameters
    ----------
    words : int, 2 to 16
    inputs : int, 1 to words - 1
    active : int, 1 to 64
    threads : int, 1 to 1024, or None for as many as the machine offers
    parts : (first, end) or None
        Search the parts first, ..., end - 1 of `search_parts` alone; ``candidates`` are then theirs.
        Counts of ranges that cover all parts once add up to those of the whole search.
    progress : callable or None
        Called with (searched, candidates, found) about ten times a second and at the end.
    keep : int >= 0
        Most structures to return; all are counted.

    Returns
    -------
    dict
        ``candidates`` in all, ``searched`` of them decided, ``found`` among these; ``complete`` is
        False after Ctrl-C. ``structures``: (message positions, pi at the other positions, both
        ascending by position), every rotation of one before the next, in an order that does not
        depend on threads. ``seconds`` of this call.

    Raises
    ------
    DescriptionError
        ``inputs: want 1 to 8, got 9``

    Notes
    -----
    Releases the GIL. Ctrl-C does not raise: the call returns what it has. Any other exception of
    ``progress`` ends the search and is raised once it is.
    Working memory: 3 * 2**words bytes for each thread.
    """

def search_parts(words: int, inputs: int) -> list[int]:
    """How many structures each part of `search_structures` has, in a fixed order.

    Raises
    ------
    DescriptionError
        ``inputs: want 1 to 8, got 9``
    """

def structure_collisions(added: Sequence[int | None], below: int, limit: int) -> list[list[int]]:
    """The cheapest internal collisions of one round structure, if any has fewer than ``below`` active F.

    Parameters
    ----------
    added : sequence of 2 to 32 int or None
        The word added at each position, None where a message enters.
    below : int >= 0
        Active F that are enough.
    limit : int >= 0
        Most paths to return.

    Returns
    -------
    list of list of patterns
        Each path as its states between two states without differences, all of the same number of
        active F; empty if every internal collision has at least ``below``.

    Raises
    ------
    DescriptionError
        ``added: want 0 to 8, got 9``
    """

def sums_collision(functions: int, added: Sequence[int], blocks: Sequence[int], below: int) -> int:
    """The fewest active F of an internal collision of a round of sums, if that is less than ``below``.

    Every new word is the XOR of the word before it, through F or not, and of any words and blocks. Bit i of a
    pattern is word, or position, i.

    Parameters
    ----------
    functions : pattern
        The words that pass through F on their way to the next position.
    added : sequence of 2 to 16 patterns
        For each word the positions where it is added.
    blocks : sequence of 1 to 8 patterns
        For each block the positions where it enters.
    below : int >= 0
        Active F that are enough; the result where no collision has fewer.

    Raises
    ------
    DescriptionError
        ``pattern: want 0 to 511, got 512``

    Notes
    -----
    Releases the GIL.
    """

def search_profile(
    words: int,
    inputs: int,
    starts: list[int],
    profile: list[int],
    *,
    threads: int | None = None,
    progress: Callable[[int, int, int], object] | None = None,
    keep: int = 1000,
) -> _ProfilesFound:
    """All round structures with exactly this profile of fewest active F.

    Parameters
    ----------
    words, inputs, threads, progress, keep
        As in `search_structures`.
    starts : list of patterns, not 0
        The profile is the minimum over all of them; message inputs never differ.
    profile : list of int
        Fewest active F over rounds 1, 2, ...; never falling.

    Returns
    -------
    dict
        As in `search_structures`; every structure stands for itself here, not for its rotations.

    Raises
    ------
    DescriptionError
        ``profile: round 1: want 2, as the lightest start, got 1``

    Notes
    -----
    Releases the GIL; Ctrl-C as in `search_structures`.
    """

def seal_file(
    input: str | PathLike[str] | None,
    output: str | PathLike[str] | None,
    *,
    key_file: str | PathLike[str] | None = None,
    passphrase_file: str | PathLike[str] | None = None,
    cipher: str | None = None,
    research: bool = False,
    replace: bool = False,
    sync: bool = True,
    watch: Callable[[int, int | None], object] | None = None,
) -> int:
    """Seal a file or stream; docs/reference/files.md has the format.

    Parameters
    ----------
    input, output : path or None
        None is standard input or output. An output file appears whole or not at all.
    key_file, passphrase_file : path or None
        With neither, the passphrase is ``$ROUNDWORKS_PASSPHRASE``, or read from the terminal.
    cipher : str or None
        One of `file_ciphers`; None takes the first.
    research : bool
        Take a cipher that is for research only.
    replace : bool
        Replace an output file that is there.
    sync : bool
        Have the bytes on the disk before the output gets its name.
    watch : callable or None
        Called with (bytes read, bytes in all or None) about twenty times a second and at the end.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    ValueError
        ``key_file, passphrase_file: want one of them, got both``
    FileError
        ``out: exists; --force replaces it``; what the system says of a file; wrong use.

    Notes
    -----
    Releases the GIL. What a signal handler or ``watch`` raises stops the work and is raised; no
    output file is left then. Memory: 1 MiB for each of up to 8 threads; Argon2id takes 64 MiB
    before.
    """

def open_file(
    input: str | PathLike[str] | None,
    output: str | PathLike[str] | None,
    *,
    key_file: str | PathLike[str] | None = None,
    passphrase_file: str | PathLike[str] | None = None,
    research: bool = False,
    replace: bool = False,
    sync: bool = True,
    terminal: bool = False,
    watch: Callable[[int, int | None], object] | None = None,
) -> int:
    """Open what `seal_file` made; its parameters, and ``terminal``: standard output may be one.

    Raises
    ------
    InvalidTag
        The input is not authentic: ``in: authentication failed at chunk 3: changed, moved or of
        another file; nothing was written``. To standard output, verified chunks may have been
        written before; the text says how much.
    FileError
        As for `seal_file`.
    """

def inspect_file(input: str | PathLike[str] | None) -> dict[str, int | str]:
    """What the header of a sealed file says; without the key nothing of it is verified.

    Returns
    -------
    dict
        ``version``, ``cipher``, ``tag_bytes``, ``chunk_bytes``, ``key`` ("key file" or
        "passphrase", then also ``argon2id_memory_kib``, ``argon2id_passes``, ``argon2id_lanes``),
        ``salt`` and ``key_check`` in hex; of a regular file also ``file_bytes``, and what they
        mean: ``chunks``, ``data_bytes``.

    Raises
    ------
    FileError
        ``x: not a sealed file: it does not begin as one``
    InvalidTag
        ``x: truncated: header: want 112 bytes, got 50; nothing was written``
    """

def create_key_file(path: str | PathLike[str]) -> None:
    """Write a fresh random key to a new file of mode 0600.

    Raises
    ------
    FileError
        ``my.key: exists; a key file is never replaced``
    """

def readable_by_others(path: str | PathLike[str]) -> int | None:
    """The mode of a file if others than its owner may read it, else None."""

def file_ciphers() -> list[str]:
    """Name of every cipher a file can be sealed with, the default first."""

def rustc_version() -> str:
    """Version of the compiler that this module was compiled by, as ``1.95.0``."""

def check_lrat(formula: str | PathLike[str], proof: str | PathLike[str]) -> tuple[int, int]:
    """Check that a formula has no solution; share no code with the solver that says so.

    Parameters
    ----------
    formula
        A file in DIMACS.
    proof
        A file in binary LRAT, of steps by unit propagation only.

    Returns
    -------
    tuple
        Clauses derived, unit propagations.

    Raises
    ------
    ProofRefused
        ``proof, clause 3201: hint 77: want at most one literal that may hold``
    OSError
        A file cannot be read.
    """

def gpu_cipher_names() -> list[str]:
    """Name of every cipher that a subclass of `GpuAead` can be of."""

@disjoint_base
class Gpu:
    """A GPU. Threads may share it.

    Memory on it is wiped as soon as nobody has it, and then kept for the next call. What the methods
    enqueue, and what is done with messages in host memory, follows each other on one stream.

    Parameters
    ----------
    number : int
        As the driver counts them, from 0 on.
    library : str
        NVIDIA's driver, ``libcuda.so.1``. What a library does when it is loaded is done.
    image : callable
        From a family of ``kernels/`` to its machine code, called when an entry of it first starts.

    Raises
    ------
    DeviceUnavailable
        ``libcuda.so.1: not found; install NVIDIA's driver, or use the CPU: fallback=True``, and the
        like without a GPU, or where the driver is older than CUDA 13.0.
    """

    def __new__(cls, number: int, library: str, image: Callable[[str], bytes]) -> Self: ...
    @property
    def name(self) -> str:
        """Such as "NVIDIA H200"."""

    @property
    def architecture(self) -> str:
        """Such as "sm_90"."""

    @property
    def multiprocessors(self) -> int:
        """How many multiprocessors it has."""

    @property
    def clock_mhz(self) -> float:
        """Highest clock of the multiprocessors, in MHz."""

    @property
    def driver_version(self) -> str:
        """CUDA that the driver has, such as "13.0"."""

    def tune(
        self,
        *,
        increment_bytes: int | None = None,
        launch_bytes: int | None = None,
        warp_bytes: int | None = None,
        bit_slices: bool | None = None,
    ) -> None:
        """Choose how the work is cut; results are the same. None leaves a choice as it is.

        Parameters
        ----------
        increment_bytes : int, a multiple of 1024
            A longer message of Minalpher or AES-GCM in host memory goes in increments of this size;
            16 MiB at first. Four are on the device at a time.
        launch_bytes : int
            At most this many bytes of messages are in one launch, unless it is one message; 64 MiB at
            first.
        warp_bytes : int
            From this size on each of many messages of AES-GCM has a warp, below it a lane; 1500 at first.
        bit_slices : bool
            Counter mode of one message of AES-GCM by bit slices, not by tables; False at first.

        Raises
        ------
        ValueError
            ``increment_bytes: want a multiple of 1024 bytes, got 1000``
        """

    def free_bytes(self) -> int:
        """Bytes of memory that a call may take: those that are free, and those that are kept."""

    def owned_bytes(self) -> int:
        """Bytes of memory that this object has, in use or kept."""

    def trim(self, size_bytes: int = 0) -> None:
        """Give back what is kept until ``size_bytes`` are left, and pinned buffers of messages."""

    def zeros(self, size_bytes: int) -> DeviceMemory:
        """Memory of zeros.

        Raises
        ------
        DeviceMemoryError
            ``NVIDIA H200: want 3 MiB of memory, 2 MiB are free; give it less at once``
        """

    def put(self, data: _Bytes) -> DeviceMemory:
        """A copy of ``data`` on the device. Raises as `zeros`."""

    def launch(
        self, family: str, entry: str, lanes: int, *args: DeviceMemory | int | bytes, shared_bytes: int = 0
    ) -> int:
        """Start an entry of ``kernels/<family>`` and return how many threads were started.

        The driver checks neither number nor type of the arguments: a wrong one makes the device read or
        write where it should not.

        Parameters
        ----------
        lanes : int
            Threads that can have something to do; the device starts no more than it holds at once, as
            entries go round.
        args : DeviceMemory, int or bytes
            In the order of the entry: memory and addresses, numbers, structures by value. Memory must
            stay until `wait`.
        shared_bytes : int
            What a launch's block shares in addition to what the entry declares.

        Raises
        ------
        DeviceUnavailable
            ``minalpher: no machine code for sm_90 of NVIDIA H200; compile it for that, or ...``
        KernelError
            ``cuModuleGetFunction: CUDA_ERROR_NOT_FOUND``
        """

    def wait(self) -> None:
        """Wait until all work that was begun is done."""

    def elapsed_ns(self, work: Callable[[], object]) -> float:
        """Nanoseconds, by the device's clock, from the begin of what ``work`` enqueues to its end. What
        the host takes to enqueue it is in there where the device waits for it."""

    def timeline(self, work: Callable[[], object]) -> list[tuple[str, float]]:
        """Name and nanoseconds of each launch that ``work`` enqueues, in order, by the device's clock."""

    def copy_in(self, to: DeviceMemory, pinned: Pinned) -> None:
        """Begin to copy all of ``pinned`` in; nobody may write to it, and both stay, until `wait`."""

    def copy_out(self, pinned: Pinned, memory: DeviceMemory) -> None:
        """Begin to fill ``pinned`` from the device; nobody may use it, and both stay, until `wait`."""

    def pipeline(
        self, data: _Bytes, out: _Bytes, increment_bytes: int, work: Callable[[int, int, int], object]
    ) -> None:
        """Copy data in, one increment after the other, and out what ``work`` made of each, during that
        work: at once where both are `Pinned`, else through pinned buffers.

        Parameters
        ----------
        data, out : Buffer, L bytes
            Apart from each other.
        work : callable
            Of addresses where an increment came in and where what goes out is made, and of its bytes.
            Behind both are 32 bytes more.
        """

@final
class DeviceMemory:
    """Memory of a GPU, wiped when the object goes. Its size is a multiple of 256 bytes."""

    @property
    def address(self) -> int:
        """Where it is on the device."""

    def read(self, size_bytes: int) -> bytes:
        """The first bytes, once the work that was begun is done.

        Raises
        ------
        ValueError
            ``memory: want at most 256 bytes, got 257``
        """

@final
class Pinned:
    """Host memory that a GPU copies from and to by itself, zeros at first: a writable buffer, so that
    ``numpy.frombuffer(pinned, numpy.uint8)`` is an array. It is wiped when the last view of it goes.

    Raises
    ------
    DeviceMemoryError
        ``host: want 3 MiB of pinned memory, there is less; give it less at once``
    """

    def __new__(cls, gpu: Gpu, size_bytes: int) -> Self: ...

@disjoint_base
class GpuAead(Aead):
    """An authenticated cipher with its key on a GPU; `roundworks.gpu.aead` has a subclass for each.

    Methods, sizes and errors are those of `Aead`. Plaintext is written only after its tag was found
    right, on the device too. A long ciphertext of Minalpher or AES-GCM is read twice, for its tag and for
    its text: nobody may write to it during a call.

    Parameters
    ----------
    key : Buffer, KEY_BYTES
    tag_bytes : {None, ...}
        One of ``TAG_SIZES``; None takes ``TAG_BYTES``.
    machine : Gpu, optional
        The first GPU of this machine unless given.

    Raises
    ------
    TypeError, ValueError
        As `Aead`; ``data: want at most 2147483647 bytes, got 2147483648; use the CPU`` by the methods.
    DeviceUnavailable, DeviceMemoryError, KernelError
        What is missing, and what the driver refused; by every method.
    """

    def __new__(cls, key: _Bytes, *, tag_bytes: int | None = None, machine: Gpu | None = None) -> Self: ...
    @classmethod
    def backends(cls) -> list[tuple[str, bool]]:
        """``[("gpu", True)]`` where this machine has a GPU that can be used."""

    def seal_on_device(
        self,
        nonce: _Bytes,
        data: DeviceMemory | int,
        data_bytes: int,
        out: DeviceMemory | int,
        tag: DeviceMemory | int,
    ) -> None:
        """Begin to seal a message that is on the device, without associated data.

        Addresses are multiples of 16; memory is there up to a multiple of 32 bytes of Minalpher, of 16 of
        the others, and stays until `Gpu.wait`. That memory is there is not checked.

        Raises
        ------
        ValueError
            ``tag: want an address that is a multiple of 16, got 0x1008``, or
            ``data: overlaps an output; want no common byte``
        """

    def open_on_device(
        self,
        nonce: _Bytes,
        data: DeviceMemory | int,
        data_bytes: int,
        out: DeviceMemory | int,
        tag: DeviceMemory | int,
    ) -> int:
        """Open a message that is on the device and return how many bytes of ``out`` are the data.

        Raises
        ------
        InvalidTag
            Then ``out`` is zeros.
        """

    def stage(
        self,
        nonces: NDArray[np.uint8] | Sequence[_Bytes],
        data: NDArray[np.uint8] | Sequence[_Bytes],
        associated_data: NDArray[np.uint8] | Sequence[_Bytes] | _Bytes | None = None,
        *,
        sealed: bool = False,
    ) -> Staged:
        """Copy messages to the device, as `seal_many` takes them, or if ``sealed`` `open_many`: what is then
        done with them can be timed by itself."""

@final
class Staged:
    """Messages on a device."""

    def run(self) -> None:
        """Begin to seal them, or to open those that were staged sealed."""

    def read(self) -> tuple[bytes, bytes, list[bool]]:
        """Texts one after another, those of Minalpher with their padding; tags one after another; and of
        those that were opened, whether the tag was right."""
