"""The installed library proven equal to the descriptions, and planted errors noticed."""

from __future__ import annotations

import ctypes
import gc
import json
import random
import re
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("iced_x86")

from calls import cases
from roundworks.aead import mac_names
from roundworks.binary import described as description
from roundworks.binary import mac, proof
from roundworks.binary.call import Call, Sealed
from roundworks.binary.forms import Symbols
from roundworks.binary.lengths import pairs
from roundworks.binary.library import BASE, CompiledLibrary
from roundworks.binary.machine import DecodedInstruction, Operand, Processor
from roundworks.errors import NotFollowed, RoundworksError
from roundworks.reference import get, get_analysed
from roundworks.spec import cipher, ciphers
from roundworks.studies.code import ALONE, INCREMENTAL, ONE_CALL, PROCESSORS, Code, operations, processors

Prove = Callable[[CompiledLibrary, proof.Target, int, int], proof.Shown]
AESNI = proof.Target("aegis-128l", "aesni", "aes")
VAES512 = proof.Target("aegis-128l", "vaes512", "avx512")


@pytest.fixture(scope="module")
def library(installed: Path) -> CompiledLibrary:
    """A copy that a test may change."""
    return CompiledLibrary(installed / "lib" / "libroundworks.so")


TARGETS = [
    AESNI,
    VAES512,
    proof.Target("areion-256-opp", "vaes256", "vaes"),
    proof.Target("minalpher", "avx2", "avx2"),
    proof.Target("rocca-s", "vaes512", "avx512"),
    proof.Target("aegis-256x2", "vaes256", "vaes"),
    proof.Target("aether", "avx512", "avx512"),
    proof.Target("aether", "avx512", "halves"),
]


CALLS = [
    (call, target) for target in TARGETS for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal)
]


@pytest.mark.parametrize(
    ("call", "target"),
    CALLS,
    ids=lambda value: (
        f"{value.name}-{value.backend}-{value.cpu}" if isinstance(value, proof.Target) else value.__name__
    ),
)
def test_a_message_is_proven(library: CompiledLibrary, target: proof.Target, call: Prove) -> None:
    assert call(library, target, 17, 37).instructions > 1000


@pytest.mark.long
@pytest.mark.parametrize("name", [one.name for one in ciphers() if one.backends])
def test_every_back_end_is_proven(library: CompiledLibrary, name: str) -> None:
    """On every processor: one length, with nothing left of secrets."""
    for backend in cipher(name).backends:
        for cpu in PROCESSORS.get(backend, ()):
            for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
                for way in WAYS:
                    shown = call(library, proof.Target(name, backend, cpu), 9, 70, way=way)
                    assert not shown.left and not shown.in_registers
            for of_mac in MACS if name in mac_names() else ():
                for block in (32, 0):  # in increments, and in one call
                    shown = of_mac(library, proof.Target(name, backend, cpu), 70, block=block)
                    assert not shown.left and not shown.in_registers


WAYS = (
    proof.APART,
    proof.Way(block=32),
    proof.Way(in_place=True),
    proof.Way(one_call=True),
    proof.Way(one_call=True, in_place=True),
)
MACS = (mac.prove_mac, mac.prove_mac_verified, mac.prove_mac_refusal)


@pytest.mark.parametrize(
    "name", cases(["aegis-128l", "aegis-256x2", "minalpher"], short=["aegis-128l", "minalpher"])
)
def test_every_way_to_give_a_message_is_proven_and_leaves_nothing(
    library: CompiledLibrary, name: str
) -> None:
    backend, cpu = ("avx2", "avx2") if name == "minalpher" else ("vaes256", "vaes")
    target = proof.Target(name, backend, cpu)
    for call in (proof.prove_seal, proof.prove_open, proof.prove_refusal):
        for way in WAYS[1:]:
            shown = call(library, target, 33, 70, way=way)
            assert shown.instructions > 1000 and not shown.left and not shown.in_registers
    for of_mac in MACS:
        for block in (32, 0):
            shown = of_mac(library, target, 70, block=block)
            assert shown.instructions > 1000 and not shown.left and not shown.in_registers


