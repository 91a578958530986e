"""What this CPU allows: cycles per byte that follow from its AES instruction alone.

By throughput, every AES round of the cipher has to be begun; by latency, the rounds of its state
wait for each other. A kernel is slower than the larger of the two, never faster, as long as an
instruction holds words of different lanes only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .. import spec


def limits(instructions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fields of the limit rows that follow from instruction rows of one run; none without AES."""
    # The minimum of the samples: whoever else is on this core can only make an instruction wait.
    cycles = {(i["instruction"], i["measure"], i["bits"]): min(i["samples_cycles"]) for i in instructions}
    widths = [bits for name, measure, bits in cycles if (name, measure) == ("aesenc", "throughput")]
    return [row for work in spec.work() for row in _of(work, cycles, widths)] if widths else []


def _of(
    work: spec.Work, cycles: dict[tuple[str, str, int], float], widths: Sequence[int]
) -> list[dict[str, Any]]:
    def throughput(bits: int) -> float:
        begun = work.aes_rounds * 128 / bits
        return begun * cycles["aesenc", "throughput", bits] / work.bytes

    # Of widths that do equally well within what the clock can tell, the widest.
    usable = [bits for bits in widths if bits <= 128 * work.lanes]
    best = min(map(throughput, usable))
    bits = max(bits for bits in usable if throughput(bits) < best * 1.02)
    each = cycles["aesenc", "throughput", bits]
    results = [
        {
            "cipher": work.cipher,
            "operation": operation,
            "bits": bits,
            "measure": "throughput",
            "cycles_per_byte": throughput(bits),
            "derivation": f"{work.aes_rounds} AES rounds for {work.bytes} bytes,"
            f" {bits // 128} every {each:.2f} cycles",
        }
        for operation in ("encrypt", "decrypt")
    ]
    aes, xor = cycles["aesenc", "latency", bits], cycles["xor", "latency", bits]
    for operation, way in work.recurrences.items():
        spent = (way.aes * aes + way.xors * xor) / way.rounds
        results.append(
            {
                "cipher": work.cipher,
                "operation": operation,
                "bits": bits,
                "measure": "latency",
                "cycles_per_byte": spent / work.bytes,
                "derivation": f"{way.aes} x AES round of {aes:.2f} cycles + {way.xors} x xor of {xor:.2f},"
                f" one after the other, for {way.rounds} x {work.bytes} bytes",
            }
        )
    return results
