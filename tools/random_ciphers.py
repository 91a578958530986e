"""Random ciphers of the description language: generated, proven, compiled, compared with the description.

Each is made from a seed: the size of its words, their number, S-boxes, matrices, permutations of cells and
bits, AND. The table has the cycles of a block, of several messages a call, next to the port limit: the same
operations where none waits for another, measured window by window next to it.

    tools/random_ciphers.py --count 200 --results results
"""

from __future__ import annotations

import argparse
import random
import re
import secrets
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from roundworks.bench import port_limit
from roundworks.bench.compiled import WINDOW_NS, Compiled, build
from roundworks.errors import RoundworksError
from roundworks.generate import generate
from roundworks.generate.functions import lowered_stream
from roundworks.ratios import random_costs, random_verdict
from roundworks.reference import StreamAead, load_description
from roundworks.rows import RandomRow, Store

BYTES = 4096
WINDOWS = 31
# Of one call, so that none waits for itself alone.
MESSAGES = 8
# Bits of words by those of an S-box. Words of cells that divide no byte have at most 64 bits.
WORDS = {2: (32, 64, 128), 3: (24, 48), 4: (32, 64, 128), 5: (40,), 6: (24, 48), 7: (56,), 8: (32, 64, 128)}
# Irreducible polynomials of the fields of cells.
POLYNOMIALS = {4: (0x13, 0x19, 0x1F), 8: (0x11B, 0x11D, 0x12B, 0x14D)}
BINARY = ((0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0))


def text(seed: int) -> str:
    """The description of this seed: the same text every time."""
    rng = random.Random(seed)
    cell = rng.choice([2, 3, 4, 4, 4, 4, 5, 6, 7, 8, 8, 8, 8])
    bits = rng.choice(WORDS[cell])
    words = rng.randint(3, 8)
    box = list(range(1 << cell))
    rng.shuffle(box)
    cells = bits // cell
    places = list(range(cells))
    rng.shuffle(places)
    rotation = rng.randrange(1, bits)
    if cell not in POLYNOMIALS or rng.random() < 0.5:
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
    size, lengths = bits // 8, (1 << min(bits, 32)) - 1
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
        S = self.update(S, [ad_bits & {lengths:#x}])
        S = self.update(S, [msg_bits & {lengths:#x}])
        for _ in range({rng.randint(4, 12)}):
            S = self.update(S, [K[0]])
        return S

    def tag(self, S):
        return [S[0] ^ S[{words - 1}]]
'''


def run(seed: int, folder: Path, run_name: str) -> RandomRow:
    """Generate, prove, compile with its test program, which compares it with the description, and time it.

    Raises
    ------
    RoundworksError
        What any of these steps refuses.
    """
    started = time.perf_counter()
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
    alone = {b: program.sample(b, BYTES, 0, 3, MESSAGES)[1] for b in program.backends()}
    backend = min(alone, key=lambda b: statistics.median(alone[b]))
    _, (lowered,) = lowered_stream(cipher, [backend])
    block = lowered.straight["seal_block"].program
    limit = port_limit.built(block, lowered.machine, folder)
    samples, limits = windows(program, backend, limit, BYTES / cipher.rate_bytes)
    return RandomRow.make(
        run=run_name,
        cipher=cipher.name,
        seed=seed,
        functions=sum(len(functions) for functions in made.proofs.values()),
        backends=list(made.proofs),
        vectors=sum(int(count) for count in re.findall(r": (\d+) vectors", made.tests or "")),
        backend=backend,
        data_bytes=BYTES,
        messages=MESSAGES,
        operations=dict(sorted(Counter(op.kind for op in block.ops if op.kind != "const").items())),
        samples_ns=samples,
        limit_samples_ns=limits,
        command=f"tools/random_ciphers.py --first {seed} --count 1",
        seconds=time.perf_counter() - started,
    )


def windows(
    program: Compiled, backend: str, limit: port_limit.PortLimit, blocks: float
) -> tuple[list[float], list[float]]:
    """Nanoseconds of a block in each window, and of the limit in the window next to it."""
    calls = 1000
    while (took := limit.nanoseconds(calls)) < WINDOW_NS / 4:
        calls *= 2
    calls = max(1, round(calls * WINDOW_NS / 2 / took))
    pairs = []
    for _ in range(WINDOWS):
        ns = program.sample(backend, BYTES, 0, 1, MESSAGES)[0][0]
        pairs.append((round(ns / blocks, 2), round(limit.nanoseconds(calls) / calls, 2)))
    return [ns for ns, _ in pairs], [ns for _, ns in pairs]


def main() -> int:
    """Print a line for each seed, then the median; 1 if one was refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--results", type=Path, metavar="DIR", help="store a row for each cipher there")
    parser.add_argument(
        "--run",
        default=secrets.token_hex(6),
        help="the name of the run, for seeds that several processes share",
    )
    chosen = parser.parse_args()
    rows, failed = list[RandomRow](), 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        with tempfile.TemporaryDirectory() as place:
            try:
                row = run(seed, Path(place), chosen.run)
            except RoundworksError as error:
                failed += 1
                print(f"{seed:5} refused: {error}", flush=True)
                continue
        rows.append(row)
        (cost,) = random_costs([row])
        print(
            f"{seed:5} {cost.backend:9} {sum(row.operations.values()):6} operations {cost.ns:9.1f} ns,"
            f" port limit {cost.limit:8.1f}, ratio {cost.ratio:6.2f}",
            flush=True,
        )
    # A run that was interrupted leaves no rows: its median is of other ciphers.
    if rows and chosen.results:
        Store(chosen.results).append(rows)
    if rows:
        verdict = random_verdict(random_costs(rows))
        assert verdict is not None
        print(
            f"{verdict.of} proven and equal, {failed} refused; cost by port limit: median"
            f" {verdict.median:.2f}, largest {verdict.largest:.2f}; wanted: median at most {verdict.goal.median}"
            f" of {verdict.goal.ciphers}: {verdict.state}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
