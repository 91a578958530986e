"""Sample rows for the tests of the report. Values are made up unless a comment says otherwise."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from hardware_samples import hardware_rows
from made_rows import made
from roundworks import machine, spec
from roundworks.report.permutation_speed import facts_of
from roundworks.rows import Row, typed

MACHINE = machine.slug()
COMMON = ("machine", "time", "commit", "tools", "seconds")
# Counts of [AETHER, table 6] and our own total of (10,5), which the print has five times too big.
SEARCHES = {
    (4, 1): (96, 16),
    (6, 2): (5400, 54),
    (8, 3): (376320, 0),
    (9, 3): (5080320, 8478),
    (9, 5): (381024, 0),
    (10, 5): (7620480, 0),
    (11, 4): (548856000, 0),
}
# Full after six rounds; what comes after is not drawn.
DIFFUSION = (18.5, 30.9, 50.6, 76.5, 95.1, 100.0, 100.0)
ACTIVE = (2, 4, 8, 12, 16, 19, 22, 24, 28, 34, 36, 39, 43, 45, 48, 50)  # [AETHER, table 7]
DOT = """
digraph round {
  rankdir=TB; bgcolor=white; node [fontname="Helvetica", fontsize=12]; edge [arrowsize=0.6];
  node [shape=box, style=rounded];
  { rank=same; %s }
  node [shape=circle, width=0.28, fixedsize=true, style=solid, label="\\u2295"];
  { rank=same; %s }
  node [shape=box, style=rounded, fixedsize=false, width=0.5];
  { rank=same; %s }
  %s
}
"""
# One active and one inactive S-layer, with the classes that a drawn trail has.
TRAIL = """
digraph trail {
  graph [bgcolor="transparent"];
  n0 [label="S0", shape=box, class="state on"];
  n1 [label="S  1\\n■·", shape=box, class="f on"];
  n2 [label="S\\n··", shape=box, class="f"];
  n0 -> n1 [class="on"];
  n0 -> n2 [class="off"];
}
"""
CORE = """
digraph core {
  graph [bgcolor="transparent"];
  subgraph cluster_a { label="u_data"; class="module"; r0 [label="data_q", shape=box, class="register"]; }
  i0 [label="req_data_i", shape=box, class="port"];
  i0 -> r0 [label="128"];
}
"""
# Fewest active bytes of AES, printed everywhere; None is a lower bound that leaves it open.
AES = {1: (1, 1), 2: (5, 5), 3: (9, 9), 4: (25, 25), 5: (20, None)}
SOLVERS = {"highs": "HiGHS 1.2.3", "cadical": "CaDiCaL 1.2.3"}


def drawing_dot() -> str:
    """A hand-made sketch of AETHER's round: nine words, each F of the word before it."""
    source = [3, 6, None, 4, None, 8, 2, 0]
    words = " ".join(f's{i} [label="S{i}"];' for i in range(9))
    xors = " ".join(f'x{i} [label="+"];' for i in range(9))
    after = " ".join(
        f'{n} [label="{n.upper()}"];' for n in ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"]
    )
    edges = [f's{(i - 1) % 9} -> x{i} [label="F", class="f"]; x{i} -> n{i};' for i in range(9)]
    edges += [f"s{j} -> x{i + 1};" for i, j in enumerate(source) if j is not None]
    for block, i in enumerate((0, 3, 5)):
        edges.append(f'm{block} [shape=plaintext, style=solid, label="X{block}"];')
        edges.append(f"m{block} -> x{i};")
    return DOT % (words, xors, after, "\n  ".join(edges))


