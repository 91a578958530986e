"""How far the results can be trusted: what was checked, how often it was so, and what makes it again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from roundworks import spec
from roundworks.bounds import CERTAINTY
from roundworks.rows import (
    BoundRow,
    CodeRow,
    FuzzRow,
    RandomRow,
    ReproductionRow,
    Row,
    SelftestRow,
    SimulationRow,
    TrialRow,
    latest,
)

_SHOWS = {
    "proven": "a certificate that a checker of its own accepted, or exact computation",
    "two-solvers": "two independent solvers gave the same result",
    "one-solver": "no second solver has come as far; every trail is checked on the description",
    "heuristic": "the best found; nothing says that no better exists",
}
# Of a proof: what it says, and what it does not.
_DRIVERS = {
    "symbolic": (
        "A core gives what its description gives, for every key, nonce and data of messages of up to three blocks",
        "exact computation over unknown bits from any state at power-up, S-boxes proven on their own; the"
        " products in GHASH, and so GCM's tags, are not compared",
    ),
    "control": (
        "Ready and valid lose nothing, invent nothing and hold what waits, for every user and all data",
        "model checking of one solver, which checks its invariants; messages of up to three blocks, any"
        " number of them",
    ),
}
# Of checks by programs outside of Python: group, claim, command; each is a row once it was run.
_WANTED = {
    "valgrind": ("Constant time", "No secret reaches a branch or an address under valgrind", "make ct"),
    "times compared": ("Constant time", "Times do not tell secrets apart", "make ct"),
    "what is taken from others": ("Supply", "Licences and known vulnerabilities are checked", "make supply"),
    "the wheel built twice": ("Supply", "Two builds of the wheel are the same bytes", "make check-wheel"),
}
_REACHED = 0.95
_LABELS = "random labels"
_ARM = "aarch64"
_BENCH = ["core", "parameters", "simulator", "netlist", "machine"]


@dataclass(frozen=True)
class Evidence:
    """One line: what is claimed, how many cases of how many have it, what that shows and what not."""

    group: str
    claim: str
    passed: int
    tried: int
    shows: str
    rows: Sequence[Row]
    made_by: str = ""
    """The command of all rows, where one makes them."""

    @property
    def command(self) -> str:
        """What makes the figures again."""
        return self.made_by or str(self.rows[-1].command)

    @property
    def is_met(self) -> bool:
        """Whether no case failed."""
        return self.passed == self.tried


def evidence(rows: Sequence[Row], bounds: Sequence[BoundRow]) -> list[Evidence]:
    """Every line; ``rows`` are all, ``bounds`` what is best known of each query of a solver."""
    return [
        *_code(rows),
        *_bounds(bounds),
        *_certificates(rows),
        *_hardware(rows),
        *_trials(rows),
        *_fuzz(rows),
        *_not_run(rows),
    ]


def _of(rows: Iterable[Row], kind: type[Row], keys: Sequence[str]) -> list[Row]:
    return latest([row for row in rows if isinstance(row, kind)], keys)


def _code(rows: Sequence[Row]) -> Iterator[Evidence]:
    tests = [row for row in _of(rows, SelftestRow, ["machine", "cipher", "backend"]) if row["available"]]
    if tests:
        yield Evidence(
            "Software",
            "Every back end computes the specification on the published and our own test vectors",
            sum(row["passed"] for row in tests),
            sum(row["vectors"] for row in tests),
            f"{len({row['cipher'] for row in tests})} ciphers on"
            f" {len({row['backend'] for row in tests})} back ends; tests, no proof",
            tests,
        )
    yield from _machine_code(rows)
    drawn = _of(rows, RandomRow, ["seed"])
    if drawn:
        seeds = [row["seed"] for row in drawn]
        yield Evidence(
            "Software",
            "The code generated of a random cipher is proven equal to its description, and runs its vectors",
            len(seeds),
            max(seeds) - min(seeds) + 1,
            f"{sum(row['functions'] for row in drawn):,} functions proven; where one is not, there is no row",
            drawn,
        )


def _machine_code(rows: Sequence[Row]) -> Iterator[Evidence]:
    """The library's machine code; of each operation the newest library, and of that the most calls."""
    code = [row for row in rows if isinstance(row, CodeRow)]
    newest = {row.library: row.time for row in sorted(code, key=lambda row: str(row.time))}
    best: dict[tuple[str, ...], CodeRow] = {}
    for row in sorted(code, key=lambda row: (newest[row.library], row.tried, str(row.time))):
        best[row.cipher, row.backend, row.processor, row.operation] = row
    if best:
        last = max(best.values(), key=lambda row: newest[row.library]).library
        yield _followed(list(best.values()), last)
    by_backend: dict[str, list[CodeRow]] = {}
    for row in best.values():
        by_backend.setdefault(row.backend, []).append(row)
    for backend, proven in sorted(by_backend.items()):
        names = sorted({row.cipher for row in proven if row.verdict == "proven"})
        reasons = sorted({f"{row.cipher} {row.operation}: {row.verdict}" for row in proven if row.reason})
        yield Evidence(
            "Machine code",
            f"Calls of the back end {backend} are proven equal to the description for all keys, nonces and data",
            sum(row.proven for row in proven),
            sum(row.tried for row in proven),
            f"{', '.join(names)}; {_lengths(proven)}; no branch and no address depends on a secret"
            + "".join(f"; {reason}" for reason in reasons),
            proven,
        )
    if closed := [
        row
        for row in best.values()
        if row.operation != "permute" and row.verdict == "proven" and row.left is not None
    ]:
        clean = [row for row in closed if not row.left]
        left = "; ".join(
            sorted(f"{r.cipher}, {r.backend}, {r.operation}: {r.left} bytes" for r in closed if r.left)
        )
        yield Evidence(
            "Machine code",
            "After a message and after the cipher was freed, no byte in dead memory depends on a secret",
            len(clean),
            len(closed),
            left or "stack, heap and static memory, for all keys and data",
            closed,
        )
    if looked := [row for row in closed if row.in_registers is not None]:
        still = sorted({f"{r.cipher}, {r.backend}: {r.in_registers} bytes" for r in looked if r.in_registers})
        yield Evidence(
            "Machine code",
            "After a message and after the cipher was freed, no byte in a register depends on a secret",
            sum(not row.in_registers for row in looked),
            len(looked),
            "; ".join(still) or "vector and general registers, for all keys and data",
            looked,
        )


