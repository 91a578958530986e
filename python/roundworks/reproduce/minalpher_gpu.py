"""[MINALPHER-GPU]: its block counts and its parts, on the CPU of this machine.

Times are compared by their ratio to a named row; throughputs only follow from the printed times. With
``Run.stored`` the newest stored run is compared again.

The paper's GPU encrypts and a CPU core makes its tweaks and its GHASH, bit-wise. Ours is one core
with the same messages, and AES-128-GCM from AWS-LC, whose GHASH is by carry-less multiplication.
Rows of a GPU come from ``bench/gpu/run.sh``, and the report compares them with these.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from statistics import median, quantiles
from typing import Any

from .. import machine, spec
from ..bench.messages import CIPHERS, STAGES, MessageSubject, measure
from .run import Ours, Run, clock

PAPER = "minalpher-gpu"
# The paper's name -> ours, and the bytes of the block that it counts in.
_CIPHERS = {"Minalpher": ("minalpher", 32), "AES-GCM": ("aes-128-gcm", 16)}
_SAMPLES = {False: 90, True: 300}
_BLOCKS, _BEST = 40_000, 27_500  # [MINALPHER-GPU, table 4]; the count of its claim
# The row of Table 3 that the times of the others are divided by, and that of Table 4.
_LARGEST, _OURS = "40000", "Minalpher"
# Every printed time has three decimals.
_LAST_DIGIT = 0.0005
_PARTS = ("encryption", "authentication", "memory copy", "memory set", "variables")

Fields = dict[str, Any]


def _timed(run: Run, number: str, subjects: list[MessageSubject]) -> dict[MessageSubject, Fields]:
    """Measured interleaved, and left as rows; or the newest stored run."""
    command = f"roundworks reproduce {PAPER} --table {number}"
    if run.stored:
        rows = {(r["subject"], r["stage"], r["data_bytes"]): r for r in run.recorded("gpu", command)}
        return {s: dict(rows[s.cipher, s.stage, s.data_bytes]) for s in subjects}
    timed = measure(subjects, samples=_SAMPLES[run.full])
    once = secrets.token_hex(6)
    for fields in timed:
        run.leave("gpu", command, {"run": once, **fields})
    return dict(zip(subjects, timed, strict=True))


def _printed(number: str, row: str, column: str) -> float:
    value = spec.paper(PAPER).table(number).cell(row, column).value
    assert isinstance(value, int | float), "the file's tables are numbers here"
    return float(value)


def _where(fields: Fields, paper_ms: float, ours_ms: float) -> str:
    return (
        f"another machine: one core of {_slug(fields)}, {fields['subject']} on back end"
        f" {fields['backend']}, in place; {_spread(fields)}; {paper_ms / ours_ms:.3g} times as fast"
        " as printed"
    )


def _slug(fields: Fields) -> str:
    """Where it was measured: a row says it, and fields without one are of now."""
    return str(fields.get("machine") or machine.slug())


def _follows(number: str, row: str, name: str, bits: int, per: float) -> float:
    """Throughput of the printed time, as near to the printed one as the last digit of the time allows."""
    time = _printed(number, row, f"{name} time")
    low, high = (bits / (time + d * _LAST_DIGIT) / per for d in (1, -1))
    return min(max(_printed(number, row, f"{name} throughput"), low), high)


def _spread(fields: Fields) -> str:
    samples = [t / 1e6 for t in fields["samples_ns"]]
    low, _, high = quantiles(samples, n=4, method="inclusive")
    return f"median of {len(samples)}, quartiles {low:.4g} and {high:.4g} ms"


def _ms(fields: Fields) -> float:
    return float(median(fields["samples_ns"])) / 1e6


def table_3(run: Run) -> list[Ours]:
    """Throughput by message size, measured on the GPU. [MINALPHER-GPU, table 3]"""
    table = spec.paper(PAPER).table("3")
    size = {
        (row.name, name): int(row.name) * block for row in table.rows for name, (_, block) in _CIPHERS.items()
    }
    whole = {key: MessageSubject(_CIPHERS[key[1]][0], "whole", n) for key, n in size.items()}
    timed = _timed(run, "3", list(dict.fromkeys(whole.values())))
    ours = []
    for (blocks, name), subject in whole.items():
        fields = timed[subject]
        ms = _ms(fields)
        why = _where(fields, _printed("3", blocks, f"{name} time"), ms)
        mbps = 8 * subject.data_bytes / ms / 1e3
        spent = fields["seconds"]
        slug, bits = _slug(fields), 8 * subject.data_bytes
        ours.append(_measured(blocks, f"{name} time", ms, why, spent, slug, _LARGEST))
        made = _measured(
            blocks, f"{name} throughput", mbps, "by the time of the same row", 0.0, slug, _LARGEST
        )
        ours.append(replace(made, follows=round(_follows("3", blocks, name, bits, 1e3), 3)))
    return ours


def table_4(run: Run) -> list[Ours]:
    """The parts of 40,000 blocks. The tag of the ciphertext costs what the tag of associated data of the same
    length costs; what a whole call takes beyond that is encryption."""
    subjects = [
        MessageSubject(cipher, stage, _BLOCKS * block)
        for cipher, block in _CIPHERS.values()
        for stage in STAGES
        if (cipher, stage) != (_CIPHERS["AES-GCM"][0], "authentication")
    ]
    timed = _timed(run, "4", subjects)
    ours = []
    for row, (cipher, block) in _CIPHERS.items():
        part = {s.stage: fields for s, fields in timed.items() if s.cipher == cipher}
        whole = _spread(part["whole"])
        times: dict[str, tuple[float | None, str]] = {
            "memory copy": (
                _ms(part["copy"]),
                "message to a second buffer and ciphertext back, within memory; ours works in place"
                f" and needs neither: {_spread(part['copy'])}",
            ),
            "memory set": (_ms(part["set"]), f"clears as much memory: {_spread(part['set'])}"),
        }
        if "authentication" in part:
            tag, spread = _ms(part["authentication"]), _spread(part["authentication"])
            times["encryption"] = (
                _ms(part["whole"]) - tag,
                f"a whole call less its authentication; whole: {whole}",
            )
            times["authentication"] = (tag, f"associated data of the same length alone: {spread}")
            times["variables"] = (
                None,
                "no part of its own: tweaks are made in registers in parallel with P, by batches, and are"
                " within encryption and authentication",
            )
        else:
            joint = f"no part of its own: AWS-LC encrypts and hashes in one pass; whole: {whole}"
            times["encryption"] = times["authentication"] = (None, joint)
        for name, (ms, how) in times.items():
            slug, bits = _slug(part["whole"]), 8 * _BLOCKS * block
            why = f"another machine: one core of {slug}; {how}"
            gbps = None if ms is None else bits / ms / 1e6
            ours.append(_measured(row, f"{name} time", ms, why, part["whole"]["seconds"], slug, _OURS))
            made = _measured(row, f"{name} throughput", gbps, "by the time of the same row", 0.0, slug, _OURS)
            ours.append(replace(made, follows=round(_follows("4", row, name, bits, 1e6), 3)))
    return ours


def _measured(
    row: str, column: str, value: float | None, why: str, seconds: float, slug: str, against: str
) -> Ours:
    shown = None if value is None else float(f"{value:.4g}")
    return Ours(row, column, shown, "measured", why, seconds, platform=slug, against=against)


def table_1(run: Run) -> list[Ours]:
    """Widths of inputs and outputs, by the facts of the cipher."""
    facts = spec.cipher("minalpher")
    width = {"key K": 8 * facts.key_bytes, "nonce N": 8 * facts.nonce_bytes, "tag": 8 * facts.tag_bytes}
    lost = "our text has one yes or no where the heads promise input and output, so what it is about is lost"
    ours = []
    for row in spec.paper(PAPER).table("1").rows:
        value = width.get(row.name, f"{8 * facts.rate_bytes}-bit blocks")
        ours.append(Ours(row.name, "width", value, "proven", "from the facts of the cipher"))
        for column in ("encryption", "decryption"):
            ours.append(Ours(row.name, column, None, None, lost, status="not-comparable"))
    return ours


def table_2(run: Run) -> list[Ours]:
    """The paper's machine: there is nothing to measure."""
    why = "a property of the paper's machine; the machines of ours are in results/<machine>/machine.json"
    rows = spec.paper(PAPER).table("2").rows
    return [Ours(row.name, "value", None, None, why, status="not-comparable") for row in rows]


