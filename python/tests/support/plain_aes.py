"""A second implementation of the permutations, on bytes, for tests. It shares no code with the
descriptions: tables from the generator 3 of GF(2^8), state as a list of columns, sums by hand."""

from __future__ import annotations

from collections.abc import Sequence

State = list[list[int]]  # four columns of four bytes


def _tables() -> tuple[list[int], list[int], list[int]]:
    exp, log, x = [0] * 256, [0] * 256, 1
    for i in range(255):
        exp[i], log[x] = x, i
        x ^= (x << 1) ^ (0x11B if x & 0x80 else 0)
    exp[255] = exp[0]
    sbox = []
    for v in range(256):
        inverse = exp[255 - log[v]] if v else 0
        out = 0
        for bit in range(8):
            parity = sum(inverse >> ((bit + shift) % 8) & 1 for shift in (0, 4, 5, 6, 7))
            out |= ((parity + (0x63 >> bit)) & 1) << bit
        sbox.append(out)
    return sbox, exp, log


SBOX, _EXP, _LOG = _tables()


def _twice(x: int) -> int:
    return (x << 1) ^ (0x11B if x & 0x80 else 0)


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def aesenclast(x: bytes, key: bytes = bytes(16)) -> bytes:
    rows = [[SBOX[x[4 * c + r]] for c in range(4)] for r in range(4)]
    shifted = [row[r:] + row[:r] for r, row in enumerate(rows)]
    return xor(bytes(shifted[r][c] for c in range(4) for r in range(4)), key)


def aesenc(x: bytes, key: bytes = bytes(16)) -> bytes:
    shifted = aesenclast(x)
    out = []
    for c in range(4):
        column = shifted[4 * c : 4 * c + 4]
        whole = column[0] ^ column[1] ^ column[2] ^ column[3]
        out += [column[r] ^ whole ^ _twice(column[r] ^ column[(r + 1) % 4]) for r in range(4)]
    return xor(bytes(out), key)


def blocks(data: bytes) -> list[bytes]:
    return [data[i : i + 16] for i in range(0, len(data), 16)]


def areion_constants(count: int) -> list[bytes]:
    """Words of pi; the zeros in front of one stand at its end. [AREION, section 3]"""
    digits = pi_hex(32 * count)
    whole = [digits[32 * i : 32 * i + 32].lstrip("0").ljust(32, "0") for i in range(count)]
    return [bytes.fromhex(word)[::-1] for word in whole]


def pi_hex(digits: int) -> str:
    """The hexadecimal fraction of pi, by Machin's formula: pi / 4 = 4 arctan(1/5) - arctan(1/239)."""
    one = 1 << 4 * digits + 64

    def arctan_of_inverse(x: int) -> int:
        total, power, odd = 0, one // x, 1
        while power:
            total += power // odd if odd % 4 == 1 else -(power // odd)
            power //= x * x
            odd += 2
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    return f"{pi % one >> 64:0{digits}x}"


def feistel(
    codes: Sequence[str], shuffle: Sequence[int], rounds: int, constants: Sequence[bytes], data: bytes
) -> bytes:
    """[AESNI-PERM, section 3], written as the instructions a programmer would issue."""
    x = blocks(data)
    for r in range(rounds):
        new = []
        for half in range(len(x) // 2):
            a, b = x[2 * half], x[2 * half + 1]
            (n1, i1), (n2, i2) = (map(int, code.split("-")) for code in codes[2 * half : 2 * half + 2])
            constant = constants[r * (len(x) // 2) + half]
            f1, f2 = a, a
            if n1 == 2:
                f1 = (aesenclast if i1 in (1, 3) else aesenc)(f1, constant)
                f1 = (aesenclast if i1 in (2, 3) else aesenc)(f1, b)
            else:
                f1 = (aesenclast if i1 == 1 else aesenc)(f1, b)
            end = bytes(16) if n1 == 2 else constant
            if n2 == 2:
                f2 = (aesenclast if i2 in (1, 3) else aesenc)(f2)
                f2 = (aesenclast if i2 in (2, 3) else aesenc)(f2, end)
            else:
                f2 = (aesenclast if i2 == 1 else aesenc)(f2, end)
            new += [f2, f1]
        x = [new[j] for j in shuffle]
    return b"".join(x)


def pholkos(rounds: float, order: Sequence[int], constants: Sequence[bytes], data: bytes) -> bytes:
    """[PHOLKOS, section 3] with a tweakey of zero; half a round is a last AES round alone."""
    x = blocks(data)
    x[0] = xor(x[0], constants[0])
    count = int(2 * rounds)
    for i in range(count):
        x = [(aesenclast if i == count - 1 else aesenc)(word) for word in x]
        x[0] = xor(x[0], constants[i + 1])
        if i % 2 and i < count - 1:
            columns = [word[4 * c : 4 * c + 4] for word in x for c in range(4)]
            moved = [columns[order[j]] for j in range(len(columns))]
            x = blocks(b"".join(moved))
    return b"".join(x)


def pholkos_tweaked(key: bytes, tweak: bytes, constants: Sequence[bytes], block: bytes) -> bytes:
    """Pholkos under key and tweak: columns sent where they go, doubling by the tables."""
    count = len(block) // 16
    steps = {2: 8, 4: 10}[count]
    columns = [key[i : i + 4] for i in range(0, len(key), 4)]
    cells = list(tweak)
    state = blocks(block)
    for layer in range(2 * steps + 1):
        if layer == 2 * steps:
            state = [aesenclast(x) for x in state]
        elif layer:
            state = [aesenc(x) for x in state]
        for w in range(count):
            state[w] = xor(xor(state[w], b"".join(columns[4 * w : 4 * w + 4])), bytes(cells))
        state[0] = xor(state[0], constants[layer])
        if layer and layer % 2 == 0 and layer < 2 * steps:
            state = blocks(b"".join(_sent([x[c : c + 4] for x in state for c in range(0, 16, 4)])))
        cells = _moved(cells)
        whole = b"".join(_sent(columns))
        moved = [v for x in blocks(whole) for v in _moved(list(x))]
        doubled = bytes(_EXP[(_LOG[v] + _LOG[2]) % 255] if v else 0 for v in moved)
        columns = [doubled[i : i + 4] for i in range(0, len(doubled), 4)]
    return b"".join(state)


def _sent(columns: Sequence[bytes]) -> list[bytes]:
    """Column c of word w goes to column c of the c-th word before it; of two words the odd ones
    change places."""
    words = len(columns) // 4
    out = [b""] * len(columns)
    for w in range(words):
        for c in range(4):
            out[4 * ((w - c) % words) + c] = columns[4 * w + c]
    return out


def _moved(cells: Sequence[int]) -> list[int]:
    """Cell i goes to the place of i here."""
    places = [5, 2, 3, 8, 9, 6, 7, 12, 13, 10, 11, 0, 1, 14, 15, 4]
    out = [0] * 16
    for cell, place in zip(cells, places, strict=True):
        out[place] = cell
    return out
