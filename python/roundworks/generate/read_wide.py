"""Expressions of registers of 256 and 512 bits: those of 128 bits in every lane, and moves of lanes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ..lower.program import Op
from .read_operations import Pattern, operation


def wide(text: str, lanes: int, places: Mapping[str, int], patterns: list[Pattern], read: int) -> Op | None:
    """An operation of registers of 256 or 512 bits: one of the shorter ones in each lane, or a move of
    lanes; with ``read`` 1 that of every lane, None where lanes differ."""
    op = _wide(text, lanes, places, patterns)
    if op is None or read == lanes:
        return op
    if op.kind == "lanes":
        return None
    if op.kind == "const":
        assert isinstance(op.imm, int)
        word = op.imm & (1 << 128) - 1
        return Op("const", (), word) if op.imm == sum(word << 128 * k for k in range(lanes)) else None
    return op


def _wide(text: str, lanes: int, places: Mapping[str, int], patterns: list[Pattern]) -> Op | None:
    bits = 128 * lanes
    if m := _BYTES.match(text):
        words = [int(x, 0) for x in m["words"].split(", ")]
        if int(m["bytes"]) * 8 != bits or len(words) != 2 * lanes:
            return None
        return Op("const", (), sum(word << 64 * i for i, word in enumerate(words)))
    if (moved := _moved(text, lanes, places)) is not None:
        return moved
    if "bytes16" in text or re.search(rf"_mm(?!{bits}_)|si(?!{bits}(?!\d))\d|each(?!{bits // 8}\()", text):
        return None
    if m := _IN_ORDER.match(text):
        if int(m["bytes"]) * 8 != bits:
            return None
        text = m["text"]
    short = (
        text.replace(f"_mm{bits}_", "_mm_")
        .replace(f"si{bits}", "si128")
        .replace(f"each{bits // 8}(", "bytes16(")
    )
    op = operation(re.sub(r"_(aesenc|aesenclast)_epi128", r"_\1_si128", short), patterns, places)
    if op is not None and op.kind == "const":
        assert isinstance(op.imm, int)
        return replace(op, imm=sum(op.imm << 128 * k for k in range(lanes)))
    return op


_IN_ORDER = re.compile(r"^in_order(?P<bytes>\d+)\((?P<text>_mm\d+_aesenc(?:last)?_epi128\(.*\))\)$")
_BYTES = re.compile(r"^bytes(?P<bytes>\d+)\((?P<words>0x\w+(?:, 0x\w+)*)\)$")
_MOVES = {
    "blend": re.compile(
        r"^_mm(?:256_blend_epi32\((\w+), (\w+), (\w+)\)|512_mask_blend_epi64\((\w+), (\w+), (\w+)\))$"
    ),
    "columns": re.compile(r"^_mm512_mask_blend_epi32\((\w+), (\w+), (\w+)\)$"),
    "halves": re.compile(r"^_mm256_permute2x128_si256\((\w+), (\w+), (\w+)\)$"),
    "quarters": re.compile(r"^_mm512_shuffle_i64x2\((\w+), (\w+), (\w+)\)$"),
    "turn": re.compile(r"^_mm512_alignr_epi64\((\w+), (\w+), (\w+)\)$"),
    "any": re.compile(r"^_mm512_permutex2var_epi64\((\w+), lanes64\((\d), (\d), (\d), (\d)\), (\w+)\)$"),
}


def _moved(text: str, lanes: int, places: Mapping[str, int]) -> Op | None:
    """A move of lanes, or of columns in all of them, as the CPU's manual defines it."""
    for kind, pattern in _MOVES.items():
        if (m := pattern.match(text)) is None or ("_mm256" in text) != (lanes == 2):
            continue
        groups = [g for g in m.groups() if g is not None]
        if kind == "columns":
            mask = int(groups[0], 0)
            if mask != 0x1111 * (mask & 15) or any(name not in places for name in groups[1:]):
                return None
            columns = tuple(k + 4 * (mask >> k & 1) for k in range(4))
            return Op("columns", (places[groups[1]], places[groups[2]]), columns)
        if kind == "blend" and lanes == 4:
            groups = [groups[1], groups[2], groups[0]]
        if kind == "turn":
            groups[:2] = groups[1], groups[0]
        if kind == "any":
            names, control = (groups[0], groups[5]), [int(g) for g in groups[1:5]]
        else:
            names, n = (groups[0], groups[1]), int(groups[2], 0)
            width = 4 if lanes == 2 else 2  # bits of a mask for a lane
            masks = [n >> width * k & (1 << width) - 1 for k in range(lanes)]
            if (kind == "blend" and any(x not in (0, (1 << width) - 1) for x in masks)) or (
                kind == "turn" and n % 2
            ):
                return None
            control = {
                "blend": [k + lanes * bool(x) for k, x in enumerate(masks)],
                "halves": [n & 15, n >> 4],
                "quarters": [(n >> 2 * k & 3) + (4 if k > 1 else 0) for k in range(4)],
                "turn": [n // 2 + k for k in range(4)],
            }[kind]
        if any(name not in places for name in names) or any(c >= 2 * lanes for c in control):
            return None
        return Op("lanes", tuple(places[name] for name in names), tuple(control))
    return None