# Row of the prose -> why no number of ours stands for it.
_STATED = {
    "entries of CAESAR": "a number about the competition",
    "threads in parallel": "a setting of the paper's launch; rows of our kernels name theirs",
    "first AES on a GPU, 2005": "quoted from another paper",
    "first AES on a GPU, 2005, share of a CPU": "quoted from another paper",
    "AES on CUDA over a CPU, 2007": "quoted from another paper",
    "blocks from which Minalpher is level": "read off Figure 2; the paper does not say by which measure",
    "blocks from which AES-GCM is level": "read off Figure 2; the paper does not say by which measure",
}
# CUDA cores of a streaming multiprocessor of Maxwell.
_CORES_OF_ONE = 128


def table_text(run: Run) -> list[Ours]:
    """The 8.5 measured again, the shares by the paper's own Table 4, the rounds of the description."""
    sizes = {name: _BEST * block for name, (_, block) in _CIPHERS.items()}
    subjects = [MessageSubject(_CIPHERS[name][0], "whole", size) for name, size in sizes.items()]
    subjects += [MessageSubject(cipher, "whole", max(sizes.values())) for cipher in CIPHERS]
    with clock() as spent:
        timed = _timed(run, "text", list(dict.fromkeys(subjects)))
        seconds = spent()
    speed = {s: s.data_bytes / _ms(fields) for s, fields in timed.items()}
    by_blocks, by_bytes = (speed[m] / speed[a] for m, a in (subjects[:2], subjects[2:]))
    slug = _slug(timed[subjects[0]])
    printed = _printed("3", str(_BEST), "Minalpher throughput") / _printed(
        "3", str(_BEST), "AES-GCM throughput"
    )
    cuda = spec.paper(PAPER).table("2").value("CUDA cores", "value")
    assert isinstance(cuda, int)
    claim = (
        f"Table 3 at {_BEST:,} blocks. Another machine: one core of {slug}. With GHASH by carry-less multiplication"
        f" Minalpher has {by_blocks:.3g} of AES-128-GCM's throughput at {_BEST:,} blocks of each, "
        f"{by_bytes:.3g} at equal bytes, in one run of its own: Minalpher {_spread(timed[subjects[0]])}, AES-128-GCM"
        f" {_spread(timed[subjects[1]])}. {_break_even()}"
    )
    rounds = spec.cipher("minalpher").rounds
    return [
        Ours(
            "faster than AES-GCM",
            "value",
            float(f"{by_blocks:.3g}"),
            "measured",
            claim,
            seconds,
            platform=slug,
            follows=round(printed, 2),
        ),
        Ours(
            row="streaming multiprocessors",
            column="value",
            value=None,
            certainty="proven",
            reason=f"the printed {cuda} CUDA cores, {_CORES_OF_ONE} in each",
            follows=cuda // _CORES_OF_ONE,
        ),
        *_conclusions(),
        _share("share of authentication in AES-GCM", "AES-GCM", "authentication"),
        _share("share of variables in Minalpher", "Minalpher", "variables"),
        Ours(
            "rounds of P",
            "value",
            rounds + 1,
            "proven",
            f"{rounds} whole rounds, and a last one without MixColumns and constant",
        ),
        *(Ours(row, "value", None, None, why, status="not-comparable") for row, why in _STATED.items()),
    ]