def _lengths(rows: Sequence[CodeRow]) -> str:
    """The lengths that were run, by how many rows have them."""
    counted = Counter[str](row.lengths for row in rows)
    return "lengths: " + ", ".join(
        f"{name} in {count} of {len(rows)}" for name, count in counted.most_common()
    )


def _followed(rows: Sequence[CodeRow], library: str) -> Evidence:
    """How many of all pairs of an AEAD and a back end for x86-64 are proven of this library."""
    proven = {
        (row.cipher, row.backend, row.operation)
        for row in rows
        if row.verdict == "proven" and row.library == library
    }
    pairs = [
        (cipher.name, backend) for cipher in spec.ciphers() for backend in cipher.backends if backend != _ARM
    ]
    missing = [pair for pair in pairs if not {(*pair, "seal"), (*pair, "open")} <= proven]
    earlier = sorted({f"{row.cipher} on {row.backend}" for row in rows if row.library != library})
    return Evidence(
        "Machine code",
        "Sealing and opening are proven of the newest library, of every AEAD on every back end for x86-64",
        len(pairs) - len(missing),
        len(pairs),
        f"library {library[:12]}"
        + "".join(f"; not {name} on {backend}" for name, backend in missing)
        + (f"; in the lines below, of an earlier one: {', '.join(earlier)}" if earlier else "")
        + f"; nothing of {_ARM} is proven",
        rows,
        "make prove",
    )


def _bounds(bounds: Sequence[BoundRow]) -> Iterator[Evidence]:
    counted = Counter[str](row.certainty for row in bounds)
    for certainty, shows in _SHOWS.items():
        if counted[certainty]:
            yield Evidence(
                "Bounds",
                f"Results of solvers that are {CERTAINTY[certainty]}",
                counted[certainty],
                len(bounds),
                shows,
                [row for row in bounds if row.certainty == certainty],
            )