def sample() -> list[Row]:
    return [
        _common(i, row)
        for i, row in enumerate(
            [
                *_reproductions(),
                *_searches(),
                *_bounds(),
                *_counts(),
                *_closed(),
                *_solves(),
                *_audits(),
                *_benches(),
                *_selftests(),
                *_cycles(),
                *_permutations(),
                *hardware_rows(),
                {
                    "kind": "drawing",
                    "command": "roundworks describe aether",
                    "cipher": "aether",
                    "title": "one round",
                    "dot": drawing_dot(),
                    "caption": "A box is a word of the state, a circle an exclusive or.",
                },
                {
                    "kind": "drawing",
                    "command": "roundworks bound aes --dot trail.dot",
                    "cipher": "aes",
                    "title": "aes: differential trail over 4 rounds",
                    "dot": TRAIL,
                    "shows": "trail",
                    "caption": "25 active S-boxes, the minimum, one solver, unconfirmed.",
                },
                {
                    "kind": "drawing",
                    "command": "roundworks hw-report --drawings",
                    "cipher": "tiny",
                    "title": "tiny: registers",
                    "dot": CORE,
                    "shows": "core",
                    "caption": "A rounded box is a register.",
                },
            ]
        )
    ]


def dated(rows: Sequence[dict[str, Any]]) -> list[Row]:
    """Rows a second apart, of one machine and commit."""
    return [
        made(
            {
                "machine": MACHINE,
                "commit": "0123456789ab",
                "seconds": 1.0,
                "tools": {},
                "time": f"2026-11-22T10:{i // 60:02}:{i % 60:02}Z",
                **row,
            }
        )
        for i, row in enumerate(rows)
    ]


def _common(number: int, row: dict[str, Any]) -> Row:
    return typed(
        {
            "machine": MACHINE,
            "time": f"2026-11-20T10:{number // 60 % 60:02}:{number % 60:02}Z",
            "commit": "0123456789ab",
            "tools": {},
            "seconds": 0.25,
            **{name: value for name, value in row.items() if name not in COMMON or value is not None},
        }
    )


def _reproductions() -> Iterator[dict[str, Any]]:
    for number in ("6", "7"):
        for cell in spec.paper("aether").table(number).cells():
            if cell.value is None:
                continue
            wrong = cell.value == 38102400
            yield {
                "kind": "reproduction",
                "command": f"roundworks reproduce aether {number}",
                "paper": "aether",
                "table": number,
                "row": cell.row,
                "column": cell.column,
                "unit": cell.unit,
                "paper_value": cell.value,
                "value": 7620480 if wrong else cell.value,
                "status": "refuted" if wrong else "reproduced",
                "certainty": "proven",
                "reason": "s! C(s,m) / m! is 7,620,480; the print is five times that"
                if wrong
                else "every structure was searched",
            }
    # A row with no place in the paper's file must still be seen.
    yield {
        "kind": "reproduction",
        "command": "roundworks reproduce aether 99",
        "paper": "aether",
        "table": "99",
        "row": "stray",
        "column": "bias",
        "unit": "log2",
        "paper_value": -208,
        "value": None,
        "status": "open",
        "certainty": None,
        "reason": "the solver was stopped after an hour",
    }


def _searches() -> Iterator[dict[str, Any]]:
    for (words, inputs), (candidates, found) in SEARCHES.items():
        yield {
            "kind": "search",
            "command": f"roundworks search {words} {inputs}",
            "words": words,
            "inputs": inputs,
            "active": 8,
            "candidates": candidates,
            "searched": 2**26 if words == 11 else candidates,
            "found": found,
            "complete": words != 11,
            "threads": 2,
            "seconds": candidates / 2e6,
        }


def _bounds() -> Iterator[dict[str, Any]]:
    common = {"kind": "bound", "command": "roundworks bound", "witness": None, "rounds": None}
    # aether-lb has aether's round, and so its curve.
    for cipher, values in (("aether", ACTIVE), ("aether-lb", ACTIVE), ("aegis-128", range(1, 33, 2))):
        for rounds, value in enumerate(values, 1):
            yield {
                **common,
                "cipher": cipher,
                "measure": "active-f",
                "rounds": rounds,
                "value": value,
                "unit": "active F",
                "side": "lower",
                "certainty": "proven",
                "method": "word-wise truncated differences",
            }
    for rounds, share in enumerate(DIFFUSION, 1):
        yield {
            **common,
            "cipher": "aether",
            "measure": "diffusion",
            "rounds": rounds,
            "value": share,
            "unit": "% of word pairs",
            "side": "exact",
            "certainty": "proven",
            "method": "dependence of words",
        }
    yield {
        **common,
        "cipher": "aether",
        "measure": "differential",
        "value": -13.65,
        "unit": "log2",
        "side": "exact",
        "certainty": "measured",
        "method": "all patterns",
        "witness": {"input": "11" * 16, "log2": -13.65},
    }
    yield {
        **common,
        "cipher": "aether",
        "measure": "collision",
        "value": -109,
        "unit": "log2",
        "side": "upper",
        "certainty": "two-solvers",
        "method": "word-wise",
    }


