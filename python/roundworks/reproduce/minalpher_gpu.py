"""[MINALPHER-GPU]: its block counts and its parts, on the CPU of this machine.

The paper's GPU encrypts and a CPU core makes its tweaks and its GHASH, bit-wise. Ours is one core
with the same messages, and AES-128-GCM from AWS-LC, whose GHASH is by carry-less multiplication.
Rows of a GPU come from ``bench/gpu/run.sh``, and the report compares them with these.
"""

from __future__ import annotations

import secrets
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
_PARTS = ("encryption", "authentication", "memory copy", "memory set", "variables")

Fields = dict[str, Any]


def _timed(run: Run, number: str, subjects: list[MessageSubject]) -> dict[MessageSubject, Fields]:
    """Measured interleaved, and left as rows."""
    timed = measure(subjects, samples=_SAMPLES[run.full])
    once, command = secrets.token_hex(6), f"roundworks reproduce {PAPER} --table {number}"
    for fields in timed:
        run.leave("gpu", command, {"run": once, **fields})
    return dict(zip(subjects, timed, strict=True))


def _printed(number: str, row: str, column: str) -> float:
    value = spec.paper(PAPER).table(number).cell(row, column).value
    assert isinstance(value, int | float), "the file's tables are numbers here"
    return float(value)


def _where(fields: Fields, paper_ms: float, ours_ms: float) -> str:
    return (
        f"another machine: one core of {machine.slug()}, {fields['subject']} on back end"
        f" {fields['backend']}, in place; {_spread(fields)}; {paper_ms / ours_ms:.3g} times as fast"
        " as printed"
    )


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
        ours.append(_measured(blocks, f"{name} time", ms, why, spent))
        ours.append(_measured(blocks, f"{name} throughput", mbps, "by the time of the same row"))
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
            why = f"another machine: one core of {machine.slug()}; {how}"
            gbps = None if ms is None else 8 * _BLOCKS * block / ms / 1e6
            ours.append(_measured(row, f"{name} time", ms, why, part["whole"]["seconds"]))
            ours.append(_measured(row, f"{name} throughput", gbps, "by the time of the same row"))
    return ours


def _measured(row: str, column: str, value: float | None, why: str, seconds: float = 0.0) -> Ours:
    shown = None if value is None else float(f"{value:.4g}")
    return Ours(row, column, shown, "measured", why, seconds, "not-comparable")


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
    claim = (
        f"another machine: one core of {machine.slug()}. With GHASH by carry-less multiplication"
        f" Minalpher has {by_blocks:.3g} of AES-128-GCM's throughput at {_BEST:,} blocks of each, "
        f"{by_bytes:.3g} at equal bytes. {_break_even()}"
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
            "not-comparable",
        ),
        _share("share of authentication in AES-GCM", "AES-GCM", "authentication"),
        _share("share of variables in Minalpher", "Minalpher", "variables"),
        Ours(
            "rounds of P",
            "value",
            rounds + 1,
            "proven",
            f"{rounds} whole rounds, and a last one without MixColumns and constant",
        ),
    ]


def parts(row: str) -> dict[str, float]:
    """Milliseconds of each part as printed. [MINALPHER-GPU, table 4]"""
    made = [part for part in _PARTS if row == "Minalpher" or part != "variables"]
    return {part: _printed("4", row, f"{part} time") for part in made}


def _share(name: str, row: str, part: str) -> Ours:
    printed = parts(row)
    share = 100 * printed[part] / sum(printed.values())
    why = f"Table 4: {printed[part]:g} of {sum(printed.values()):.3f} ms are {share:.1f} %"
    return Ours(name, "value", round(share), "proven", why)


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