@pytest.mark.parametrize("way", [proof.Way(in_place=True), proof.Way(one_call=True)])
def test_a_wrong_instruction_of_that_way_alone_is_noticed(installed: Path, way: proof.Way) -> None:
    """What only this way executes: one after the other is flipped, and one at least must be noticed as wrong."""
    path = installed / "lib" / "libroundworks.so"

    def executed(chosen: proof.Way) -> set[int]:
        fresh = CompiledLibrary(path)
        proof.prove_seal(fresh, AESNI, 0, 40, way=chosen)
        return set(fresh.decoded)

    own = sorted(executed(way) - executed(proof.APART))
    assert own
    for address in own:
        changed = CompiledLibrary(path)
        if changed.image[address - BASE] in (0x74, 0x75):  # a conditional jump, to be the other one
            changed.image[address - BASE] ^= 1
            try:
                proof.prove_seal(changed, AESNI, 0, 40, way=way)
            except proof.NotProven:
                return
            except RoundworksError:
                continue  # it does not get to its end
    pytest.fail("no jump of it matters")


def test_the_back_end_of_one_call_is_that_of_the_processor(library: CompiledLibrary) -> None:
    with pytest.raises(RoundworksError, match="no back end aesni on a processor with avx512"):
        proof.prove_seal(library, proof.Target("aegis-128l", "aesni", "avx512"), 0, 3, way=WAYS[-1])


def test_the_verb_proves_and_follows_every_form(run: Callable[..., Any], installed: Path) -> None:
    library = installed / "lib" / "libroundworks.so"
    words = ("prove", "haraka-256", "--backend", "vaes256", "--library", str(library), "--json", "--no-store")
    done = run(*words)
    (row,) = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, row["verdict"], row["proven"]) == (0, "proven", row["tried"])


@pytest.mark.parametrize(
    "call",
    cases(
        [proof.prove_seal_many, proof.prove_open_many, proof.prove_refusal_many],
        short=[proof.prove_open_many, proof.prove_refusal_many],
    ),
)
def test_messages_of_one_call_are_proven(
    library: CompiledLibrary,
    call: Callable[[CompiledLibrary, proof.Target, list[tuple[int, int]]], proof.Shown],
) -> None:
    target = proof.Target("aegis-128", "aesni", "avx")
    shown = call(library, target, [(3, 17), (3, 37), (3, 0), (3, 16)])
    assert shown.instructions > 1000 and not shown.left and not shown.in_registers


def test_what_is_proven(library: CompiledLibrary) -> None:
    units = Code(library.path, ("rocca-s", "aether"), ("vaes256", "avx2")).plan()
    assert [unit.title for unit in units] == ["rocca-s, vaes256", "aether, avx2"]
    units = Code(library.path, ("aegis-128",)).plan()
    assert [unit.title for unit in units] == ["aegis-128, portable", "aegis-128, aesni, vaes256, vaes512"]
    many, of_mac = ("seal-many", "open-many", "refuse-many"), ("mac", "mac-verify", "mac-refuse")
    macs = of_mac, tuple(f"{one}-one-call" for one in of_mac)
    assert operations("rocca-s") == (ALONE, INCREMENTAL, ONE_CALL, many)
    assert operations("minalpher") == (ALONE, INCREMENTAL, ONE_CALL, *macs)
    assert operations("aegis-128l") == (ALONE, INCREMENTAL, ONE_CALL, many, *macs)
    # With AES-NI there is a form for AVX; AETHER has one for CPUs that compute 512 bits in two passes.
    assert processors("aegis-128", "aesni") == ("aes", "avx")
    assert processors("haraka-256", "aesni") == ("aes", "avx", "avx512")
    assert processors("aether", "avx512") == ("avx512", "halves")
    assert pairs("few", 32, 32, 28)[3:] == [(0, 897), (896, 5)]


