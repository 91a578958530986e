"""Evidence of the software: tests on every back end, and proofs of the machine code."""

from collections import Counter
from collections.abc import Iterator, Sequence

from roundworks import spec
from roundworks.report.evidence import Evidence, newest
from roundworks.report.frame import origin
from roundworks.rows import CodeRow, RandomRow, Row, SelftestRow

_ARM = "aarch64"


def software(rows: Sequence[Row]) -> Iterator[Evidence]:
    """Lines of tests on vectors, of proofs of machine code and of code generated from random ciphers."""
    if tests := [
        row for row in newest(rows, SelftestRow, ["machine", "cipher", "backend"]) if row["available"]
    ]:
        yield _vectors(tests)
    yield from _machine_code(rows)
    drawn = newest(rows, RandomRow, ["seed"])
    if drawn:
        seeds = [row["seed"] for row in drawn]
        yield Evidence(
            "Software",
            "The code generated from a random cipher is proven equal to its description, and runs its vectors",
            len(seeds),
            max(seeds) - min(seeds) + 1,
            f"{sum(row['functions'] for row in drawn):,} functions proven; where one is not, there is no row",
            drawn,
        )


def _vectors(tests: Sequence[Row]) -> Evidence:
    """On how many of all pairs of an AEAD and a back end its vectors were run, and passed on every machine."""
    good: dict[tuple[str, str], bool] = {}
    for row in tests:
        pair = row["cipher"], row["backend"]
        good[pair] = good.get(pair, True) and 0 < row["vectors"] == row["passed"]
    pairs = [*((cipher.name, "python") for cipher in spec.ciphers()), *_on_x86()]
    missing: dict[str, list[str]] = {}
    for cipher, backend in pairs:
        if not good.get((cipher, backend)):
            what = "failed" if (cipher, backend) in good else "not run"
            missing.setdefault(f"{what} on {backend}", []).append(cipher)
    return Evidence(
        "Software",
        "The published and our own test vectors pass for every AEAD, in Python and on every back end for x86-64",
        sum(good.get(pair, False) for pair in pairs),
        len(pairs),
        f"{sum(row['passed'] for row in tests):,} vectors, {origin(tests)}"
        + "".join(f"; {what}: {', '.join(ciphers)}" for what, ciphers in missing.items())
        + f"; nothing of {_ARM} is run here; tests, no proof",
        tests,
    )


def _on_x86() -> list[tuple[str, str]]:
    """Every AEAD with each of its back ends for x86-64."""
    return [(cipher.name, name) for cipher in spec.ciphers() for name in cipher.backends if name != _ARM]


def _machine_code(rows: Sequence[Row]) -> Iterator[Evidence]:
    """The library's machine code; of each operation the newest library, and of that the most calls."""
    every = [row for row in rows if isinstance(row, CodeRow)]
    yield from _generated([row for row in every if row.compiler])
    code = [row for row in every if not row.compiler]
    newest = {row.library: row.time for row in sorted(code, key=lambda row: str(row.time))}
    best: dict[tuple[str, ...], CodeRow] = {}
    for row in sorted(code, key=lambda row: (newest[row.library], row.tried, str(row.time))):
        best[row.cipher, row.backend, row.processor, row.operation] = row
    if best:
        last = max(best.values(), key=lambda row: newest[row.library]).library
        yield _followed(list(best.values()), last)
        yield from _claims(list(best.values()), last)
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
            "; ".join(still) or "vector, mask and general registers, for all keys and data",
            looked,
        )


def _generated(rows: Sequence[CodeRow]) -> Iterator[Evidence]:
    """Generated C and crates as a compiler made machine code of them: of each cipher, back end and operation the newest
    row."""
    for what in ("C files", "crates"):
        newest = {
            (r.cipher, r.backend, r.operation): r
            for r in sorted(rows, key=lambda row: str(row.time))
            if str(r.compiler).startswith("rustc") == (what == "crates")
        }
        if not newest:
            continue
        shown = list(newest.values())
        names = sorted({row.cipher for row in shown if row.verdict == "proven"})
        reasons = sorted({f"{r.cipher}, {r.backend}, {r.operation}: {r.verdict}" for r in shown if r.reason})
        looked = [row for row in shown if row.left is not None and row.in_registers is not None]
        clean = sum(not row.left and not row.in_registers for row in looked)
        yield Evidence(
            "Machine code",
            f"Generated {what}, as compiled, are proven equal to the description: whole messages, blocks of "
            "permutations, and any wrong tag refused",
            sum(row.proven for row in shown),
            sum(row.tried for row in shown),
            f"{', '.join(names)}; {_lengths(shown)}; {', '.join(sorted({str(r.compiler) for r in shown}))}; no byte "
            f"of a secret left in memory or registers in {clean} of {len(looked)}"
            + "".join(f"; {reason}" for reason in reasons),
            shown,
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
    pairs = _on_x86()
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


_CLAIMS = (
    (
        (
            "refuse",
            "refuse-incremental",
            "refuse-one-call",
            "refuse-many",
            "mac-refuse",
            "mac-refuse-one-call",
        ),
        "Any other tag than the right one is proven refused, with zeros where the message would be",
        "{}; for all keys, data and wrong tags; the one branch that depends on a secret is whether any bit of the tag "
        "differs",
    ),
    (
        ("seal-many", "open-many"),
        "Several messages in one call are proven sealed and opened as each by itself",
        "messages that are computed together, of {}",
    ),
    (
        ("seal-incremental", "open-incremental"),
        "Messages in increments are proven sealed and opened as in one call",
        "increments that end in, at and behind the ends of blocks, and empty ones; of {}",
    ),
    (
        ("seal-one-call", "open-one-call"),
        "Functions of C that take the key with the message are proven to seal and open as those by a handle",
        "an output elsewhere and in place, of {}",
    ),
    (
        ("mac", "mac-verify", "mac-one-call", "mac-verify-one-call"),
        "MACs of data in increments and in one call are proven equal to the description, and right tags accepted",
        "{}; for all keys, nonces and data",
    ),
)
"""Operations, what is claimed of them, and what shows it, with a place for the names of what is proven."""


def _claims(rows: Sequence[CodeRow], library: str) -> Iterator[Evidence]:
    """The claims of whose operations there are calls, of this library."""
    for operations, claim, shows in _CLAIMS:
        shown = [row for row in rows if row.operation in operations and row.library == library]
        if shown:
            names = sorted({row.cipher for row in shown if row.verdict == "proven"})
            passed, tried = sum(row.proven for row in shown), sum(row.tried for row in shown)
            said = shows.format(", ".join(names) or "no cipher")
            yield Evidence("Machine code", claim, passed, tried, said, shown)