def headline() -> list[tuple[str, int, str]]:
    """Bounds that `make certificates` proves: description, rounds, how S-boxes are counted."""
    table = spec.paper("aesni-permutations").table("1")
    printed = ((row.name.strip("()"), table.value(row.name, "rounds")) for row in table.rows)
    return [
        ("aes", 4, "distinct"),
        *((f"feistel256:{name}", rounds, "executed") for name, rounds in printed if isinstance(rounds, int)),
    ]


def _certificates(rows: Sequence[Row]) -> Iterator[Evidence]:
    """The bounds that are quoted most, each with a certificate that was checked."""
    wanted = headline()
    proven: dict[tuple[str, int | None, str | None], BoundRow] = {}
    for row in rows:
        if isinstance(row, BoundRow) and row.certainty == "proven" and row.measure == "active-sboxes":
            key = row.cipher, row.rounds, row.count
            if key in wanted and row.view == "differential" and row.side != "upper":
                proven[key] = row
    collisions = [
        row
        for row in rows
        if isinstance(row, ReproductionRow)
        if (row.paper, row.row) == ("aether", "internal collision, bit by bit")
        if row.certainty == "proven" and row.value == row.paper_value
    ][-1:]
    if not proven:
        return
    said = [
        f"{one.cipher}, {one.rounds} rounds: {'exactly' if one.side == 'exact' else 'at least'} {one.value:g}"
        for one in map(proven.get, wanted)
        if one is not None
    ]
    said += [f"a collision of AETHER: 2^{row.value:g}" for row in collisions]
    missing = [
        f"{cipher}, {rounds} rounds"
        for cipher, rounds, count in wanted
        if (cipher, rounds, count) not in proven
    ]
    yield Evidence(
        "Bounds",
        "The bounds that are quoted most have a certificate: AES, table 1 of [AESNI-PERM], collisions of AETHER",
        len(proven) + len(collisions),
        len(wanted) + 1,
        f"{'; '.join(said)}. LRAT proofs, each step followed by a checker that shares no code with the solver"
        + (f"; not finished in time: {', '.join(missing)}" if missing else ""),
        [*proven.values(), *collisions],
        "make certificates",
    )


def _hardware(rows: Sequence[Row]) -> Iterator[Evidence]:
    every = latest([row for row in rows if isinstance(row, SimulationRow)], _BENCH, ["driver"])
    whole = [row for row in every if " --test " not in row["command"]]
    runs = [row for row in every if "driver" not in row]
    aeads = {str(row["core"]) for row in runs if any("msg_bytes" in report for report in row["reports"])}
    # A form whose bare core is gone is of an earlier tree.
    aeads = {name for name in aeads if name.removesuffix("-rav") in aeads}
    for driver, (claim, shows) in _DRIVERS.items():
        if proven := [row for row in whole if row.get("driver") == driver]:
            tests = [test for row in proven for test in row["tests"]]
            labelled = {
                str(row["core"]) for row in proven for test in row["tests"] if _LABELS in test["message"]
            }
            yield Evidence(
                "Hardware",
                claim,
                # Of the control what is only known up to some cycle is short of the claim.
                sum(test["passed"] and not (driver == "control" and test.get("message")) for test in tests),
                len(tests),
                f"{_of_all(proven, aeads)}; {shows}"
                + (f"; by {_LABELS} of 256 bits in {len(labelled)} cores" if labelled else ""),
                proven,
                "make prove-cores",
            )
    yield from _driven([row for row in whole if row.get("driver") == "cpp"], aeads)
    if runs:
        tests = [test for row in runs for test in row["tests"]]
        yield Evidence(
            "Hardware",
            "Every core computes the reference in simulation, with stalls and with resets in the middle",
            sum(bool(test["passed"]) for test in tests),
            len(tests),
            f"{len({row['core'] for row in runs})} cores, source and netlists; tests, no proof",
            runs,
        )


