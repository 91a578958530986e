"""What templates are given of a cipher: its padding and lengths, the stack it uses, lines of its description."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ..lower.machines import Machine
from ..lower.plan import Plan
from ..lower.program import interleaved
from ..lower.steps import LENGTH_BITS, LengthWord, Padding
from .c_text import DIALECTS
from .c_writer import ONE_FRAME
from .functions import Function, Functions, words_of

WAYS = 4
"""Messages of one call that are encrypted at a time."""
_ORDERS: tuple[Literal["little", "big"], ...] = ("little", "big")


def in_registers(f: Functions, rule: Padding) -> bool:
    """Whether a part of a block is padded in registers: with zeros, on x86. From other memory a load waits for
    shorter stores."""
    vectors = DIALECTS[f.machine.name].type.startswith("__m") and f.straight["update"].word_bits == 128
    return vectors and not (rule.full or rule.empty or any(b"".join(rule.partial)))


def planes_context(machine: Machine, functions: Sequence[Function]) -> dict[str, Any]:
    """What the operations on planes need: bits of a unit, those of what is shifted, and of each interleaving
    the places in a and b, then behind those of a, from which units of the result come as they follow in
    memory, for either order of bytes."""
    ops = [op for f in functions for op in f.program.ops]
    shifted = {int(op.imm[0]) for op in ops if op.kind in ("shl", "shr") and isinstance(op.imm, tuple)}
    units = []
    for kind, bits in sorted({(op.kind, op.imm) for op in ops if op.kind in ("low", "high")}, key=str):
        assert isinstance(bits, int)
        count = 128 // bits
        little = [count * value + at // bits for value, at in interleaved(kind, bits, 128)]
        # In memory the units of a number of 64 bits follow one another the other way.
        flip = 64 // bits - 1
        big = [little[k ^ flip] ^ flip for k in range(count)]
        units.append({"name": f"{kind}{bits}", "bits": bits, "little": little, "big": big})
    return {"bits": 128 // machine.cell, "shifted": sorted(shifted), "units": units}


def stack_bytes(f: Functions, learned: Plan, *, optimised: bool = False) -> int:
    """What a message uses of the stack at most: its arrays, and values that registers have no place for. Where all
    have one, an optimising compiler leaves no array there but those of bytes.
    """
    cipher = learned.cipher
    parts = f.machine.layout(cipher.word_bits, f.order).parts
    counts = f.counts({**words_of(learned), "v": max(1, f.kept)}, parts)
    functions = [g for g in f.all() if not g.parts]
    live = max(g.program.live for g in functions)
    if max(len(g.program.ops) for g in functions) > ONE_FRAME:
        # Twice: of a function that is called, and of the one that calls it, but for those that 32 registers hold.
        spilled = 2 * live - (32 if f.machine.ternary else 0)
    else:
        spilled = live - f.machine.registers
    passed = max((len(call.args) for g in functions for call in g.program.calls), default=0)
    values = sum(counts.values()) + counts["x"] + passed + max(0, spilled)
    # The last block and its keystream, if they are in memory, and the tag.
    blocks = 1 if all(in_registers(f, rule) for rule in (learned.ad_padding, learned.message_padding)) else 3
    # Of 16 registers two are for constants, and of 32 compilers do not use all; of a long function they have more
    # values at once than they need.
    few = max(live, counts["s"] + counts["x"]) <= 14
    if optimised and few and 2 * max(len(g.program.ops) for g in functions) <= 3 * f.machine.registers:
        values = 0
    size = values * f.machine.lanes * f.machine.bits // 8 + blocks * cipher.rate_bytes
    # What a caller pushes, what compilers align, and saved registers.
    return -(-(size + 320) // 64) * 64


def ways_stack_bytes(f: Functions, learned: Plan) -> int:
    """The same of `WAYS` messages at a time: the states of all, once as they are kept between calls with key and two
    blocks, and what two of them compute, as scalars are taken in pairs."""
    cipher = learned.cipher
    states = WAYS * f.counts(words_of(learned), f.machine.layout(cipher.word_bits, f.order).parts)["s"]
    kept = WAYS * (cipher.key_bytes + 2 * cipher.rate_bytes + 64)
    size = 2 * states * f.machine.lanes * f.machine.bits // 8 + kept
    return 2 * stack_bytes(f, learned) + -(-size // 64) * 64


def source_lines(cipher: Any, made: Sequence[Any]) -> dict[str, str]:
    """``file:line`` of a description to the text there."""
    folders = {
        Path(inspect.getfile(cls)).parent for cls in type(cipher).__mro__ if cls.__module__ != "builtins"
    }
    result = {}
    for f in made:
        for function in f.all():
            for op in function.program.ops:
                file, _, number = op.line.rpartition(":")
                if op.line in result or not number.isdigit():
                    continue
                for folder in sorted(folders):
                    if text := linecache.getline(str(folder / file), int(number)).strip():
                        result[op.line] = text.replace("*/", "* /")
                        break
    return result


def padding_context(rule: Padding, rate: int) -> dict[str, Any]:
    """A byte and zeros, or all of them as a table."""
    firsts = {p[0] for p in rule.partial[1:]} | {p[0] for p in (rule.full, rule.empty) if p}
    plain = all(not any(p[1:]) for p in (*rule.partial[1:], rule.full, rule.empty))
    simple = plain and len(firsts) <= 1
    rows = [bytes(rate) if r == 0 else bytes(r) + rule.partial[r] for r in range(rate)]
    rows[0] = rule.full or rule.empty or rows[0]
    return {
        "first": next(iter(firsts), 0) if simple else None,
        "full": bool(rule.full),
        "empty": bool(rule.empty),
        "table": None if simple else rows,
    }


def length_context(word: LengthWord) -> dict[str, Any]:
    """Places of two 64-bit numbers in the bytes of a word, or tables of what each bit adds."""
    size = word.bits // 8
    start = word.start.to_bytes(size, "big")
    places = []
    for images in (word.ad, word.message):
        result: tuple[str, int] | None = None
        for order in _ORDERS:
            for at in range(size - 7):
                if all(_number_at(1 << i, order, at, size) == images[i] for i in range(3, 64)):
                    result = (order, at)
        if result is None and not any(images):
            result = ("none", 0)
        places.append(result)
    tables = [[image.to_bytes(size, "big") for image in images] for images in (word.ad, word.message)]
    return {"start": start, "places": places, "tables": tables}


def length_limit(learned: Plan) -> list[str]:
    """Lines on the longest inputs, of a cipher whose words are too narrow for lengths of 64 bits."""
    if min(learned.length_bits) == LENGTH_BITS:
        return []
    ad, message = (f"2^{bits - 3} - 1 bytes" for bits in learned.length_bits)
    return [
        f"Longest associated data: {ad}. Longest message: {message}.",
        "The words of the description are too narrow for a greater length. The caller has to check this.",
    ]


def length_halves(lengths: Sequence[Mapping[str, Any]]) -> list[str]:
    """The words of lengths as numbers of 64 bits in the order of bytes of x86, where each of both numbers is one of
    these; none otherwise. Two of them are stored at once there: a load of 16 bytes behind two stores waits."""
    numbers: list[list[str]] = []
    for word in lengths:
        start = word["start"]
        halves = [[int.from_bytes(start[i : i + 8], "little")] for i in range(0, len(start) - 7, 8)]
        texts = [[f"UINT64_C({value:#x})"] if value else [] for (value,) in halves]
        for name, place in zip(("ad_bits", "data_bits"), word["places"], strict=True):
            if place is None or place[1] % 8 or len(start) % 8:
                return []
            if place[0] != "none":
                texts[place[1] // 8].append(name if place[0] == "little" else f"__builtin_bswap64({name})")
        numbers += texts
    return [" ^ ".join(text) or "0" for text in numbers] if len(numbers) % 2 == 0 else []


def _number_at(number: int, order: Literal["little", "big"], at: int, size: int) -> int:
    """A word of ``size`` bytes with a 64-bit number from byte ``at`` on."""
    return int.from_bytes(bytes(at) + number.to_bytes(8, order) + bytes(size - 8 - at), "big")
