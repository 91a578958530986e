"""Which word of AEGIS-128 stands before which stage in which clock: what a drawing is made of.

Registers are recognised by their values, which the description computes. So the drawing shows what
the core did, and a word that is where none should be shows as a gap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cocotb

from roundworks.hardware.benches.aead_bench import MODEL, RATE, AeadBench, Message, little
from roundworks.hardware.benches.common import core_name, report
from roundworks.reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES

_POINT = "gen_parallel.gen_{0}.u_data."
_STATE = "gen_parallel.gen_state.gen_{0}.u_data."
# Core -> stage -> the register before it. AO1 has bytes on their way, and reports its step instead.
_STAGES = {
    "base": {"AES round": _STATE + "u_round.state_i", "AddRoundKey": _STATE + "line_q.4"},
    "ao2": {
        "SubBytes": _POINT + "enter_q",
        "ShiftRows": _POINT + "sub_q",
        "MixColumns": _POINT + "shift_q",
        "AddRoundKey": _POINT + "mix_q",
    },
    "to1": {
        f"{step} {p}": _POINT + f"{name}_{p}_q"
        for p in "ab"
        for step, name in (("SubBytes", "enter"), ("MixColumns", "sub"), ("AddRoundKey", "mix"))
    },
    "to2": {f"AES round {i}": _STATE + f"state_q.{i}" for i in range(5)},
    "interleaved": {
        f"{stage}, word {i}": f"u_data.{name}_q.{i}"
        for stage, name in (("front", "first"), ("back", "second"), ("MixColumns", "third"))
        for i in range(5)
    },
}


@cocotb.test()
async def trace(dut: Any) -> None:
    """One message with a block of each kind; each cycle reports what each stage holds."""
    point = core_name().removeprefix("aegis128-")
    bench = await AeadBench.begin(dut, "trace")
    bench.unstalled = False  # every cycle is wanted
    m = bench.message(RATE, RATE)
    names = known(m)
    port, start = bench.ports[0], bench.cycle
    port.send(m)
    while port.response() is None:
        await bench.step()
        stages = {}
        if point == "ao1":
            stages = _byte_serial(dut)
        for stage, path in _STAGES.get(point, {}).items():
            value = _value(dut, path.format(point))
            if value in names:
                stages[stage] = names[value]
        report(kind="trace", cycle=bench.cycle - start, stages=stages)


def _value(dut: Any, path: str) -> int | None:
    """A register of 128 bits, or word i of a larger one; None while it is not known."""
    names = path.split(".")
    word = int(names.pop()) if names[-1].isdigit() else 0
    for name in names:
        dut = getattr(dut, name)
    text = str(dut.value.binstr)
    text = text[len(text) - 128 * (word + 1) : len(text) - 128 * word]
    return int(text, 2) if set(text) <= {"0", "1"} else None


def _byte_serial(dut: Any) -> dict[str, Sequence[Any]]:
    """AO1: the word whose bytes enter the S-box, and the clock of its twenty."""
    step, clock = int(dut.gen_ao1.u_data.step_q.value), int(dut.gen_ao1.u_data.clock_q.value)
    if clock >= 16:
        return {"MixColumns": [4 - step, clock]}
    # AddRoundKey is of the word that entered in the step before: its product is one further.
    return {"SubBytes": [4 - step, clock], "AddRoundKey": [(6 - step) % 5, clock]}


def known(m: Message) -> dict[int, list[Any]]:
    """Value -> word, the update that made it, and the step of the round that was done to it."""
    words: dict[int, list[Any]] = {}
    for update, S in enumerate(_states(m)):
        for i, word in enumerate(S):
            subbed = word.sub(SUB_BYTES)
            shifted = subbed.permute(SHIFT_ROWS)
            steps = {
                "": word,
                "SubBytes": subbed,
                "ShiftRows": shifted,
                "MixColumns": shifted.mix(MIX_COLUMNS),
            }
            for step, value in steps.items():
                words.setdefault(little(MODEL.join([value])), [i, update, step])
    return words


def _states(m: Message) -> Iterator[Sequence[Any]]:
    """The state before every update, and at the end."""
    seen: list[Sequence[Any]] = []

    class Watched(type(MODEL)):  # type: ignore[misc]
        def update(self, S: Any, X: Any) -> Any:
            seen.append(S)
            return super().update(S, X)

        def tag(self, S: Any) -> Any:
            seen.append(S)
            return super().tag(S)

    Watched(None).seal(m.key, m.nonce, m.data, m.ad)
    yield from seen
