"""A core driven from C++: the messages, what is wanted of them, and the coverage of the source."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace

from .. import aead, spec
from ..errors import HardwareError, ResearchOnlyWarning
from ..hardware.cores import Core, described, label, wants_bench
from ..hardware.cycles.aead import of
from ..hardware.flow import cpp
from ..hardware.flow.cpp import BenchMessage
from ..hardware.flow.tools import version, versions
from ..reference import get
from ..rows import SimulationRow
from .hardware import CoreChoice
from .result import Result, Table

# Messages of random lengths, and those that fill a buffer.
_RANDOM = 24
_FULL = 8
_Seal = Callable[[bytes, bytes, bytes, bytes], tuple[bytes, bytes]]


def drive(choice: CoreChoice, *, seed: int = 1) -> Result[SimulationRow]:
    """Run the C++ bench: vectors, and random messages whose results come from the core in Rust, or where it
    lacks the cipher from the description; with stalls, resets and wrong tags.

    Raises
    ------
    HardwareError
        ``aes-sbox: want an AEAD core; its bench is 'aes_cells'``
    """
    core, started = choice.core, time.perf_counter()
    if core.bench != "aead":
        raise HardwareError(wants_bench(core, f"want an AEAD core; its bench is {core.bench!r}"))
    known = messages(core, choice.parameters, seed)
    done = cpp.run(core, choice.parameters, known, seed=seed)
    test = {"name": "messages", "passed": not done.failure, "message": done.failure}
    reports, notes = [], [f"{done.served:,} messages, {done.cycles:,} cycles, {done.resets:,} resets"]
    if found := done.coverage:
        reports = [{"kind": "coverage", **asdict(found), "served": done.served, "resets": done.resets}]
        notes.append(
            f"lines {found.lines_hit:,} of {found.lines:,}, toggles {found.toggles_hit:,} of {found.toggles:,}"
        )
    row = SimulationRow.make(
        command=f"roundworks sim {choice.words} --driver cpp --seed {seed}",
        core=core.name,
        parameters=choice.parameters,
        source_sha256=core.source_sha256(choice.parameters),
        driver="cpp",
        simulator="verilator",
        version=version("verilator"),
        netlist=None,
        seed=seed,
        tests=[test],
        reports=reports,
        seconds=time.perf_counter() - started,
        tools=versions("verilator"),
    )
    lines = tuple((place,) for place in (found.missed if found else ()))
    title = f"{core.name}  {label(choice.parameters)}  cpp"
    tables = (
        Table(
            title,
            ("test", "result", ""),
            (("messages", "failed" if done.failure else "passed", done.failure),),
        ),
        *((Table("not reached (points)", ("place",), lines[:20]),) if lines else ()),
    )
    return Result((row,), tables, tuple(notes))


def messages(core: Core, parameters: dict[str, str], seed: int) -> list[BenchMessage]:
    """Published vectors, valid and not, and random messages, each also with a wrong bit."""
    formula = of(core)
    rate = formula.rate_bytes
    depth = int(parameters["Depth"]) if formula.rav else None
    description = described(core) if core.description else get(formula.cipher)
    sizes = (description.key_bytes, description.nonce_bytes, description.tag_bytes)  # type: ignore[union-attr]

    def sealed(
        name: str, pt: bytes, *, key: bytes, nonce: bytes, ad: bytes, ct: bytes, tag: bytes
    ) -> BenchMessage:
        return BenchMessage(name, False, key, nonce, ad, data=pt, tag=b"", want=ct, want_tag=tag)

    def opened(name: str, pt: bytes, is_right: bool, **parts: bytes) -> BenchMessage:
        ct, tag = parts["ct"], parts["tag"]
        long = depth is not None and len(ct) > depth * rate
        message = replace(sealed(name, pt, **parts), decrypt=True, data=ct, tag=tag, want=pt)
        return replace(message, right=is_right, refused=long)

    made: list[BenchMessage] = []
    if any(facts.name == formula.cipher for facts in spec.ciphers()):
        for v in spec.aead_vectors(formula.cipher):
            if (len(v.key), len(v.nonce), len(v.tag)) == sizes:
                parts = {"key": v.key, "nonce": v.nonce, "ad": v.ad, "ct": v.ct, "tag": v.tag}
                made.append(opened(f"open {v.id}", v.pt, v.valid, **parts))
                if v.valid:
                    made.append(sealed(f"seal {v.id}", v.pt, **parts))
    # A slow core takes a part of the vectors.
    quick = formula.update < 20
    made = made[:: 1 if quick else 24]
    seal = _sealing(core, formula.cipher)
    rng = random.Random(seed)
    lengths = [(rng.randrange(3 * rate), rng.randrange(5 * rate)) for _ in range(_RANDOM if quick else 4)]
    # Whole blocks, which chance rarely has; and a full buffer, often enough for its bits to rise and fall, and too
    # much for it.
    lengths += [(rate, rate), (2 * rate, 0), (0, 2 * rate)]
    if depth is not None:
        lengths += [(0, depth * rate)] * (_FULL if quick else 1) + [(1, depth * rate + 1)]
    for number, (ad_bytes, data_bytes) in enumerate(lengths):
        ad, data = rng.randbytes(ad_bytes), rng.randbytes(data_bytes)
        key, nonce = rng.randbytes(sizes[0]), rng.randbytes(sizes[1])
        ct, tag = seal(key, nonce, data, ad)
        parts = {"key": key, "nonce": nonce, "ad": ad, "ct": ct, "tag": tag}
        made.append(sealed(f"seal random {number}", data, **parts))
        made.append(opened(f"open random {number}", data, True, **parts))
        made += [
            opened(f"forged {number} {where}", data, False, **(parts | {where: wrong}))
            for where, wrong in _wrong(rng, parts)
        ]
    rng.shuffle(made)
    return made


def _wrong(rng: random.Random, parts: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """One bit wrong in each part that there is and that a forger sends."""
    for name in ("ad", "ct", "tag"):
        if parts[name]:
            changed = bytearray(parts[name])
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            yield name, bytes(changed)


def _sealing(core: Core, cipher: str) -> _Seal:
    if core.description or cipher not in aead.names():
        return (described(core) if core.description else get(cipher)).seal  # type: ignore[union-attr]
    kind = aead.get(cipher)

    def seal(key: bytes, nonce: bytes, data: bytes, ad: bytes) -> tuple[bytes, bytes]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResearchOnlyWarning)
            sealed = kind(key).encrypt(nonce, data, ad)
        return sealed[: len(data)], sealed[len(data) :]

    return seal