def parts(row: str) -> dict[str, float]:
    """Milliseconds of each part as printed. [MINALPHER-GPU, table 4]"""
    made = [part for part in _PARTS if row == "Minalpher" or part != "variables"]
    return {part: _printed("4", row, f"{part} time") for part in made}


def _conclusions() -> list[Ours]:
    """Where Minalpher leads, and what holds it up, by the printed Table 4; ours has neither part alone."""
    shared = [part for part in _PARTS if part in parts("AES-GCM")]
    rates = {row: {p: _printed("4", row, f"{p} throughput") for p in shared} for row in _CIPHERS}
    lead = max(shared, key=lambda p: rates["Minalpher"][p] / rates["AES-GCM"][p])
    made = parts("Minalpher")
    slowest = max(made, key=lambda p: made[p])
    why = "by the printed Table 4"
    return [
        Ours("part with the largest lead of Minalpher", "value", None, "proven", why, follows=lead),
        Ours("slowest part of Minalpher", "value", None, "proven", why, follows=slowest),
    ]


def _share(name: str, row: str, part: str) -> Ours:
    printed = parts(row)
    share = 100 * printed[part] / sum(printed.values())
    why = f"Table 4: {printed[part]:g} of {sum(printed.values()):.3f} ms are {share:.1f} %"
    return Ours(name, "value", None, "proven", why, follows=round(share))


def _break_even() -> str:
    """How fast the paper's own GHASH had to be for its AES-GCM to be as fast as its Minalpher."""
    aes, minalpher = parts("AES-GCM"), parts("Minalpher")
    # Both of 40,000 blocks, so Minalpher's message is twice as long.
    allowed = sum(minalpher.values()) / 2 - (sum(aes.values()) - aes["authentication"])
    times = aes["authentication"] / allowed
    return (
        f"By the paper's Table 4 its AES-GCM draws level with its Minalpher once GHASH takes"
        f" {allowed:.1f} ms in place of {aes['authentication']:g}: {times:.0f} times less"
    )
