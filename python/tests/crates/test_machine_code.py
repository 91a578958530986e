"""The installed library proven equal to the descriptions, and planted errors noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("iced_x86")

from calls import cases
from roundworks.binary import proof
from roundworks.binary.library import BASE, Library
from roundworks.binary.machine import Machine, Step
from roundworks.reference import get_analysed
from roundworks.spec import cipher

Call = Callable[[Library, proof.Target, int, int], proof.Shown]
AESNI = proof.Target("aegis-128l", "aesni", "aes")
VAES512 = proof.Target("aegis-128l", "vaes512", "avx512")


@pytest.fixture(scope="module")
def library(installed: Path) -> Library:
    """A copy that a test may change."""
    return Library(installed / "lib" / "libroundworks.so")


# Another cipher of the same back end is long: its code is made of the same source.
TARGETS = [
    AESNI,
    VAES512,
    proof.Target("areion-256-opp", "vaes256", "vaes"),
    proof.Target("minalpher", "avx2", "avx2"),
    proof.Target("rocca-s", "vaes512", "avx512"),
    proof.Target("aegis-256x2", "vaes256", "vaes"),
    proof.Target("aether", "avx2", "avx2"),
]


CALLS = [(call, target) for target in TARGETS for call in (proof.prove_seal, proof.prove_open)]


@pytest.mark.parametrize(
    ("call", "target"),
    cases(CALLS, short=[(proof.prove_open, AESNI), (proof.prove_seal, VAES512)]),
    ids=lambda value: f"{value.name}-{value.backend}" if isinstance(value, proof.Target) else value.__name__,
)
def test_a_message_is_proven(library: Library, target: proof.Target, call: Call) -> None:
    assert call(library, target, 17, 37).instructions > 1000


def test_a_permutation_is_proven(library: Library) -> None:
    target = proof.Target("haraka-256", "aesni", "aes")
    assert proof.prove_permutation(library, target, get_analysed("haraka-256"), 2).instructions > 100


@pytest.fixture(scope="module")
def executed(library: Library) -> dict[str, int]:
    """The last instruction of each name, with operands that differ, that is decoded when an empty message is sealed."""
    seen: dict[str, int] = {}
    run = Machine._decode

    def decode(machine: Machine, address: int) -> Step:
        step = run(machine, address)
        if len(set(step.operands)) == len(step.operands):  # not what clears a register
            seen[step.name] = address - BASE
        return step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machine, "_decode", decode)
        proof.prove_seal(library, AESNI, 0, 0)
    return seen


def test_a_planted_wrong_constant_is_noticed(installed: Path) -> None:
    library = Library(installed / "lib" / "libroundworks.so")
    constant = cipher("aegis-128").constants["C1"].to_bytes(16, "big")
    places = [m.start() for m in re.finditer(re.escape(constant), bytes(library.image))]
    assert places
    for at in places:
        library.image[at + 5] ^= 1
    with pytest.raises(
        proof.NotProven, match="aegis-128l, aesni: tag, byte 0, bit 0: not what the description has"
    ):
        proof.prove_seal(library, AESNI, 0, 0)


@pytest.mark.parametrize(
    ("name", "opcode", "change"),
    [
        ("aesenc", b"\x0f\x38\xdc", 1),  # aesenclast
        ("pxor", b"\x0f\xef", 0x100),  # another register as its second operand
    ],
)
def test_a_planted_wrong_instruction_is_noticed(
    installed: Path, executed: dict[str, int], name: str, opcode: bytes, change: int
) -> None:
    library = Library(installed / "lib" / "libroundworks.so")
    at = library.image.index(opcode, executed[name])
    assert at < executed[name] + 3
    library.image[at + len(opcode) - (change < 0x100)] ^= change & 0xFF or 1
    with pytest.raises(proof.NotProven):
        proof.prove_seal(library, AESNI, 0, 0)
