"""The catalogue: known answers of every entry, on integers, on a batch and on the recorded graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roundworks import spec
from roundworks.errors import DescriptionError, UnknownName
from roundworks.reference import (
    BlockCipher,
    IntWord,
    Permutation,
    StreamAead,
    catalogued,
    get_analysed,
    get_hash,
    hashes,
    load_description,
)
from roundworks.reference.batch import ArrayWord, encrypt_many
from roundworks.reference.block import words_of
from roundworks.reference.record import record_keyed, record_rounds, record_schedule
from roundworks.reference.recordings import run

ALL_VECTORS = spec.description_vectors()
VECTORS = [vector for vector in ALL_VECTORS if not vector.mode]
DIGESTS = [vector for vector in ALL_VECTORS if vector.mode]


def _given(it: Any, vector: spec.DescriptionVector) -> tuple[list[IntWord], list[IntWord]]:
    """Block and key (and tweak) as words."""
    S = words_of(int(vector.input, 16), [it.word_bits] * it.words)
    if not isinstance(it, BlockCipher):
        return S, []
    widths, count = it.key_widths, it.key_words
    K = words_of(int(vector.key, 16), widths[:count])
    return S, K + words_of(int(vector.tweak or "0", 16), widths[count:])


def _value(words: list[Any]) -> int:
    value = 0
    for word in words:
        value = value << word.bits | word.value
    return value


# Of a cipher whose key schedule multiplies by large matrices a vector takes many seconds.
@pytest.mark.parametrize(
    "vector",
    [
        pytest.param(vector, id=vector.id, marks=pytest.mark.long if vector.id.startswith("lowmc") else ())
        for vector in VECTORS
    ],
)
def test_known_answers(vector: spec.DescriptionVector) -> None:
    cipher = get_analysed(vector.description)
    if isinstance(cipher, StreamAead):
        _check_message(cipher, vector)
        return
    want, rounds = int(vector.output, 16), vector.rounds or cipher.rounds  # type: ignore[union-attr]
    S, K = _given(cipher, vector)
    if isinstance(cipher, BlockCipher):
        cipher = cipher.of_rounds(rounds)
        assert (
            cipher.encrypt_block(int(vector.key, 16), int(vector.input, 16), int(vector.tweak or "0", 16))
            == want
        )
        recording = record_keyed(cipher, rounds)
        batch = [ArrayWord.from_ints([word.value] * 2, word.bits) for word in (*S, *K)]
        many = cipher.run(batch[: cipher.words], cipher.subkeys(batch[cipher.words :]))
    else:
        assert isinstance(cipher, Permutation)
        assert _value(cipher.run(S, rounds)) == want
        recording = record_rounds(cipher, rounds)
        many = cipher.run([ArrayWord.from_ints([word.value] * 2, word.bits) for word in S], rounds)
    values = run(recording, dict(zip(recording.inputs, (*S, *K), strict=True)))
    assert _value([values[node] for node in recording.outputs.values()]) == want
    first, second = zip(*(word.to_ints() for word in many), strict=True)
    assert first == second
    assert _value([IntWord(value, cipher.word_bits) for value in first]) == want


def _check_message(cipher: StreamAead[Any], vector: spec.DescriptionVector) -> None:
    """A message sealed and opened on integers, and twice at once as a batch."""
    key, nonce, ad, message, sealed = (
        bytes.fromhex(text) for text in (vector.key, vector.nonce, vector.ad, vector.input, vector.output)
    )
    assert cipher.encrypt(key, nonce, message, ad) == sealed
    assert cipher.decrypt(key, nonce, sealed, ad) == message
    rows = (np.frombuffer(part * 2, np.uint8).reshape(2, len(part)) for part in (key, nonce, message, ad))
    out, tags = encrypt_many(cipher, *rows)
    assert [a.tobytes() + b.tobytes() for a, b in zip(out, tags, strict=True)] == [sealed] * 2


def test_every_entry_has_known_answers() -> None:
    assert {vector.description for vector in VECTORS} == set(catalogued())
    for name in catalogued():
        assert get_analysed(name).name == name


@pytest.mark.parametrize("vector", DIGESTS, ids=lambda vector: vector.id)
def test_known_digests(vector: spec.DescriptionVector) -> None:
    assert get_hash(vector.description).digest(bytes.fromhex(vector.input)).hex() == vector.output


def test_every_hash_has_known_answers() -> None:
    assert {vector.description for vector in DIGESTS} == set(hashes())
    for name in hashes():
        assert get_hash(name).name == name
    with pytest.raises(UnknownName, match="hash 'ascon-hash': not known"):
        get_hash("ascon-hash")


@pytest.mark.parametrize("name", ["aes-128", "skinny-64-128", "craft", "speck-48-96", "gift-64"])
def test_subkeys_as_inputs_are_those_of_the_schedule(name: str) -> None:
    """The rounds alone, given the subkeys that the recorded schedule has, and both in one recording."""
    cipher = get_analysed(name)
    assert isinstance(cipher, BlockCipher)
    S = [
        IntWord(0x1234567 * (i + 3) % (1 << cipher.word_bits), cipher.word_bits) for i in range(cipher.words)
    ]
    K = [IntWord(0x89ABCDE * (i + 5) % (1 << bits), bits) for i, bits in enumerate(cipher.key_widths)]
    schedule, rounds, keyed = record_schedule(cipher, 5), record_rounds(cipher, 5), record_keyed(cipher, 5)
    subkeys = run(schedule, dict(zip(schedule.inputs, K, strict=True)))
    given = {name: subkeys[node] for name, node in schedule.outputs.items()}
    given |= {f"S{i}": word for i, word in enumerate(S)}
    apart = run(rounds, given)
    whole = run(keyed, dict(zip(keyed.inputs, (*S, *K), strict=True)))
    ends = zip(rounds.outputs.values(), keyed.outputs.values(), strict=True)
    assert all(apart[a] == whole[b] for a, b in ends)


HEAD = """from roundworks.reference import BlockCipher
class C(BlockCipher):
    name, words, word_bits, key_words, rounds = "mine", 2, 12, 1, 3
