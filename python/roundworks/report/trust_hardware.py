"""Evidence of the hardware cores: proofs, two drivers, and what of the source they reached."""

from collections.abc import Iterator, Sequence

from roundworks.report.evidence import Evidence
from roundworks.rows import Row, SimulationRow, latest

# Of a proof: what it says, and what it does not.
_DRIVERS = {
    "symbolic": (
        "A core gives what its description gives, for every key, nonce and data of messages of up to three blocks",
        "exact computation over unknown bits from any state at power-up, S-boxes proven on their own; the"
        " products in GHASH, and so GCM's tags, are not compared",
    ),
    "control": (
        "Ready and valid lose nothing, invent nothing and hold what waits, for every user and all data",
        "model checking of one solver, by invariants that it checks or by all states that can be reached;"
        " messages of up to three blocks, any number of them",
    ),
}
_REACHED = 0.95
_LABELS = "random labels"
_CORE = ["core", "parameters"]
_BENCH = [*_CORE, "simulator", "netlist", "machine"]


def hardware(rows: Sequence[Row]) -> Iterator[Evidence]:
    """Lines of proofs, of both drivers and of simulations, where there are rows."""
    every = latest([row for row in rows if isinstance(row, SimulationRow)], _BENCH, ["driver"])
    whole = [row for row in every if " --test " not in row["command"]]
    runs = [row for row in every if "driver" not in row]
    aeads = {str(row["core"]) for row in runs if any("msg_bytes" in report for report in row["reports"])}
    # A form whose bare core is gone is of an earlier tree.
    aeads = {name for name in aeads if name.removesuffix("-rav") in aeads}
    for driver, (claim, shows) in _DRIVERS.items():
        # Of a proof it does not matter which machine found it.
        proven = latest([row for row in whole if row.get("driver") == driver], _CORE)
        if driver == "control":
            # A row of before a property was added is not of all.
            every_one = max((len(row["tests"]) for row in proven), default=0)
            proven = [row for row in proven if len(row["tests"]) == every_one]
        if proven:
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
    covered = {
        str(row["core"]): report
        for row in rows
        for report in row["reports"]
        if report.get("kind") == "coverage"
    }
    anywhere = {place for report in covered.values() for place in report.get("lines_reached", ())}
    shares: dict[str, dict[str, float]] = {"lines": {}, "toggles": {}}
    for core, report in covered.items():
        elsewhere = anywhere.intersection(report.get("lines_missed", ()))
        shares["lines"][core] = report["lines_hit"] / (report["lines"] - len(elsewhere))
        shares["toggles"][core] = report["toggles_hit"] / report["toggles"]
    for what, noun, but in (
        ("lines", "blocks of statements", "what only cores with other parameters reach is not counted"),
        ("toggles", "rises and falls of bits", "a bit that Yosys finds constant is not counted"),
    ):
        if share := shares[what]:
            low = min(share, key=lambda core: share[core])
            yield Evidence(
                "Hardware",
                f"Of the source of a core that driver reaches {_REACHED:.0%} of the {noun}",
                sum(one >= _REACHED for one in share.values()),
                len(share),
                f"fewest in {low}, {share[low]:.1%}; {but}; the row of each core names what is not reached",
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
