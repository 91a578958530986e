"""Permutations: known answers, a second implementation, names, and a user's own file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import plain_aes
from roundworks import spec
from roundworks.errors import DescriptionError, UnknownName
from roundworks.reference import (
    IntWord,
    areion,
    get_permutation,
    load_description,
    load_file,
    permutations,
    pholkos,
    pi,
    record_rounds,
)
from roundworks.reference.feistel import CODES, SHUFFLE, SHUFFLES, feistel256, feistel512
from roundworks.reference.haraka import Haraka256, haraka_256, haraka_512, round_constant

HASHES = {
    ("haraka-256", "hash"): haraka_256,
    ("haraka-512", "hash"): haraka_512,
    ("areion-256", "dm"): areion.areion_256_dm,
    ("areion-512", "dm"): areion.areion_512_dm,
    ("areion-512", "md"): areion.areion_512_md,
}
FAMILIES = sorted({facts.family for facts in spec.permutations()})
VECTORS = [v for family in FAMILIES for v in spec.permutation_vectors(family)]
CONSTANTS = plain_aes.areion_constants(24)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.permutation} {v.id}")
def test_known_answers(vector: spec.PermutationVector) -> None:
    if vector.mode == "tweakable":
        actual = pholkos.keyed(vector.key, vector.tweak).permute(vector.input)
    elif vector.mode:
        actual = HASHES[vector.permutation, vector.mode](vector.input)
    else:
        actual = get_permutation(vector.permutation).permute(vector.input, vector.rounds)
    assert actual == vector.output


def test_every_member_has_known_answers() -> None:
    covered = {v.permutation for v in VECTORS}
    assert {facts.name for facts in spec.permutations()} <= covered
    assert set(permutations()) == {facts.name for facts in spec.permutations()}


def test_pi() -> None:
    assert plain_aes.pi_hex(200) == "".join(f"{w:08x}" for w in pi.words(25, 32))
    assert pi.parities(12) == [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1]  # 3.14159265358
    dwords = round_constant(0).to_bytes(16, "big")
    printed = ["75817b9d", "b2c5fef0", "e620c00a", "0684704c"]
    assert [dwords[i : i + 4][::-1].hex() for i in range(0, 16, 4)] == printed


@pytest.mark.parametrize(("name", "count"), [("areion-256", 64), ("haraka-256", 40)])
def test_listed_constants_follow_the_rule(name: str, count: int) -> None:
    rule = {"areion-256": areion.round_constant, "haraka-256": round_constant}[name]
    listed = spec.permutation(name).round_constants
    assert listed == tuple(rule(i).to_bytes(16, "big") for i in range(count))


def test_feistel_is_the_second_implementation() -> None:
    rng = random.Random(1)
    configurations: list[list[str]] = [[a, b] for a in CODES for b in CODES]
    configurations += [rng.choices(CODES, k=4) for _ in range(40)]
    for codes in configurations:
        order = (1, 0) if len(codes) == 2 else rng.choice(SHUFFLES)
        described = feistel256(*codes) if len(codes) == 2 else feistel512(*codes, shuffle=order)
        block, rounds = rng.randbytes(16 * len(codes)), rng.randint(1, 6)
        plain = plain_aes.feistel(codes, order, rounds, CONSTANTS, block)
        assert described.permute(block, rounds) == plain, described.name
        assert get_permutation(described.name).permute(block, rounds) == plain


@pytest.mark.parametrize("size", [32, 64])
def test_pholkos_with_tweak_is_the_second_implementation(size: int) -> None:
    rng = random.Random(size)
    constants = [round_constant(i).to_bytes(16, "big") for i in range(21)]
    for _ in range(5):
        key, tweak, block = rng.randbytes(size), rng.randbytes(16), rng.randbytes(size)
        plain = plain_aes.pholkos_tweaked(key, tweak, constants, block)
        assert pholkos.keyed(key, tweak).permute(block) == plain


def test_pholkos_refuses() -> None:
    with pytest.raises(ValueError, match="key: want 32 or 64 bytes, got 16"):
        pholkos.keyed(bytes(16), bytes(16))
    with pytest.raises(ValueError, match="tweak: want 16 bytes, got 15"):
        pholkos.keyed(bytes(32), bytes(15))


def test_areion_256_is_a_member() -> None:
    block = random.Random(2).randbytes(32)
    areion, member = get_permutation("areion-256"), get_permutation("feistel256:2-0,1-1")
    for rounds in (9, 10):  # the roles end as they began after an even number
        words = plain_aes.blocks(member.permute(block, rounds))
        assert areion.permute(block, rounds) == b"".join(words if rounds % 2 == 0 else words[::-1])


def test_instructions() -> None:
    assert feistel256("2-0", "1-1").instructions == 3
    assert feistel512("2-0", "2-2", "2-0", "2-2").instructions == 8
    assert feistel512("1-0", "1-0", "1-0", "1-0").shuffle == SHUFFLE
    assert len(SHUFFLES) == 23


def test_rounds_of_half() -> None:
    haraka = get_permutation("haraka-512:4.5")
    assert (haraka.rounds, haraka.name) == (5, "haraka-512:4.5")
    assert record_rounds(haraka, 5).part == "4.5 rounds"
    assert record_rounds(haraka, 4).part == "3.5 rounds"  # its last round is the half one
    assert record_rounds(get_permutation("haraka-512"), 5).part == "5 rounds"
    graph = record_rounds(haraka, haraka.rounds).graph
    assert sum(node.op == "sub" for node in graph.nodes) == 4 * 9
    assert record_rounds(get_permutation("haraka-512"), 5).graph.nodes != graph.nodes


def test_rounds_in_a_name() -> None:
    block = random.Random(5).randbytes(64)
    for name, rounds in [("simpira-2", 8), ("areion-512", 3), ("feistel256:2-0,1-1", 10)]:
        some = get_permutation(f"{name}:{rounds}")
        assert (some.rounds, some.name) == (rounds, f"{name}:{rounds}")
        part = block[: 16 * some.words]
        assert some.permute(part) == get_permutation(name).permute(part, rounds)
    assert get_permutation("feistel512:2-0,2-2,2-0,2-2/1,2,3,0:32").rounds == 32


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("areion", "not known; did you mean areion-256, areion-512?"),
        ("areion-256:3.5", "permutation: areion-256 has 1 to 64 rounds, as in areion-256:8"),
        ("simpira-2:65", "simpira-2 has 1 to 64 rounds, as in simpira-2:8"),
        ("simpira-2:0", "simpira-2 has 1 to 64 rounds"),
        ("simpira-2:", "simpira-2 has 1 to 64 rounds"),
        ("haraka-256:x", "haraka-256 has 0.5 to 10 rounds in halves, as in haraka-256:3.5"),
        ("haraka-512:5.5", "haraka-512 has 0.5 to 5 rounds in halves"),
        ("haraka-256:0", "haraka-256 has 0.5 to 10 rounds in halves"),
        ("feistel512:2-0,2-2,2-0,2-2:33", "feistel512 has 1 to 32 rounds, as in feistel512:2-0"),
        ("feistel", "want feistel256:2-0,1-1"),
        ("feistel256:2-0", "want 2 functions, got 1"),
        ("feistel256:2-0,3-0", "function '3-0': want one of 1-0, 1-1, 2-0"),
        ("feistel512:2-0,2-0,2-0,2-0/0,1,2", "shuffle: want every word 0..3 once, got '0,1,2'"),
    ],
)
def test_unknown_names(name: str, words: str) -> None:
    with pytest.raises(UnknownName) as error:
        get_permutation(name)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_wrong_sizes() -> None:
    with pytest.raises(ValueError, match="block: want 32 bytes, got 31"):
        get_permutation("simpira-2").permute(bytes(31))
    with pytest.raises(DescriptionError, match="want 2 words, got 1"):
        get_permutation("simpira-2").run([IntWord(0, 128)])
    with pytest.raises(DescriptionError, match="haraka-256: rounds: want a multiple of 0.5"):
        Haraka256(0)


OWN = """
from roundworks.reference import Permutation
from roundworks.reference.aes import aes_round, aes_last

class Pair(Permutation):
    name, words, rounds = "pair", 2, 5

    def round(self, S, i):
        return [aes_round(aes_round(S[0], 0), S[1]), {second}]
"""


def test_own_file(tmp_path: Path) -> None:
    file = tmp_path / "pair.py"
    file.write_text(OWN.format(second="aes_last(S[0])"))
    result = load_description(file)
    assert result.name == "pair"
    with pytest.raises(DescriptionError, match="want one subclass of StreamAead, got a Permutation"):
        load_file(file)
    file.write_text(OWN.format(second="aes_last(S[1]) ^ S[1] ^ S[1] if i else S[0] & 0"))
    with pytest.raises(DescriptionError, match="bits take only 2.128 values or fewer"):
        load_description(file)
    file.write_text(OWN.format(second="S[0]").replace("words, rounds", "words, round_s"))
    with pytest.raises(DescriptionError, match="Pair: rounds: want a positive integer, got None"):
        load_description(file)
