"""The Rust side of Roundworks: ciphers, search, timing.

Sizes are in bytes. ``Buffer`` means any object with contiguous single-byte items: ``bytes``,
``bytearray``, ``memoryview``, a ``numpy.uint8`` array.
"""

from typing import ClassVar, final

from typing_extensions import Buffer

__all__ = ["Aegis128", "Aether", "AetherLb", "bench"]

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