def _driven(rows: Sequence[SimulationRow], aeads: set[str]) -> Iterator[Evidence]:
    """A second driver, and what of the source it reached."""
    if not rows:
        return
    yield Evidence(
        "Hardware",
        "A driver in C++ that shares nothing with the first finds the same, with stalls, resets in the middle"
        " and wrong tags",
        sum(bool(test["passed"]) for row in rows for test in row["tests"]),
        sum(len(row["tests"]) for row in rows),
        f"{_of_all(rows, aeads)}; published vectors, and random messages whose results come"
        " from the software; tests, no proof",
        rows,
        "make prove-cores",
    )
    for what, noun in (("lines", "blocks of statements"), ("toggles", "rises and falls of bits")):
        shares = {
            str(row["core"]): r[f"{what}_hit"] / r[what]
            for row in rows
            for r in row["reports"]
            if r.get("kind") == "coverage"
        }
        if shares:
            low = min(shares, key=lambda core: shares[core])
            yield Evidence(
                "Hardware",
                f"Of the source of a core that driver reaches {_REACHED:.0%} of the {noun}",
                sum(share >= _REACHED for share in shares.values()),
                len(shares),
                f"fewest in {low}, {shares[low]:.1%}; the row of each core names what is not reached",
                rows,
                "make prove-cores",
            )


def _of_all(rows: Sequence[Row], aeads: set[str]) -> str:
    """How many AEAD cores of all that are known, and which are missing."""
    names = {str(row["core"]) for row in rows}
    missing = sorted(aeads - names)
    return f"{len(names)} of {len(names | aeads)} AEAD cores" + (
        f", not {', '.join(missing)}" if missing else ""
    )


def _trials(rows: Sequence[Row]) -> Iterator[Evidence]:
    titles = {
        "files": "Sealed files",
        "memory": "Memory",
        "inputs": "Inputs",
        "certificates": "Certificates",
        "bounds": "Bounds",
        "constant time": "Constant time",
        "supply": "Supply",
        "builds": "Supply",
    }
    for row in _most(_of(rows, TrialRow, ["name", "machine", "command"])):
        yield Evidence(
            titles[row["part"]],
            f"{row['about'][0].upper()}{row['about'][1:]}",
            row["passed"],
            row["tried"],
            "; ".join(row["failed"])
            or row["name"] + (f", random choices from seed {row['seed']}" if "seed" in row else ""),
            [row],
        )


def _most(rows: Sequence[Row]) -> list[Row]:
    """Of the same trial the run with the most attempts."""
    best: dict[str, Row] = {}
    for row in rows:
        if row["name"] not in best or row["tried"] >= best[row["name"]]["tried"]:
            best[row["name"]] = row
    return list(best.values())


def _fuzz(rows: Sequence[Row]) -> Iterator[Evidence]:
    """Every run of every target: what was found, in how many inputs and how long."""
    for sanitizer, how in (
        ("address", "with AddressSanitizer"),
        ("none", "with assertions and overflow checks"),
    ):
        runs = [row for row in rows if isinstance(row, FuzzRow) and row.sanitizer == sanitizer]
        if not runs:
            continue
        by_target = Counter[str]()
        for row in runs:
            by_target[row.target] += row.executions
        hours = sum(row.seconds for row in runs) / 3600
        findings = [f"{row.target}: {name}" for row in runs for name in row.findings]
        yield Evidence(
            "Fuzzing",
            f"Inputs chosen by coverage crash nothing, hang nothing, and no two back ends differ, {how}",
            sum(row.executions for row in runs) - len(findings),
            sum(row.executions for row in runs),
            f"{hours:.2f} hours on one core, every target from its committed corpus: "
            + ", ".join(f"{target} {count:,}" for target, count in by_target.items())
            + "".join(f"; {one}" for one in findings),
            runs,
            "make fuzz" + " FUZZ_TOOLCHAIN=nightly" * (sanitizer == "address"),
        )


def _not_run(rows: Sequence[Row]) -> Iterator[Evidence]:
    """Every check that has a command and no row."""
    run = {row.name for row in rows if isinstance(row, TrialRow)}
    for name, (group, claim, command) in _WANTED.items():
        if name not in run:
            yield Evidence(group, claim, 0, 0, "not run: no row is stored", [], command)
    if not any(isinstance(row, FuzzRow) and row.sanitizer == "address" for row in rows):
        command = "make fuzz FUZZ_TOOLCHAIN=nightly"
        yield Evidence(
            "Fuzzing",
            "Nothing is found with AddressSanitizer",
            0,
            0,
            "not run: no row is stored",
            [],
            command,
        )
