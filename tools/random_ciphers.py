"""Random ciphers of the description language: generated, proven, compiled, compared with the description.

Each is made from a seed: the size of its words, their number, S-boxes, matrices, permutations of cells and
bits, AND. The table has the cycles of a block next to the port limit: the operations of a round and its
keystream by the execution ports that take them.

    tools/random_ciphers.py --count 200
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from roundworks.bench.compiled import Compiled, build
from roundworks.errors import RoundworksError
from roundworks.generate import generate
from roundworks.reference import StreamAead, load_description

PORTS = {"portable": 4}
"""Of a CPU that executes these operations on scalars; it has three for vectors."""
VECTOR_PORTS = 3
BYTES = 4096
# Irreducible polynomials of the fields of cells.
POLYNOMIALS = {4: (0x13, 0x19, 0x1F), 8: (0x11B, 0x11D, 0x12B, 0x14D)}
BINARY = ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One cipher. ``cost`` and ``limit`` are cycles for a block of the fastest back end."""

    seed: int
    backend: str
    operations: int
    cost: float
    limit: float


def text(seed: int) -> str:
    """The description of this seed: the same text every time."""
    rng = random.Random(seed)
    bits = rng.choice([32, 64, 128])
    words = rng.randint(3, 8)
    cell = rng.choice([4, 8])
    box = list(range(1 << cell))
    rng.shuffle(box)
    cells = bits // cell
    places = list(range(cells))
    rng.shuffle(places)
    rotation = rng.randrange(1, bits)
    if rng.random() < 0.5:
        matrix = f'Matrix("M", {BINARY}, {cell})'
    else:
        polynomial = rng.choice(POLYNOMIALS[cell])
        first = [rng.choice([1, 1, 2, 3, 4]) for _ in range(3)]
        first.append(rng.choice([v for v in (1, 2, 4, 8) if v ^ first[0] ^ first[1] ^ first[2]]))
        rows = tuple(tuple(first[(j - i) % 4] for j in range(4)) for i in range(4))
        matrix = f'Matrix("M", {rows}, {cell}, {polynomial:#x})'
    layers = rng.choice(
        [
            "x.sub(BOX).permute(CELLS).mix(MIX)",
            "x.sub(BOX).mix(MIX).permute(CELLS).sub(BOX)",
            "x.permute(CELLS).mix(MIX).sub(BOX)",
            "x.sub(BOX).permute(ROTATE)",
            "x.mix(MIX).permute(ROTATE)",
        ]
    )
    order = list(range(words))
    rng.shuffle(order)
    steps = []
    for i in range(words):
        j = order[i]
        term = f"f(S[{j}])" if i == 0 or rng.random() < 0.6 else f"S[{j}]"
        if rng.random() < 0.5:
            term += f" ^ (S[{rng.randrange(words)}] & S[{rng.randrange(words)}])"
        steps.append(term + (" ^ X[0]" if i == 0 else f" ^ S[{(j + 1) % words}]" * (rng.random() < 0.5)))
    a, b, c = (rng.randrange(words) for _ in range(3))
    load = ["K[0]", "N[0]", *(hex(rng.getrandbits(bits)) for _ in range(words - 2))]
    size = bits // 8
    return f'''"""A random cipher, of seed {seed}."""

from roundworks.reference import CellPermutation, Matrix, Sbox, StreamAead, unit

BOX = Sbox("B", {tuple(box)})
MIX = {matrix}
CELLS = CellPermutation("C", {tuple(places)}, {cell})
ROTATE = CellPermutation("R", tuple((i - {rotation}) % {bits} for i in range({bits})), 1)


@unit("F")
def f(x):
    return {layers}


class Random(StreamAead):
    name = "random-{seed}"
    key_bytes, nonce_bytes, tag_bytes = {size}, {size}, {size}
    words, rate_words, word_bits = {words}, 1, {bits}

    def load(self, K, N):
        return [{", ".join(load)}]

    def update(self, S, X):
        return [{", ".join(steps)}]

    def init(self, S, K, N):
        for _ in range({rng.randint(4, 12)}):
            S = self.update(S, [K[0]])
        return S

    def keystream(self, S):
        return [f(S[{a}]) ^ (S[{b}] & S[{c}]) ^ S[{rng.randrange(words)}]]

    def finalise(self, S, K, ad_bits, msg_bits):
        S = self.update(S, [ad_bits & 0xFFFFFFFF])
        S = self.update(S, [msg_bits & 0xFFFFFFFF])
        for _ in range({rng.randint(4, 12)}):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S):
        return [S[0] ^ S[{words - 1}]]
'''


def run(seed: int, folder: Path) -> Outcome:
    """Generate, prove, compile with its test program, which compares it with the description, and time it.

    Raises
    ------
    RoundworksError
        What any of these steps refuses.
    """
    file = folder / f"random_{seed}.py"
    file.write_text(text(seed), encoding="utf-8")
    cipher = load_description(file)
    assert isinstance(cipher, StreamAead)
    made = generate(cipher, "c", folder / f"c_{seed}")
    if not made.proofs or not all(made.proofs.values()):
        raise RoundworksError(f"random-{seed}: no function was proven")
    name = next(Path(each).stem for each in made.files if each.endswith(".h") and each != "vectors.h")
    build(folder / f"c_{seed}", name)
    program = Compiled(
        folder / f"c_{seed}" / f"lib{name}.so", name, cipher.key_bytes, cipher.nonce_bytes, cipher.tag_bytes
    )
    best: Outcome | None = None
    for backend in program.backends():
        cycles = statistics.median(program.sample(backend, BYTES, 0, 9)[1])
        functions = made.proofs[backend]
        operations = sum(functions[each]["operations"] for each in ("update", "keystream"))
        cost = cycles / (BYTES / cipher.rate_bytes)
        limit = operations / PORTS.get(backend, VECTOR_PORTS)
        if best is None or cost < best.cost:
            best = Outcome(seed, backend, operations, cost, limit)
    assert best is not None
    return best


def main() -> int:
    """Print a line for each seed, then the median; 1 if one was refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args()
    ratios, failed = [], 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        with tempfile.TemporaryDirectory() as place:
            try:
                one = run(seed, Path(place))
            except RoundworksError as error:
                failed += 1
                print(f"{seed:5} refused: {error}", flush=True)
                continue
        ratios.append(one.cost / one.limit)
        print(
            f"{seed:5} {one.backend:9} {one.operations:6} operations {one.cost:9.1f} cycles,"
            f" port limit {one.limit:8.1f}, ratio {ratios[-1]:6.2f}",
            flush=True,
        )
    if ratios:
        print(
            f"{len(ratios)} proven and equal, {failed} refused; cost by port limit: median"
            f" {statistics.median(ratios):.2f}, largest {max(ratios):.2f}; wanted: median at most 1.25"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