def test_what_cannot_be_proven_is_said_before_anything_runs(installed: Path, tmp_path: Path) -> None:
    library = installed / "lib" / "libroundworks.so"
    with pytest.raises(RoundworksError, match="aegis-128: no back end avx512"):
        Code(library, ("aegis-128",), ("avx512",)).plan()
    other = tmp_path / "other"
    other.write_text("no library")
    with pytest.raises(RoundworksError, match="other: want a shared library for x86-64"):
        Code(other, ("haraka-256",)).plan()


def test_one_description_serves_all_that_is_compared_with_it(library: CompiledLibrary) -> None:
    """What a call adds to its symbols does not keep the next from being proven, or from being refused."""
    first = proof.prove_seal(library, AESNI, 3, 5)
    assert proof.prove_seal(library, AESNI, 3, 5).instructions == first.instructions
    assert proof.prove_open(library, VAES512, 3, 5).instructions > 1000
    call = Call(library, AESNI, [(3, 5)], 0)
    (message,) = call.messages
    out = call.place(message.ciphertext + message.tag)
    sealed = Sealed(0, out, out + len(message.ciphertext))
    call.compare_sealed(message, sealed)
    call.machine.write_bits(out, [bit ^ 1 for bit in call.machine.read_bits(out, 1)])
    with pytest.raises(proof.NotProven, match="ciphertext, byte 0, bit 0"):
        call.compare_sealed(message, sealed)


def test_a_permutation_is_proven(library: CompiledLibrary) -> None:
    target = proof.Target("haraka-256", "aesni", "aes")
    assert proof.prove_permutation(library, target, get_analysed("haraka-256"), 2).instructions > 100


def test_a_proof_takes_no_memory_when_it_is_over(
    library: CompiledLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a collector of cycles: it comes too late where a proof takes gigabytes."""
    made: list[weakref.ref[Symbols]] = []

    def watched() -> Symbols:
        symbols = Symbols()
        made.append(weakref.ref(symbols))
        return symbols

    monkeypatch.setattr(description, "Symbols", watched)
    monkeypatch.setattr(description, "KEPT", 0)
    gc.disable()
    try:
        proof.prove_seal(library, AESNI, 3, 6)
        assert [symbols() for symbols in made] == [None]
    finally:
        gc.enable()


@pytest.fixture(scope="module")
def executed(installed: Path) -> dict[str, int]:
    """The last instruction of each name, with operands that differ, that is decoded when an empty message is sealed."""
    seen: dict[str, int] = {}
    run = Processor._decode

    def decode(machine: Processor, address: int) -> DecodedInstruction:
        step = run(machine, address)
        if len(set(step.operands)) == len(step.operands):  # not what clears a register
            seen[step.name] = address - BASE
        return step

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Processor, "_decode", decode)
        proof.prove_seal(CompiledLibrary(installed / "lib" / "libroundworks.so"), AESNI, 0, 0)
    return seen


def test_a_planted_wrong_constant_is_noticed(installed: Path) -> None:
    library = CompiledLibrary(installed / "lib" / "libroundworks.so")
    constant = cipher("aegis-128").constants["C1"].to_bytes(16, "big")
    places = [m.start() for m in re.finditer(re.escape(constant), bytes(library.image))]
    assert places
    for at in places:
        library.image[at + 5] ^= 1
    with pytest.raises(
        proof.NotProven, match="aegis-128l, aesni: tag, byte 0, bit 0: not what the description has"
    ):
        proof.prove_seal(library, AESNI, 0, 0)
    with pytest.raises(proof.NotProven, match="tag of message 0, byte 0, bit 0: not what"):
        proof.prove_seal_many(library, AESNI, [(0, 0)] * 4)


def test_a_tag_that_is_not_compared_is_noticed(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch on what the comparison says is negated: right tags are refused then, and wrong ones are not."""
    places, refuse = [], proof.prove_refusal
    run = Processor._run

    def watched(m: Processor) -> None:
        decide = m.decide

        def noted(machine: Processor, at: int, condition: int) -> bool:
            places.append(at - BASE)
            return decide(machine, at, condition)

        m.decide = noted
        run(m)
        m.decide = decide

    path = installed / "lib" / "libroundworks.so"
    with monkeypatch.context() as patch:
        patch.setattr(Processor, "_run", watched)
        refuse(CompiledLibrary(path), AESNI, 0, 5)
    (at,) = places
    library = CompiledLibrary(path)
    near = library.image[at] == 0x0F
    opcode = library.image[at + near]  # of je or jne
    assert opcode & 0xFE == (0x84 if near else 0x74)
    library.image[at + near] = opcode ^ 1
    with pytest.raises(proof.NotProven, match="open returned 0"):
        refuse(library, AESNI, 0, 5)
    with pytest.raises(proof.NotProven, match="open returned 4294967295"):
        proof.prove_open(library, AESNI, 0, 5)


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
    library = CompiledLibrary(installed / "lib" / "libroundworks.so")
    at = library.image.index(opcode, executed[name])
    assert at < executed[name] + 3
    library.image[at + len(opcode) - (change < 0x100)] ^= change & 0xFF or 1
    with pytest.raises(proof.NotProven):
        proof.prove_seal(library, AESNI, 0, 0)


# Every CPU for x86-64 runs it; another cipher's code has other constants.
PORTABLE = [proof.Target(name, "portable", "plain") for name in ("areion-256-opp", "minalpher")]


def constants_of(library: CompiledLibrary, target: proof.Target) -> list[int]:
    """Where the vectors are that an empty message reads from the constants of a library."""
    places: dict[int, None] = {}
    find = Processor.address

    def address(machine: Processor, op: Operand) -> int:
        at = find(machine, op)
        if op.kind == "m" and op.bits >= 128 and any(a <= at < b for a, b in library.constant):
            places[at - BASE] = None
        return at

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Processor, "address", address)
        proof.prove_seal(library, target, 0, 0)
    return list(places)


