"""The Rust side of Roundworks: ciphers, search, timing.

Sizes are in bytes. ``Buffer`` means any object with contiguous single-byte items: ``bytes``,
``bytearray``, ``memoryview``, a ``numpy.uint8`` array.
"""

from collections.abc import Callable
from os import PathLike
from typing import ClassVar, TypedDict, final, type_check_only

from typing_extensions import Buffer

__all__ = [
    "Aegis128",
    "Aether",
    "AetherLb",
    "bench",
    "create_key_file",
    "file_ciphers",
    "inspect_file",
    "open_file",
    "readable_by_others",
    "seal_file",
    "search_profile",
    "search_structures",
    "word_collision",
    "word_diffusion",
    "word_profile",
]

@final
class Aether:
    """AETHER as published, [AETHER, section 2]. For study only: it is forgeable.

    Lengths are bound nowhere, and associated data and message enter the state in the same way.
    After one query for ``A, M1 || M2`` whose block ``M1`` ends in ``80 00..00``, the ciphertext
    ``C2`` with associated data ``pad(A) || M1`` (without its padding) and the same tag verifies,
    always, without the key. Truncation gives more.

    Parameters
    ----------
    key : Buffer, 32 bytes
        Copied; the copy is wiped when the object goes.
    backend : {None, "portable", "avx2", "avx512"}
        None takes the fastest that this CPU has.

    Raises
    ------
    TypeError
        ``key: want a bytes-like object, got str``
    ValueError
        ``key: want 32 bytes, got 16``
    UnknownName
        ``backend 'sse': not known; one of portable, aesni, avx2, avx512``
    BackendUnavailable
        ``backend 'avx512': this CPU lacks it; available for aether: portable, avx2``

    Warns
    -----
    ResearchOnlyWarning
        Always; it names the forgery.
    """

    NAME: ClassVar[str]
    KEY_BYTES: ClassVar[int]
    NONCE_BYTES: ClassVar[int]
    TAG_BYTES: ClassVar[int]

    def __new__(cls, key: Buffer, *, backend: str | None = None) -> Aether: ...
    @property
    def backend(self) -> str:
        """Name of the back end in use."""

    @staticmethod
    def generate_key() -> bytes:
        """A fresh key of ``KEY_BYTES`` bytes from the operating system."""

    @staticmethod
    def backends() -> list[tuple[str, bool]]:
        """Each back end the cipher is written for, slowest first, and whether this CPU has it."""

    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Encrypt ``data`` and authenticate it together with ``associated_data``.

        Parameters
        ----------
        nonce : Buffer, 16 bytes
            Must never serve twice under one key.
        data : Buffer, L >= 0 bytes
        associated_data : Buffer, any length, or None for none
            Copied once, unless it is ``bytes``.

        Returns
        -------
        bytes, L + 16
            ciphertext || tag

        Raises
        ------
        TypeError
            ``data: want a bytes-like object, got str``
        ValueError
            ``nonce: want 16 bytes, got 12``

        Notes
        -----
        Releases the GIL if data and associated data have 2048 bytes or more.
        """

    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Decrypt ``data``, ciphertext || tag, if it is authentic.

        Parameters
        ----------
        nonce : Buffer, 16 bytes
        data : Buffer, L + 16 bytes
        associated_data : Buffer, any length, or None for none

        Returns
        -------
        bytes, L

        Raises
        ------
        InvalidTag
            ``authentication failed; no plaintext was released``, whatever the reason. Data
            shorter than a tag raises it too.
        TypeError, ValueError
            As in `encrypt`.
        """

    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int:
        """Encrypt ``data`` into ``buf``; as `encrypt`, without a new object.

        Parameters
        ----------
        nonce : Buffer, 16 bytes
        data : Buffer, L bytes
        associated_data : Buffer, any length, or None for none
        buf : writable Buffer, L + 16 bytes
            Receives ciphertext || tag. May begin where ``data`` begins (in place), else must not
            overlap it. No other thread may touch it during the call.

        Returns
        -------
        int
            Bytes written, L + 16.

        Raises
        ------
        TypeError
            ``buf: want a writable bytes-like object, such as a bytearray, got bytes``
        ValueError
            ``buf: want 32 bytes, got 16``, or
            ``buf: overlaps data; want the same first byte, or no common byte``
        """

    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int:
        """Decrypt ``data`` into ``buf``; as `decrypt`, without a new object.

        Parameters
        ----------
        nonce : Buffer, 16 bytes
        data : Buffer, L + 16 bytes
        associated_data : Buffer, any length, or None for none
        buf : writable Buffer, L bytes
            As in `encrypt_into`.

        Returns
        -------
        int
            Bytes written, L.

        Raises
        ------
        InvalidTag
            Then ``buf`` holds zeros.
        TypeError, ValueError
            As in `encrypt_into`; then ``buf`` is untouched.
        """

