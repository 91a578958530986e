"""Circuits of three-input gates, such as `vpternlog`, from gates of two inputs in normal form.

A signal is a function of any three signals that cut it off from the inputs. Every signal starts with one
of its cuts; then cuts are exchanged as long as that leaves fewer signals needed. Complements cost
nothing: the gate that makes a signal and those that read it have them in their tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from .gates import LogicCircuit, LogicGate, Signals, apply

Cut = tuple[int, ...]  # signals, rising

_MOST_CUTS = 24  # of a signal; those with gates shared by few are kept
_MASKS = (0xF0, 0xCC, 0xAA)  # the three operands, as tables


def ternary_circuit(signals: Signals, targets: Sequence[int]) -> LogicCircuit:
    """The circuit of some targets; ``signals`` has them in normal form."""
    ends = [signals.place[t ^ signals.full * (t & 1)] for t in targets]
    chosen = _exchanged(signals, ends, _cuts(signals))
    needed = sorted(_needed(signals.inputs, ends, chosen))
    # A signal is made in the sign in which an output wants it first.
    signs: dict[int, int] = {}
    for end, target in zip(ends, targets, strict=True):
        signs.setdefault(end, target & 1 if end >= signals.inputs else 0)
    made: list[LogicGate] = []
    now = {i: i for i in range(signals.inputs)}
    for signal in needed:
        cut = chosen[signal]
        leaves = {s: _MASKS[i] ^ 0xFF * signs.get(s, 0) for i, s in enumerate(cut)}
        table = _value(signals, signal, leaves) ^ 0xFF * signs.get(signal, 0)
        made.append(_gate([now[s] for s in cut], table & 0xFF))
        now[signal] = signals.inputs + len(made) - 1
    outputs: list[int] = []
    inverted: dict[int, int] = {}
    for end, target in zip(ends, targets, strict=True):
        if signs[end] == target & 1:
            outputs.append(now[end])
            continue
        if end not in inverted:
            made.append(_gate([now[end]], 0xFF ^ _MASKS[0]))
            inverted[end] = signals.inputs + len(made) - 1
        outputs.append(inverted[end])
    return LogicCircuit(signals.inputs, tuple(made), tuple(outputs))


def _gate(operands: Sequence[int], table: int) -> LogicGate:
    """A gate of fewer than three signals reads the first again; its table does not depend on that."""
    a, b, c = (*operands, operands[0], operands[0])[:3]
    return LogicGate("ternary", a, b, c, table)


def _cuts(signals: Signals) -> list[list[Cut]]:
    """Of every signal the sets of at most three signals that it is a function of, itself not among them."""
    result: list[list[Cut]] = [[] for _ in range(signals.inputs)]
    for gate in signals.gates:
        merged = {
            tuple(sorted({*p, *q}))
            for p, q in product([(gate.a,), *result[gate.a]], [(gate.b,), *result[gate.b]])
        }
        result.append(sorted((c for c in merged if len(c) <= 3), key=lambda c: (sum(c), c))[:_MOST_CUTS])
    return result


def _needed(inputs: int, ends: Sequence[int], chosen: Sequence[Cut]) -> set[int]:
    needed: set[int] = set()
    todo = [end for end in ends if end >= inputs]
    while todo:
        signal = todo.pop()
        if signal not in needed:
            needed.add(signal)
            todo += [s for s in chosen[signal] if s >= inputs]
    return needed


def _exchanged(signals: Signals, ends: Sequence[int], cuts: Sequence[Sequence[Cut]]) -> list[Cut]:
    """One cut for each signal, such that no other cut of one signal leaves fewer signals needed."""
    flows = [0.0] * signals.inputs
    reads = [0] * len(cuts)
    for gate in signals.gates:
        reads[gate.a] += 1
        reads[gate.b] += 1
    chosen: list[Cut] = [()] * signals.inputs
    for signal in range(signals.inputs, len(cuts)):
        # Area flow: what a signal costs is shared among those that read it.
        costs = {cut: sum(flows[s] for s in cut) for cut in cuts[signal]}
        chosen.append(min(costs, key=lambda cut: (costs[cut], len(cut), cut)))
        flows.append((1 + costs[chosen[-1]]) / max(reads[signal], 1))
    count = len(_needed(signals.inputs, ends, chosen))
    better = True
    while better:
        better = False
        for signal in sorted(_needed(signals.inputs, ends, chosen), reverse=True):
            for cut in cuts[signal]:
                before, chosen[signal] = chosen[signal], cut
                after = len(_needed(signals.inputs, ends, chosen))
                if after < count:
                    count, better = after, True
                elif after > count:
                    chosen[signal] = before
    return chosen


def _value(signals: Signals, signal: int, leaves: dict[int, int]) -> int:
    """The signal as a table over the leaves of a cut."""
    if signal in leaves:
        return leaves[signal]
    gate = signals.gates[signal - signals.inputs]
    return int(apply(gate.op, _value(signals, gate.a, leaves), _value(signals, gate.b, leaves))) & 0xFF