def _counts() -> Iterator[dict[str, Any]]:
    """AES in both views; a Feistel permutation of 256 bits in both counts, 43 active at the end."""
    for view in ("differential", "linear"):
        for rounds, (value, upper) in AES.items():
            yield _cells("aes", "active-sboxes", rounds, value, upper, view)
    for count, values in (("distinct", (0, 5, 10, 25)), ("executed", (0, 6, 12, 43))):
        for rounds, value in enumerate(values, 1):
            yield _cells("feistel256:2-0,1-1", "active-sboxes", rounds, value, value, count=count)
    for rounds, weight in enumerate((2, 4, 8), 1):
        yield _cells("present", "trail", rounds, weight, weight) | {"unit": "-log2"}


def _closed() -> Iterator[dict[str, Any]]:
    trail = {"trail": [{"line": "aegis.py:9", "cells": "*..."}, {"line": "aegis.py:9", "cells": "...."}]}
    yield _cells("aegis-128l", "collision-sboxes", 5, 13, 35) | {"witness": trail}
    yield _cells("aegis-128l", "bias-sboxes", 3, None, None, "linear") | {"side": "exact"}


def _cells(
    cipher: str,
    measure: str,
    rounds: int,
    value: int | None,
    upper: int | None,
    view: str = "differential",
    count: str = "distinct",
) -> dict[str, Any]:
    key = f"{cipher} {measure} {rounds} {view} {count}"
    return {
        "kind": "bound",
        "command": f"roundworks bound {cipher} --measure {measure}",
        "cipher": cipher,
        "measure": measure,
        "rounds": rounds,
        "value": value,
        "unit": "active S-boxes",
        "side": "exact" if value == upper else "lower",
        "certainty": "one-solver",
        "method": "cell-wise",
        "witness": None,
        "upper": upper,
        "view": view,
        "count": count,
        "solver": SOLVERS["highs"],
        "fingerprint": hashlib.sha256(key.encode()).hexdigest(),
    }


def _solves() -> Iterator[dict[str, Any]]:
    """Both settle AES at 4 rounds, which makes that bound one of two solvers; one the collision."""
    aes = next(_fingerprints("aes", 4))
    for solver, seconds in (("highs", 0.07), ("cadical", 1.5)):
        yield _solve("AES, 4 rounds", aes, solver, "optimal", 25, 25, seconds)
    collision = next(_fingerprints("aegis-128l", 5))
    yield _solve("AEGIS-128L collision, 5 blocks", collision, "highs", "bounded", 13, 35, 3.0)
    yield _solve("AEGIS-128L collision, 5 blocks", collision, "cadical", "bounded", 5, None, 3.1)


def _fingerprints(cipher: str, rounds: int) -> Iterator[str]:
    for row in (*_counts(), *_closed()):
        if (row["cipher"], row["rounds"]) == (cipher, rounds):
            yield row["fingerprint"]


def _solve(
    instance: str, fingerprint: str, solver: str, status: str, lower: int, upper: int | None, seconds: float
) -> dict[str, Any]:
    return {
        "kind": "solve",
        "command": "roundworks race --time-limit 3",
        "instance": instance,
        "fingerprint": fingerprint,
        "solver": solver,
        "version": SOLVERS[solver],
        "status": status,
        "lower": lower,
        "upper": upper,
        "unit": "active S-boxes",
        "time_limit": 3,
        "seconds": seconds,
    }