@final
class AetherLb:
    """AETHER with lengths bound: our variant of `Aether`, for study.

    One extra round before the finalisation absorbs both lengths, which closes the known forgeries.
    It is not the designers' cipher and nobody else has analysed it. Parameters, methods and errors
    are those of `Aether`; there is no warning.
    """

    NAME: ClassVar[str]
    KEY_BYTES: ClassVar[int]
    NONCE_BYTES: ClassVar[int]
    TAG_BYTES: ClassVar[int]

    def __new__(cls, key: Buffer, *, backend: str | None = None) -> AetherLb: ...
    @property
    def backend(self) -> str: ...
    @staticmethod
    def generate_key() -> bytes: ...
    @staticmethod
    def backends() -> list[tuple[str, bool]]: ...
    def encrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def decrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...
    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...

@final
class Aegis128:
    """AEGIS-128, CAESAR submission v1.1, [AEGIS, section 3].

    A key of 16 bytes; back ends "portable" and "aesni". Everything else as in `Aether`, without
    the warning.
    """

    NAME: ClassVar[str]
    KEY_BYTES: ClassVar[int]
    NONCE_BYTES: ClassVar[int]
    TAG_BYTES: ClassVar[int]

    def __new__(cls, key: Buffer, *, backend: str | None = None) -> Aegis128: ...
    @property
    def backend(self) -> str: ...
    @staticmethod
    def generate_key() -> bytes: ...
    @staticmethod
    def backends() -> list[tuple[str, bool]]: ...
    def encrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def decrypt(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None
    ) -> bytes: ...
    def encrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...
    def decrypt_into(
        self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer
    ) -> int: ...

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
    cipher : {"aether", "aether-lb", "aegis-128"}
    backend : {"portable", "aesni", "avx2", "avx512"}
    operation : {"encrypt", "decrypt"}
    data_bytes, ad_bytes : int >= 0
    samples : int >= 1
    min_sample_ns : int >= 0

    Returns
    -------
    samples_ns : list of float, length ``samples``
        Nanoseconds for one call.
    samples_cycles : list of float, length ``samples``, or empty
        Core cycles for one call, by a chain of 2000 dependent additions timed beside each window;
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
    resumed_chunks: int
    structures: list[_Structure]
    notes: list[str]

@type_check_only
class _ProfilesFound(TypedDict):
    candidates: int
    searched: int
    found: int
    complete: bool
    seconds: float
    structures: list[_Structure]

def word_profile(
    program: _Program, starts: list[int], messages: list[int | None]
) -> list[int | None]:
    """Least total weight of active F over the first 1, 2, ... rounds.

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
    ledger: str | PathLike[str] | None = None,
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
    ledger : path or None
        JSON lines of finished work, on the disk at least every second. An existing one is resumed;
        the result is the same as without a stop.
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
        depend on threads. ``seconds`` of this call. ``notes``: lines for the user, such as a
        ledger's cut last line.

    Raises
    ------
    DescriptionError
        ``inputs: want 1 to 8, got 9``; a ledger of another search, damaged, or in use.
    OSError
        The ledger cannot be read or written.

    Notes
    -----
    Releases the GIL. Ctrl-C does not raise: the call returns what it has, with the ledger on the
    disk. Any other exception of ``progress`` ends the search and is raised once it is.
    Working memory: 3 * 2**words bytes for each thread.
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
    """All round structures with exactly this profile of least active F.

    Parameters
    ----------
    words, inputs, threads, progress, keep
        As in `search_structures`.
    starts : list of patterns, not 0
        The profile is the least over all of them; message inputs never differ.
    profile : list of int
        Least number of active F over rounds 1, 2, ...; never falling.

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
    """Seal a file or stream; docs/files.md has the format.

    Parameters
    ----------
    input, output : path or None
        None is standard input or output. An output file appears whole or not at all.
    key_file, passphrase_file : path or None
        With neither, the passphrase is ``$ROUNDWORKS_PASSPHRASE``, or asked for at the terminal.
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
