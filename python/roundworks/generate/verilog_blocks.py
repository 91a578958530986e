"""Bytes of a message in SystemVerilog: masks, padding, lengths, the order of bytes in a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import DescriptionError
from ..lower.steps import LengthWord, Padding
from ..reference import StreamAead
from .verilog_text import literal, wrapped


def mask_function(rate: int, count: int) -> list[str]:
    """The lines of a function that masks the first bytes of a block of `rate` bytes."""
    return [
        "  // Ones over the first `bytes` bytes of a block.",
        f"  function automatic logic [{8 * rate - 1}:0] mask(input logic [{count - 1}:0] bytes);",
        f"    logic [{8 * rate - 1}:0] m;",
        f"    for (int i = 0; i < {rate}; i++) m[8*i+:8] = {{8{{{count}'(i) < bytes}}}};",
        "    return m;",
        "  endfunction",
    ]


def pad_function(name: str, padding: Padding, rate: int, count: int) -> list[str]:
    """What stands behind a last block's bytes: a byte and zeros, or a table."""
    bits = 8 * rate
    head = [f"  function automatic logic [{bits - 1}:0] {name}(input logic [{count - 1}:0] bytes);"]
    first = {one[0] for one in padding.partial[1:]}
    if len(first) == 1 and not any(any(one[1:]) for one in padding.partial[1:]):
        return [
            f"  // A byte {first.pop():02x} behind `bytes` bytes; nothing behind a full block.",
            *head,
            f"    logic [{bits - 1}:0] p;",
            f"    for (int i = 0; i < {rate}; i++) begin",
            f"      p[8*i+:8] = {{8{{{count}'(i) == bytes}}}} & 8'h{padding.partial[1][0]:02x};",
            "    end",
            "    return p;",
            "  endfunction",
        ]
    lines = ["  // What stands behind `bytes` bytes; nothing behind a full block.", *head, "    case (bytes)"]
    for r, one in enumerate(padding.partial):
        if any(one):
            value = int.from_bytes(bytes(r) + one, "little")
            lines += wrapped(f"{count}'d{r}: return {literal(value, bits)};", "      ", "    ")
    return [*lines, "      default: return '0;", "    endcase", "  endfunction"]


def pad_mode(it: StreamAead[Any], what: str, padding: Padding) -> int:
    """Of aead_steps: 0, no block of padding alone; 1, where a part is empty or its last block full; 2,
    the latter only.

    Raises
    ------
    DescriptionError
        ``mine: padding of associated data: 7 bytes: want one block at most, got 17 bytes more``
    """
    rate = it.rate_bytes
    for r, one in enumerate(padding.partial):
        if r and len(one) != rate - r:
            raise DescriptionError(
                f"{it.name}: padding of {what}: {r} bytes: want {rate - r} bytes to end the block,"
                f" got {len(one)}"
            )
    for one in (padding.full, padding.empty):
        if len(one) not in (0, rate):
            raise DescriptionError(
                f"{it.name}: padding of {what}: want one block at most, got {len(one)} bytes"
            )
    if padding.full and padding.empty and padding.full != padding.empty:
        raise DescriptionError(
            f"{it.name}: padding of {what}: want the same block for an empty input as behind a full block"
        )
    if padding.empty and not padding.full:
        raise DescriptionError(
            f"{it.name}: padding of {what}: an empty input has a block and a full last block has none; no"
            " core is made of that"
        )
    return 0 if not padding.full else 1 if padding.empty else 2


def length_word(word: LengthWord) -> str:
    """A word of lengths as a concatenation: bits of ``ad_bytes``, ``msg_bytes`` and constants."""
    bits: list[str] = []
    for place in reversed(range(word.bits)):
        terms = [
            f"{name}[{i - 3}]"
            for name, images in (("ad_bytes", word.ad), ("msg_bytes", word.message))
            for i, image in enumerate(images)
            if image >> place & 1
        ]
        start = word.start >> place & 1
        if not terms:
            bits.append(f"1'b{start}")
        else:
            bits.append(("~" if start else "") + (terms[0] if len(terms) == 1 else f"({' ^ '.join(terms)})"))
    runs = _runs(bits)
    return runs[0] if len(runs) == 1 else f"{{{', '.join(runs)}}}"


def _runs(bits: Sequence[str]) -> list[str]:
    """Neighbouring bits of one vector as a slice, and constants together."""
    result: list[tuple[str, int, int]] = []  # name, first index, last index; of others the text, -1
    for bit in bits:
        name, _, index = bit.partition("[")
        number = int(index[:-1]) if index.endswith("]") and name.isidentifier() else -1
        if result and number >= 0 and result[-1][0] == name and result[-1][2] == number + 1:
            result[-1] = (name, result[-1][1], number)
        elif number < 0 and bit.startswith("1'b") and result and result[-1][0].startswith("const"):
            result[-1] = (result[-1][0] + bit[3:], -1, -1)
        elif number < 0 and bit.startswith("1'b"):
            result.append((f"const{bit[3:]}", -1, -1))
        else:
            result.append((name, number, number) if number >= 0 else (bit, -1, -1))
    texts = []
    for name, first, last in result:
        if name.startswith("const"):
            digits = name[5:]
            texts.append(f"{len(digits)}'d0" if not int(digits, 2) else f"{len(digits)}'b{digits}")
        elif first < 0:
            texts.append(name)
        else:
            texts.append(f"{name}[{first}]" if first == last else f"{name}[{first}:{last}]")
    return texts