def _cycles() -> Iterator[dict[str, Any]]:
    """Two measurements of [AESNI-PERM, table 6], one of them 40 % above; and a cipher with them."""
    common = {
        "kind": "cycles",
        "command": "roundworks cycles",
        "bits": 128,
        "blocks": 1,
        "live": 3,
        "busiest": ["p0", "p1"],
        "shared": False,
        "binds": "latency",
        "logic": 0,
    }
    for cipher, rounds, size, aes, mixing, delays, path in (
        ("simpira-2", 8, 32, 16, 0, 0, 48),
        ("haraka-256:3.5", 3.5, 32, 14, 6, 3, 24),
        ("aegis-128l", 8, 256, 64, 0, 2, 26),
    ):
        limits = dict.fromkeys(
            ("latency", "registers", "registers_avx2", "scheduled", "minimum", "expected"), path
        )
        yield {
            **common,
            **limits,
            "cipher": cipher,
            "cpu": "ice-lake",
            "rounds": rounds,
            "block_bytes": size,
            "aes": aes,
            "mixing": mixing,
            "bypass_delays": delays,
            "path": path,
            "ports": aes / 2,
            "crowded": (aes + mixing) / 2,
            "cycles_per_byte": path / size,
        }


def timed(
    permutation: str,
    rounds: float,
    middle: float,
    *,
    blocks: int = 1,
    backend: str = "aesni",
    size: int = 32,
    run: str = "perm",
    half: float = 0.001,
) -> Any:
    """A row with this median in cycles per byte, and quartiles half so far off on each side."""
    cycles = [(middle + half * k) * size for k in (-2, -1, 0, 1, 2)]
    return made(
        {
            "kind": "permutation",
            "command": "roundworks bench --permutations",
            "run": run,
            "permutation": permutation,
            "rounds": rounds,
            "backend": backend,
            "operation": "permute",
            "way": "chain" if blocks == 1 else "many",
            "blocks": blocks,
            "block_bytes": size,
            "samples_cycles": cycles,
            "samples_ns": [c / 2.3 for c in cycles],
        }
    )


def printed_on(cpu: str, table: str = "6", blocks: int = 1) -> list[Any]:
    """A run that measures what [AESNI-PERM] prints of one CPU."""
    words = {"6": 2, "7": 2, "8": 4, "9": 4}[table]
    rows = []
    for row in spec.paper("aesni-permutations").table(table).rows:
        facts = facts_of(row.name, words)
        rounds = facts.timed_rounds
        own = facts.name if rounds == facts.rounds else f"{facts.name}:{rounds:g}"
        value = spec.paper("aesni-permutations").table(table).value(row.name, cpu)
        rows.append(timed(own, rounds, float(str(value)), blocks=blocks, size=16 * words))
    return rows


def _permutations() -> Iterator[dict[str, Any]]:
    """One block as on Ice Lake, of many blocks two permutations alone; and one at other rounds."""
    yield from printed_on("Ice Lake")
    yield from printed_on("Ice Lake", "7", 8)[-2:]
    yield timed("feistel256:2-0,1-1:4", 4, 0.7)


def _audits() -> Iterator[dict[str, Any]]:
    common = {"kind": "audit", "command": "roundworks audit"}
    yield {
        **common,
        "cipher": "aether",
        "check": "split",
        "verdict": "forgery",
        "title": "associated data and message change places",
        "detail": "No length is absorbed, so a message block can be passed off as data.",
        "proof": {
            "key": "16" * 32,
            "query": {"nonce": "51" * 16, "ad": "", "tags": ["ab" * 16]},
            "accepted": True,
        },
    }
    yield {
        **common,
        "cipher": "aether-lb",
        "check": "split",
        "verdict": "pass",
        "proof": None,
        "title": "no forgery by splitting <b>found</b>",
        "detail": "Lengths are absorbed.",
    }