"""
SCHEDULE = "    def schedule(self, K):\n        return [K[0] ^ i for i in range(self.rounds)]\n"
BODY = "    def encrypt(self, S, subkeys):\n        x, y = S\n        for k in subkeys:\n            "


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + SCHEDULE, "encrypt: not written"),
        (HEAD + BODY + "x, y = y, x + y\n        return [x, y]\n", "schedule: not written"),
        (HEAD + SCHEDULE + BODY + "x = x & k\n        return [x, y]\n", "its 24 bits take only 2"),
        (HEAD + SCHEDULE + BODY + "pass\n        return [x + y, y]\n", "as many rounds as self.rounds says"),
        (HEAD + SCHEDULE + BODY + "x = x + k\n        return [x]\n", "encrypt: want 2 words, got 1"),
        (HEAD.replace("2, 12", "0, 12") + SCHEDULE, "words: want a positive integer, got 0"),
    ],
)
def test_a_bad_block_cipher_is_one_line_that_says_what(text: str, error: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(DescriptionError, match=error) as raised:
        load_description(file)
    assert "\n" not in str(raised.value)


def test_an_own_block_cipher_is_described_and_bounded() -> None:
    own = load_description(Path(__file__).parents[3] / "examples" / "arx_block.py")
    assert isinstance(own, BlockCipher)
    key, block = 0x0123456789ABCDEF, 0x89ABCDEF
    assert own.encrypt_block(key, block, 0) != own.encrypt_block(key, block, 1)
    assert list(record_keyed(own, 3).inputs) == ["S0", "S1", "K0", "K1", "K2", "K3", "T0"]
    assert list(record_rounds(own, 3).inputs) == ["S0", "S1", "RK0", "RK1", "RK2"]