def sealed_by(path: Path, target: proof.Target) -> list[bytes]:
    """What the CPU makes of an empty message under some keys."""
    library, cipher, rng = ctypes.CDLL(str(path)), get(target.name), random.Random(1)
    handle_type, text, size_type = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    library.roundworks_cipher_new.restype = handle_type
    library.roundworks_cipher_new.argtypes = [text, text, size_type, size_type, text]
    library.roundworks_seal.argtypes = [handle_type, *[text, size_type] * 4]
    library.roundworks_cipher_free.argtypes = [handle_type]
    results = []
    for _ in range(3):
        key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
        out = ctypes.create_string_buffer(64)
        handle = library.roundworks_cipher_new(
            target.name.encode(), key, len(key), cipher.tag_bytes, target.backend.encode()
        )
        size = 32 * (target.name == "minalpher") + cipher.tag_bytes
        assert library.roundworks_seal(handle, nonce, len(nonce), b"", 0, b"", 0, out, size) == 0
        library.roundworks_cipher_free(handle)
        results.append(out.raw)
    return results


@pytest.mark.parametrize(
    ("target", "count"),
    cases([(PORTABLE[0], 2), *((one, 12) for one in PORTABLE)], short=[(PORTABLE[0], 2)]),
    ids=lambda value: getattr(value, "name", value),
)
def test_a_changed_constant_is_judged_as_by_the_cpu(
    installed: Path, tmp_path: Path, target: proof.Target, count: int
) -> None:
    """One bit of a constant is changed: what is proven the CPU computes still, and what differs it does not."""
    path = installed / "lib" / "libroundworks.so"
    file, library = path.read_bytes(), CompiledLibrary(path)
    right, verdicts = sealed_by(path, target), []
    for at in constants_of(library, target)[:count]:
        assert library.image[at : at + 16] == file[at : at + 16]  # constants lie in the file as in memory
        spoilt = tmp_path / f"{at}.so"
        spoilt.write_bytes(file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :])
        is_right = sealed_by(spoilt, target) == right
        try:
            proof.prove_seal(CompiledLibrary(spoilt), target, 0, 0)
            assert is_right, f"{at:#x}: proven, and the CPU computes something else"
            verdicts.append("proven")
        except proof.NotProven:
            assert not is_right, f"{at:#x}: said to differ, and the CPU computes the same"
            verdicts.append("differs")
        except NotFollowed:
            verdicts.append("not followed")
    assert set(verdicts) - {"proven"}, verdicts