def _benches() -> Iterator[dict[str, Any]]:
    speeds = {
        ("aether", "portable"): 90.0,
        ("aether", "avx2"): 2.4,
        ("aether", "avx512"): 0.7,
        ("aegis-128l", "portable"): 30.0,
        ("aegis-128l", "aesni"): 0.2,
        ("aegis-128l", "libsodium"): 0.19,
        ("aegis-128l", "libaegis"): 0.26,
        ("aes-256-gcm", "openssl"): 0.3,
    }
    for (cipher, backend), per_byte in speeds.items():
        peer = backend in ("libsodium", "libaegis", "openssl")
        for size in (0, 16, 64, 256, 1500, 4096, 16384):
            for operation in ("encrypt", "decrypt"):
                # This library decrypts at the speed of ours, less one in a hundred.
                slowed = 1.0636 if backend == "libsodium" and operation == "decrypt" else 1
                cycles = [
                    (per_byte * size + 900 + per_byte * 40) * slowed * (1 + k * k % 7 / 20) for k in range(11)
                ]
                yield {
                    "kind": "bench",
                    "command": "roundworks bench --peers",
                    "run": "one",
                    "cipher": cipher,
                    "library": backend if peer else "roundworks",
                    "version": "1.2.3",
                    "backend": "run-time" if peer else backend,
                    "surface": "rust",
                    "operation": operation,
                    "data_bytes": size,
                    "ad_bytes": 0,
                    "samples_cycles": cycles,
                    "samples_ns": [c / 2.3 for c in cycles],
                    "digest": "00" * 32,
                }
    for size in (16, 1500, 16384):
        yield {
            "kind": "bench",
            "command": "roundworks bench",
            "run": "two",
            "cipher": "aes-256-gcm",
            "library": "pyca",
            "version": "50.0.2",
            "backend": "run-time",
            "surface": "python",
            "operation": "encrypt",
            "digest": "00" * 32,
            "data_bytes": size,
            "ad_bytes": 0,
            "samples_cycles": [],
            "samples_ns": [700 + size * (0.3 + k / 100) for k in range(9)],
        }
    for operation, taken in (("cp", 0.3), ("seal", 0.35), ("open", 0.4)):
        yield {
            "kind": "files",
            "command": "make files-speed",
            "run": "files",
            "operation": operation,
            "place": "memory",
            "synced": False,
            "data_bytes": 1 << 30,
            "samples_ns": [taken * 1e9 * k for k in (1, 1.1, 0.9)],
        }
    for cores, taken in ((1, 0.4), (2, 0.21)):
        yield {
            "kind": "scaling",
            "command": "make scaling",
            "run": "scaling",
            "operation": "seal-many",
            "cipher": "aegis-128l",
            "cores": cores,
            "messages": 16384,
            "data_bytes": 1 << 28,
            "samples_ns": [taken * 1e9 * k for k in (1, 1.1, 0.9)],
        }
    common = {"command": "roundworks bench --peers", "run": "one", "bits": 128}
    for measure, cycles in (("throughput", 0.5), ("latency", 3.0)):
        yield {
            **common,
            "kind": "instruction",
            "instruction": "aesenc",
            "measure": measure,
            "samples_cycles": [cycles, cycles * 1.01],
        }
    for measure, limit in (("throughput", 0.125), ("latency", 0.1016)):
        yield {
            **common,
            "kind": "limit",
            "cipher": "aegis-128l",
            "operation": "encrypt",
            "measure": measure,
            "cycles_per_byte": limit,
            "derivation": "as the hand works it out",
        }


def _selftests() -> Iterator[dict[str, Any]]:
    for cipher, backend, available in (
        ("aether", "portable", True),
        ("aether", "avx2", True),
        ("aether", "avx512", False),
        ("aether-lb", "portable", True),
        ("aegis-128l", "portable", True),
        ("aegis-128l", "aesni", True),
    ):
        vectors = 42 if available else 0
        yield {
            "kind": "selftest",
            "command": "roundworks selftest",
            "cipher": cipher,
            "backend": backend,
            "available": available,
            "vectors": vectors,
            "passed": vectors - (cipher == "aether-lb"),
        }
