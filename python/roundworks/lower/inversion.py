"""Circuits of S-boxes that are inversion in GF(2^8) between affine maps, from that of AES's S-box.

The circuit of Boyar and Peralta has three layers: sums of the inputs, gates that are not linear, sums of
their 18 products. The middle one stays; the sums are searched for again.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import spec
from .affine import Rows, affine_to_inversion, apply
from .gates import Signals, columns, ways_on
from .gates import apply as gate
from .linear import sums, transposed

_CORE = "aes-sbox-boyar-peralta"
_LINEAR = ("XOR", "XNOR")


def inversion_signals(table: Sequence[int]) -> Signals | None:
    """Signals with the outputs of the S-box; None if it is not inversion between affine maps."""
    aes = spec.sboxes()["aes"].table
    ours, theirs = affine_to_inversion(table), affine_to_inversion(aes)
    if ours is None or theirs is None:
        return None
    # Their S-box at z(x) is, up to a constant and a linear map, ours at x.
    first, a, second, _ = ours
    first_aes, a_aes, second_aes, _ = theirs
    into = [_solve(first_aes, apply(first, x) ^ a ^ a_aes) for x in range(256)]
    back = [apply(second, _solve(second_aes, 1 << i)) for i in range(8)]  # of their linear output bit i
    return _assembled(table, into, back)


def _solve(rows: Rows, value: int) -> int:
    return next(x for x in range(256) if apply(rows, x) == value)


def _assembled(table: Sequence[int], into: Sequence[int], back: Sequence[int]) -> Signals:
    net = spec.netlist(_CORE)
    signals = Signals(8)
    full = signals.full
    planes = columns(into)
    # Wire -> which inputs of the netlist it sums, for the first layer.
    forms = {name: 1 << i for i, name in enumerate(net.inputs)}
    values = dict(zip(net.inputs, planes, strict=True))
    for g in net.gates:
        if g.op in _LINEAR and all(name in forms for name in g.inputs):
            forms[g.out] = forms[g.inputs[0]] ^ forms[g.inputs[1]]
            values[g.out] = values[g.inputs[0]] ^ values[g.inputs[1]]
    rest = [g for g in net.gates if g.out not in forms]
    products, of_products = _last_layer(rest, net.outputs)
    inner = [g for g in rest if g.out not in of_products or g.out in products]
    wanted = {name for g in inner for name in g.inputs if name in forms}
    normal = sorted({_normal(values[name], full) for name in wanted})
    # A function that is linear in x, as a form: its value at the unit vectors.
    as_form = {f: sum((f >> (1 << i) & 1) << i for i in range(8)) for f in normal}
    made, _ = sums(8, list(as_form.values()))
    for a, b in made:
        signals.add("xor", a, b)
    for g in inner:
        p, q = (values[name] for name in g.inputs)
        values[g.out] = p ^ q if g.op == "XOR" else p & q
        _add(signals, p, q, values[g.out])
    _sum_up(signals, [values[p] for p in products], _columns(products, of_products, net.outputs, back))
    return signals


def _last_layer(
    gates: Sequence[spec.Gate], outputs: Sequence[str]
) -> tuple[list[str], dict[str, frozenset[str]]]:
    """The ANDs that outputs are sums of, and each wire of those sums with the ANDs it adds up."""
    by_name = {g.out: g for g in gates}
    known: dict[str, frozenset[str]] = {}

    def terms(name: str) -> frozenset[str]:
        if name not in known:
            g = by_name[name]
            known[name] = terms(g.inputs[0]) ^ terms(g.inputs[1]) if g.op in _LINEAR else frozenset({name})
        return known[name]

    for name in outputs:
        terms(name)
    return sorted(frozenset().union(*(known[name] for name in outputs))), known


def _columns(
    products: Sequence[str],
    of_products: dict[str, frozenset[str]],
    outputs: Sequence[str],
    back: Sequence[int],
) -> list[int]:
    """Of every product the outputs of our S-box, as bits, that it is a term of."""
    result = []
    for product in products:
        column = 0
        for i, name in enumerate(outputs):
            if product in of_products[name]:
                column ^= back[i]
        result.append(column)
    return result


def _sum_up(signals: Signals, products: Sequence[int], images: Sequence[int]) -> None:
    """Outputs as sums of products: the transposed problem has forms of 8 bits."""
    made, ends = sums(8, images)
    terms = transposed(8, made, ends)
    places: dict[int, int] = {-1 - k: signals.place[_normal(p, signals.full)] for k, p in enumerate(products)}
    for i in reversed(range(len(terms))):
        first, *others = (places[t] for t in terms[i])
        for other in others:
            first = signals.add("xor", first, other)
        places[i] = first


def _normal(function: int, full: int) -> int:
    return function ^ full * (function & 1)


def _add(signals: Signals, p: int, q: int, made: int) -> None:
    """The gate in normal form that is, up to complements, the gate on p and q."""
    a, b = (signals.place[_normal(f, signals.full)] for f in (p, q))
    want = _normal(made, signals.full)
    for op, first, second in ways_on(a, b):
        if gate(op, signals.functions[first], signals.functions[second]) == want:
            signals.add(op, first, second)
            return
    raise AssertionError("circuit: a gate of two inputs has a normal form")
