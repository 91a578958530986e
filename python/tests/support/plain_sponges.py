"""Sponges on lists and byte strings, written from the papers and to be checked by eye: they share nothing with
the descriptions but the permutation where one is handed in."""

from __future__ import annotations

from collections.abc import Callable

Permutation = Callable[[bytes], bytes]


def xor(a: bytes, b: bytes) -> bytes:
    """As far as the shorter goes, in front; the rest of ``a`` behind it."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False)) + a[len(b) :]


def chopped(data: bytes, size: int) -> list[bytes]:
    """Parts of that size, the last perhaps shorter; none of nothing."""
    return [data[i : i + size] for i in range(0, len(data), size)]


def duplex(
    between: Permutation, rate: int, state: bytes, mark: bytes, ad: bytes, message: bytes
) -> tuple[bytes, bytes]:
    """(ciphertext, state behind the last block) of the plain duplex; blocks are padded with the first byte of
    ``mark`` and zeros, and the whole of ``mark`` without it is added between the two inputs."""
    for block in chopped(ad + mark[:1] + bytes(-(len(ad) + 1) % rate), rate) if ad else []:
        state = between(xor(state, block))
    state = bytes(a ^ b for a, b in zip(state, bytes(len(state) - len(mark) + 1) + mark[1:], strict=True))
    out, blocks = b"", chopped(message + mark[:1] + bytes(-(len(message) + 1) % rate), rate)
    for i, block in enumerate(blocks):
        state = xor(state, block)
        out += state[:rate]
        state = between(state) if i < len(blocks) - 1 else state
    return out[: len(message)], state


def xoodyak(f: Permutation, key: bytes, nonce: bytes, ad: bytes, message: bytes) -> bytes:
    """Cyclist as its state machine: ciphertext and tag."""
    state = bytearray(48)
    up_next = False  # what the key is added to has not been permuted

    def up(colour: int) -> None:
        nonlocal up_next
        state[47] ^= colour
        state[:] = f(bytes(state))
        up_next = False

    def down(block: bytes, colour: int) -> None:
        nonlocal up_next
        for i, byte in enumerate(block + b"\x01"):
            state[i] ^= byte
        state[47] ^= colour
        up_next = True

    def absorb_any(data: bytes, colour: int) -> None:
        for block in chopped(data, 44) or [b""]:
            if up_next:
                up(0)
            down(block, colour)
            colour = 0

    absorb_any(key + nonce + bytes([len(nonce)]), 0x02)
    absorb_any(ad, 0x03)
    out, colour = b"", 0x80
    for block in chopped(message, 24) or [b""]:
        up(colour)
        out += bytes(a ^ b for a, b in zip(block, state, strict=False))
        down(block, 0)
        colour = 0
    up(0x40)
    return out + bytes(state[:16])


# -- PHOTON-256 --------------------------------------------------------------------------------------------------
PHOTON_SBOX = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2]
SERIAL = [2, 4, 2, 11, 2, 8, 5, 6]


def times(a: int, b: int) -> int:
    """In GF(16) modulo x^4 + x + 1."""
    product = 0
    for i in range(4):
        product ^= (a << i) * (b >> i & 1)
    for i in (6, 5, 4):
        product ^= (0b10011 << i - 4) * (product >> i & 1)
    return product


def photon_256(block: bytes) -> bytes:
    """Twelve rounds on an 8 x 8 array of nibbles; nibble 0 is the low half of byte 0."""
    nibbles = [half for byte in block for half in (byte & 15, byte >> 4)]
    x = [nibbles[8 * row : 8 * row + 8] for row in range(8)]
    counter = 0
    for _ in range(12):
        # A shift register of four bits; the rows add one of three bits that runs on from zero.
        counter = counter << 1 & 15 | (counter >> 3 ^ counter >> 2 ^ 1) & 1
        row_counter = 0
        for row in range(8):
            x[row][0] ^= counter ^ row_counter
            row_counter = row_counter << 1 & 15 | (row_counter >> 3 ^ 1) & 1
        x = [[PHOTON_SBOX[nibble] for nibble in row] for row in x]
        x = [x[row][row:] + x[row][:row] for row in range(8)]
        for column in range(8):
            cells = [x[row][column] for row in range(8)]
            for _ in range(8):
                last = 0
                for cell, factor in zip(cells, SERIAL, strict=True):
                    last ^= times(cell, factor)
                cells = [*cells[1:], last]
            for row in range(8):
                x[row][column] = cells[row]
    flat = [nibble for row in x for nibble in row]
    return bytes(low | high << 4 for low, high in zip(flat[0::2], flat[1::2], strict=True))


def photon_beetle(f: Permutation, key: bytes, nonce: bytes, ad: bytes, message: bytes) -> bytes:
    """PHOTON-Beetle-AEAD[128]: ciphertext and tag."""
    state = nonce + key

    def constant(number: int) -> bytes:
        return state[:31] + bytes([state[31] ^ number << 5])

    def padded(block: bytes) -> bytes:
        return block + b"\x01" if len(block) < 16 else block

    if not ad and not message:
        state = constant(1)
    for block in chopped(ad, 16):
        state = xor(f(state), padded(block))
    if ad:
        ends = len(ad) % 16 == 0
        state = constant((1 if ends else 2) if message else (3 if ends else 4))
    out = b""
    for block in chopped(message, 16):
        state = f(state)
        half = int.from_bytes(state[:8], "little")
        rotated = (half >> 1 | (half & 1) << 63).to_bytes(8, "little")
        out += bytes(a ^ b for a, b in zip(block, state[8:16] + rotated, strict=False))
        state = xor(state, padded(block))
    if message:
        ends = len(message) % 16 == 0
        state = constant((1 if ends else 2) if ad else (5 if ends else 6))
    return out + f(state)[:16]


# -- TinyJAMBU ---------------------------------------------------------------------------------------------------
def tinyjambu_p(state: list[int], key: list[int], steps: int) -> list[int]:
    """A register of 128 bits, one step at a time."""
    for i in range(steps):
        nand = 1 ^ (state[70] & state[85])
        state = [*state[1:], state[0] ^ state[47] ^ nand ^ state[91] ^ key[i % 128]]
    return state


def bits_of(data: bytes) -> list[int]:
    """The lowest bit of each byte first."""
    return [byte >> i & 1 for byte in data for i in range(8)]


def bytes_of(bits: list[int]) -> bytes:
    """The inverse."""
    return bytes(sum(bit << i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8))


def tinyjambu(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> bytes:
    """TinyJAMBU-128, version 2: ciphertext and tag."""
    K = bits_of(key)
    state = tinyjambu_p([0] * 128, K, 1024)

    def add(at: int, bits: list[int]) -> None:
        for i, bit in enumerate(bits):
            state[at + i] ^= bit

    def frame(number: int, steps: int) -> None:
        add(36, [number >> i & 1 for i in range(3)])
        state[:] = tinyjambu_p(state, K, steps)

    def length(block: bytes) -> None:
        if len(block) < 4:
            add(32, [len(block) & 1, len(block) >> 1])

    for block in chopped(nonce, 4):
        frame(1, 640)
        add(96, bits_of(block))
    for block in chopped(ad, 4):
        frame(3, 640)
        add(96, bits_of(block))
        length(block)
    out = b""
    for block in chopped(message, 4):
        frame(5, 1024)
        out += bytes(a ^ b for a, b in zip(block, bytes_of(state[64:96]), strict=False))
        add(96, bits_of(block))
        length(block)
    frame(7, 1024)
    tag = bytes_of(state[64:96])
    frame(7, 640)
    return out + tag + bytes_of(state[64:96])
