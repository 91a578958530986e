"""How far the results can be trusted: what was checked, how often it was so, and what makes it again."""

from collections import Counter
from collections.abc import Iterator, Sequence

from roundworks import spec
from roundworks.bounds import CERTAINTY, is_of_shapes
from roundworks.report.evidence import Evidence, newest
from roundworks.report.known import of, of_all_trails
from roundworks.report.trust_hardware import hardware
from roundworks.report.trust_software import software
from roundworks.rows import BoundRow, FuzzRow, ReproductionRow, Row, TrialRow

_SHOWS = {
    "proven": "a certificate that a checker of its own accepted, exact computation, or a trail without any S-box",
    "two-solvers": "two independent solvers gave the same result",
    "one-solver": "no second solver has come as far; every trail is checked on the description",
    "heuristic": "the best found; nothing says that no better exists",
}
# Seconds within which a second solver is expected to have come as far.
_QUICK = 600
# Parts whose result may be another on another machine, so that each has a line.
_OF_A_MACHINE = ("constant time",)
# Of checks by programs outside of Python: group, claim, command; each is a row once it was run.
_WANTED = {
    "valgrind": ("Constant time", "No secret reaches a branch or an address under valgrind", "make ct"),
    "times compared": ("Constant time", "Times do not tell secrets apart", "make ct"),
    "what is taken from others": ("Supply", "Licences and known vulnerabilities are checked", "make supply"),
    "the wheel built twice": ("Supply", "Two builds of the wheel are the same bytes", "make check-wheel"),
}


def evidence(rows: Sequence[Row], bounds: Sequence[BoundRow]) -> list[Evidence]:
    """Every line; ``rows`` are all, ``bounds`` what is best known of each query of a solver."""
    return [
        *software(rows),
        *_bounds(bounds),
        *_certificates(rows),
        *hardware(rows),
        *_trials(rows),
        *_fuzz(rows),
        *_not_run(rows),
    ]


def _bounds(bounds: Sequence[BoundRow]) -> Iterator[Evidence]:
    # At most the weight of a trail: no solver has to be believed, the trail is there.
    trails = [row for row in bounds if row.side == "upper"]
    solved = [row for row in bounds if row.side != "upper"]
    counted = Counter[str](row.certainty for row in solved)
    for certainty, shows in _SHOWS.items():
        if counted[certainty]:
            yield Evidence(
                "Bounds",
                f"Results of solvers that are {CERTAINTY[certainty]}",
                counted[certainty],
                len(solved),
                shows,
                [row for row in solved if row.certainty == certainty],
                is_share=True,
            )
    # What fewer rounds have took as long as it took there.
    took = {(row.cipher, row.measure, of(row), row.rounds): row.seconds for row in solved}
    quick = [
        row
        for row in solved
        if max(row.seconds, took.get((row.cipher, row.measure, of(row), row.as_over), 0.0)) < _QUICK
    ]
    sure = [row for row in quick if row.certainty in ("two-solvers", "proven")]
    if sure:
        alone = Counter(row.cipher for row in quick if row not in sure)
        yield Evidence(
            "Bounds",
            f"A result that took less than {_QUICK // 60} minutes is agreed by two solvers or proven",
            len(sure),
            len(quick),
            "; ".join(f"{count} of {cipher} not" for cipher, count in alone.most_common()) or "all are",
            sure,
            "roundworks confirm --time-limit 600",
        )
    if trails:
        shows = "checked on the description; nothing is said of lighter ones"
        claim = "Trails that stand alone, without a lower bound"
        yield Evidence("Bounds", claim, len(trails), len(bounds), shows, trails, is_share=True)


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
            if (
                key in wanted
                and row.view == "differential"
                and row.side != "upper"
                and of_all_trails(row)
                and not is_of_shapes(row)
            ):
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
    for row in _most(newest(rows, TrialRow, ["name", "machine", "command"])):
        yield Evidence(
            titles[row["part"]],
            f"{row['about'][0].upper()}{row['about'][1:]}",
            row["passed"],
            row["tried"],
            "; ".join(row["failed"])
            or row["name"]
            + (f", random choices from seed {row['seed']}" if "seed" in row else "")
            + (f", {row['machine']}" if row["part"] in _OF_A_MACHINE else ""),
            [row],
        )


def _most(rows: Sequence[Row]) -> list[Row]:
    """Of the same trial the run with the most attempts."""
    best: dict[tuple[str, ...], Row] = {}
    for row in rows:
        key = (row["name"], row["machine"]) if row["part"] in _OF_A_MACHINE else (row["name"],)
        if key not in best or row["tried"] >= best[key]["tried"]:
            best[key] = row
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
            f"{hours:.2f} hours of one core, every target from its committed corpus: "
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
