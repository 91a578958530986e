"""The descriptions: vectors, batches, graphs and users' files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from calls import cases
from places import TOY
from roundworks import spec
from roundworks.errors import DescriptionError, InvalidTag, UnknownName
from roundworks.reference import (
    BlockAead,
    CellPermutation,
    IntWord,
    Matrix,
    Recording,
    Rounds,
    Sbox,
    StreamAead,
    get,
    load_file,
    names,
    record_init,
    record_load,
    record_round,
    streaming,
)
from roundworks.reference import aether as aether_module
from roundworks.reference.aes import MIX_COLUMNS, SHIFT_ROWS, SUB_BYTES, aes, aes_round
from roundworks.reference.batch import ArrayWord, encrypt_many
from roundworks.reference.gcm import Aes128Gcm, round_keys

CIPHERS = [*(n for n in names() if isinstance(get(n), StreamAead)), "toy"]
MODES = [n for n in names() if isinstance(get(n), BlockAead)]
CALLED = [n for n in names() if isinstance(get(n), Rounds)]  # modes, and sponges


def describe(name: str):
    return load_file(TOY) if name == "toy" else get(name)


# Of Ascon-AEAD128 there are a thousand.
@pytest.mark.parametrize(
    "name",
    cases(
        [facts.name for facts in spec.ciphers()],
        short={facts.name for facts in spec.ciphers()} - {"ascon-aead128"},
    ),
)
def test_vectors(name: str) -> None:
    vectors = spec.aead_vectors(name)
    assert {len(v.tag) for v in vectors} == set(spec.cipher(name).tag_sizes)
    for v in vectors:
        cipher = get(name, len(v.tag))
        if v.valid:
            assert cipher.encrypt(v.key, v.nonce, v.pt, v.ad) == v.ct + v.tag, v.id
            assert cipher.decrypt(v.key, v.nonce, v.ct + v.tag, v.ad) == v.pt, v.id
        else:
            with pytest.raises(InvalidTag):
                cipher.decrypt(v.key, v.nonce, v.ct + v.tag, v.ad)


def test_f_known_answers() -> None:
    vectors = spec.function_vectors("aether")
    assert len(vectors) >= 4
    for v in vectors:
        word = IntWord(int.from_bytes(v.input, "big"), 128)
        assert aether_module.f(word).value == int.from_bytes(v.output, "big"), v.id


def test_aes_sbox_is_the_published_one() -> None:
    (published,) = (s.table for s in spec.sboxes().values() if s.title == "AES")
    assert SUB_BYTES.table == published


@pytest.mark.parametrize("bits", [128, 256])
def test_aes_known_answers(bits: int) -> None:
    vectors = spec.function_vectors(f"aes-{bits}-gcm")
    assert vectors
    for v in vectors:
        keys = round_keys(v.parts["key"])
        block = int.from_bytes(v.parts["block"], "big")
        assert Aes128Gcm().cipher(keys, [block]) == [int.from_bytes(v.output, "big")], v.id


def test_aes_round_known_answer() -> None:
    # [FIPS197, appendix B], round 1: start of round, after MixColumns.
    start = IntWord(0x193DE3BEA0F4E22B9AC68D2AE9F84808, 128)
    assert aes(start).value == 0x046681E5E0CB199A48F8D37A2806264C


# What the standard prints of its inner functions, as our descriptions compute it.
INNER = {
    "Update": lambda c, p: c.join(
        c.update(c.split(whole(p)[: -c.rate_bytes]), c.split(whole(p)[-c.rate_bytes :]))
    ),
    "ctx": lambda c, p: c.context(p["i"][0]).to_bytes(16, "big"),
    "Init": lambda c, p: c.join(c.start(c.split(p["key"]), c.split(p["nonce"]))),
    "AEGISMAC": lambda c, p: c.mac(p["key"], p["nonce"], p["data"]),
    "AESRound": lambda c, p: c.join([aes_round(*c.split(whole(p)))]),
}


def whole(parts: Mapping[str, bytes]) -> bytes:
    return b"".join(parts.values())


def test_inner_functions_of_aegis() -> None:
    seen: Counter[str] = Counter()
    for facts in spec.ciphers():
        if facts.family != "aegis":
            continue
        for v in spec.function_vectors(facts.name):
            cipher = get(facts.name, len(v.output) if v.function == "AEGISMAC" else None)
            assert INNER[v.function](cipher, v.parts) == v.output, (facts.name, v.id)
            seen[v.function] += 1
    # Two sizes of tag for each of six; a context for each of 2 + 4 + 2 + 4 lanes.
    assert seen == {"Update": 2, "ctx": 12, "Init": 4, "AEGISMAC": 12, "AESRound": 1}


@pytest.mark.parametrize("name", ["aegis-128x2", "aegis-128x4", "aegis-256x2", "aegis-256x4"])
def test_the_lanes_are_a_parameter(name: str) -> None:
    cipher = get(name)
    assert cipher.words == cipher.degree * cipher.lane_words == spec.cipher(name).words
    one = get({"1": "aegis-128l", "2": "aegis-256"}[name[6]])
    rng = np.random.default_rng(7)
    S, X = (cipher.split(rng.bytes(16 * n)) for n in (cipher.words, cipher.rate_words))
    alone = [one.update(V, X[i :: cipher.degree]) for i, V in enumerate(cipher.lanes(S))]
    assert cipher.lanes(cipher.update(S, X)) == alone


def test_a_tag_size_that_is_not_offered() -> None:
    assert len(get("aegis-128l", 32).encrypt(bytes(16), bytes(16), b"")) == 32
    assert get("aegis-128l", 32).sealed_bytes(5) == 37
    with pytest.raises(ValueError, match="^tag_bytes: want 16 or 32 for aegis-128l, got 24$"):
        get("aegis-128l", 24)
    with pytest.raises(ValueError, match="^tag_bytes: want 16 for aegis-128, got 32$"):
        get("aegis-128", 32)


@pytest.mark.parametrize("name", CIPHERS)
@pytest.mark.parametrize("lengths", [(0, 0), (1, 0), (0, 1), (5, 100), (48, 47), (97, 96), (16, 32)])
def test_batch_equals_integers(name: str, lengths: tuple[int, int]) -> None:
    cipher = describe(name)
    rng = np.random.default_rng(sum(lengths) + 1)
    sizes = (cipher.key_bytes, cipher.nonce_bytes, lengths[1], lengths[0])
    keys, nonces, data, ad = (rng.integers(0, 256, (3, size), np.uint8) for size in sizes)
    out, tags = encrypt_many(cipher, keys, nonces, data, ad)
    for i in range(3):
        one = cipher.encrypt(*(a[i].tobytes() for a in (keys, nonces, data, ad)))
        assert one == out[i].tobytes() + tags[i].tobytes()


@pytest.mark.parametrize("cell_bits", [1, 2, 3, 4, 6, 8])
def test_batch_cells_of_any_width(cell_bits: int) -> None:
    rng = np.random.default_rng(cell_bits)
    data = rng.integers(0, 256, (5, 6), np.uint8)
    sbox = Sbox("s", rng.permutation(1 << max(2, cell_bits)).tolist())
    turn = CellPermutation("turn", rng.permutation(48 // cell_bits).tolist(), cell_bits)
    batch = ArrayWord.from_bytes(data)
    for step in ("sub", "permute"):
        layer = sbox if step == "sub" else turn
        # Twice, so that words of odd cells are read again.
        many = getattr(getattr(batch, step)(layer), step)(layer).to_bytes()
        for given, actual in zip(data, many, strict=True):
            word = IntWord(int.from_bytes(given, "big"), 48)
            assert actual.tobytes() == getattr(getattr(word, step)(layer), step)(layer).value.to_bytes(
                6, "big"
            )


LAYERS = {
    "SubBytes": SUB_BYTES,
    "ShiftRows": SHIFT_ROWS,
    "MixColumns": MIX_COLUMNS,
    "Orthros": aether_module.SBOX,
    "M_b": aether_module.M_B,
    "Permutation": aether_module.PERMUTATION,
}


@pytest.mark.parametrize("name", LAYERS)
def test_looked_up_layers_are_as_defined(name: str) -> None:
    layer, rng = LAYERS[name], np.random.default_rng(9)
    step = {Sbox: "sub", Matrix: "mix", CellPermutation: "permute"}[type(layer)]
    values = [1 << i for i in range(128)] + [int.from_bytes(rng.bytes(16), "big") for _ in range(64)]
    for value in values:
        word = IntWord(value, 128)
        assert getattr(word, step)(layer) == word.by_definition(layer)


def compute(recording: Recording, inputs: dict[str, IntWord]) -> dict[str, IntWord]:
    """Run a recorded graph on integers: what the graph says, not what the description did."""
    values: list[IntWord] = []
    names = {node: name for name, node in recording.inputs.items()}
    for node in recording.graph.nodes:
        given = [values[i] for i in node.inputs]
        if node.id in names:
            values.append(inputs[names[node.id]])
        elif node.op == "const":
            values.append(IntWord(node.detail, node.bits))
        elif node.op == "xor":
            values.append(given[0] ^ given[1])
        elif node.op == "and":
            values.append(given[0] & given[1])
        else:
            values.append(getattr(given[0], node.op)(node.detail))
    return {name: values[node] for name, node in recording.outputs.items()}


@pytest.mark.parametrize("name", CALLED)
def test_the_graph_of_a_mode_computes_its_round(name: str) -> None:
    cipher = get(name)
    rng = np.random.default_rng(6)
    recording = record_round(cipher)
    inputs = {n: cipher.split(rng.bytes(cipher.word_bytes))[0] for n in recording.inputs}
    S = [inputs[f"S{i}"] for i in range(cipher.words)]
    K = [inputs[f"K{i}"] for i in range(cipher.round_key_words)]
    want = {f"S'{i}": w for i, w in enumerate(cipher.round(S, K, 0))}
    assert compute(recording, inputs) == want
    with pytest.raises(DescriptionError, match=f"^{name}: a plan needs a round that absorbs"):
        streaming(cipher, "a plan")


@pytest.mark.parametrize("name", [n for n in CIPHERS if n not in CALLED])
def test_the_graph_computes_what_the_description_does(name: str) -> None:
    cipher = describe(name)
    rng = np.random.default_rng(5)

    def random_word() -> IntWord:
        return IntWord(int.from_bytes(rng.bytes(cipher.word_bytes), "big"), cipher.word_bits)

    recording = record_round(cipher)
    inputs = {n: random_word() for n in recording.inputs}
    S = [inputs[f"S{i}"] for i in range(cipher.words)]
    X = [inputs[f"X{i}"] for i in range(cipher.rate_words)]
    want = {f"S'{i}": w for i, w in enumerate(cipher.update(S, X))}
    want |= {f"Z{i}": w for i, w in enumerate(cipher.keystream(S))}
    assert compute(recording, inputs) == want

    load = record_load(cipher)
    inputs = {n: random_word() for n in load.inputs}
    K = [w for n, w in inputs.items() if n.startswith("K")]
    N = [w for n, w in inputs.items() if n.startswith("N")]
    lifted = [K[0].lift(w) for w in cipher.load(K, N)]
    assert list(compute(load, inputs).values()) == lifted


def test_nodes_know_their_line_and_units_their_words() -> None:
    recording = record_round(get("aether"))
    assert {n.line.split(":")[0] for n in recording.graph.nodes if n.op != "input"} == {"aether.py"}
    assert {u.name for u in recording.graph.units} == {"F"} and len(recording.graph.units) == 12
    assert recording.dependencies("S'0") == {"S8", "X0"}


def test_init_is_cut_at_every_round() -> None:
    aegis = record_init(get("aegis-128"))
    assert [r.dependencies("X0") for r in aegis] == [{"K0"}, {"K0", "N0"}] * 5
    aegis = record_init(get("aegis-256"))
    assert [r.dependencies("X0") for r in aegis] == [{"K0"}, {"K1"}, {"K0", "N0"}, {"K1", "N1"}] * 4
    for facts in spec.ciphers():
        if facts.name not in CALLED:
            assert len(record_init(get(facts.name))) == facts.init_rounds, facts.name


def test_the_other_padding_is_another_cipher() -> None:
    zero = bytes(32), bytes(16)
    as_taken, always = get("aether"), get("aether-always-pad")
    for size in (0, 1, 47, 48, 49):
        data = bytes(size)
        sealed = always.encrypt(*zero, data, data)
        assert always.decrypt(*zero, sealed, data) == data
        full = size % 48 == 0
        assert (sealed == as_taken.encrypt(*zero, data, data)) == (not full)


@pytest.mark.parametrize("name", [*CIPHERS, *MODES])
def test_tampering_is_refused(name: str) -> None:
    cipher = describe(name)
    key, nonce, ad = bytes(range(cipher.key_bytes)), bytes(cipher.nonce_bytes), b"header"
    sealed = cipher.encrypt(key, nonce, b"some data", ad)
    for i in range(len(sealed)):
        bad = bytearray(sealed)
        bad[i] ^= 1 << i % 8
        with pytest.raises(InvalidTag, match="no plaintext was released"):
            cipher.decrypt(key, nonce, bytes(bad), ad)
    with pytest.raises(InvalidTag):
        cipher.decrypt(key, nonce, sealed[: cipher.tag_bytes - 1], ad)


def test_wrong_sizes_and_types() -> None:
    cipher = get("aegis-128")
    with pytest.raises(ValueError, match="^nonce: want 16 bytes, got 12$"):
        cipher.encrypt(bytes(16), bytes(12), b"")
    with pytest.raises(TypeError, match="^key: want bytes, got str$"):
        cipher.encrypt("key", bytes(16), b"")
    with pytest.raises(UnknownName, match="'aegis': not known; did you mean aegis-128, "):
        get("aegis")


def test_components_refuse_what_they_cannot_be() -> None:
    with pytest.raises(DescriptionError, match=r"S-box s: want 2\^b entries"):
        Sbox("s", (0, 1, 2))
    with pytest.raises(DescriptionError, match="row 1: want 2 entries"):
        Matrix("m", ((1, 0), (1,)), 4)
    with pytest.raises(DescriptionError, match="needs a field polynomial"):
        Matrix("m", ((2,),), 4)
    with pytest.raises(DescriptionError, match="want every position 0..2 once"):
        CellPermutation("p", (0, 0, 1), 4)
    with pytest.raises(DescriptionError, match="does not fit a word of 32 bits"):
        IntWord(0, 32).permute(CellPermutation("p", (1, 0), 8))
    with pytest.raises(DescriptionError, match="words of 32 and 16 bits do not combine"):
        IntWord(0, 32) ^ IntWord(0, 16)
    with pytest.raises(DescriptionError, match="cells of 1 to 8 bits"):
        ArrayWord(np.zeros((4, 1), np.uint8), 8).in_cells(6)


BAD_FILES = {
    "def f(:\n": "invalid syntax",
    "import nothing_of_that_name\n": "ModuleNotFoundError",
    "x = 1\n": "want one subclass of StreamAead, Permutation or BlockCipher, got none",
    "from roundworks.reference import StreamAead\nclass A(StreamAead): pass\nclass B(StreamAead): pass\n": "want one subclass of StreamAead, Permutation or BlockCipher, got A, B",
    "from roundworks.reference import StreamAead\nclass A(StreamAead): pass\n": "name: want a string",
    "from roundworks.reference import StreamAead\nclass A(StreamAead):\n    name = 'a'\n": "key_bytes: want a positive",
    "from roundworks.reference import StreamAead\nclass A(StreamAead):\n    name = 'a'\n"
    "    key_bytes = nonce_bytes = tag_bytes = 16\n    words = rate_words = 1\n": "load: not written",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_file_is_one_line_that_says_what(text: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(DescriptionError) as error:
        load_file(path)
    message = str(error.value)
    assert message.startswith(str(path)) and BAD_FILES[text] in message and "\n" not in message


BAD_ROUNDS = {
    "return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], 5]": "update: word 3: want a word, got int",
    "return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0]]": "update: want 4 words, got 3",
    "return [S[3] ^ S[0].value, f(S[0]), f(S[1]), f(S[2])]": "AttributeError: 'NodeWord' object",
}


@pytest.mark.parametrize("line", BAD_ROUNDS)
def test_a_round_that_cannot_be_recorded_is_refused_on_loading(line: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    good = "return [f(S[3]) ^ X[0], f(S[0]) ^ S[2], f(S[1]) ^ S[0], f(S[2]) ^ S[1]]"
    assert good in TOY.read_text()
    path.write_text(TOY.read_text().replace(good, line))
    with pytest.raises(DescriptionError) as error:
        load_file(path)
    assert BAD_ROUNDS[line] in str(error.value) and str(error.value).startswith(str(path))


def test_a_unit_that_does_nothing_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    body = "return x.sub(PRESENT).mix(MIDORI).permute(SPREAD).sub(PRESENT)"
    path.write_text(TOY.read_text().replace(body, "return x"))
    with pytest.raises(DescriptionError, match=r"mine.py:\d+: unit F: want a word made of its own"):
        load_file(path)


def test_an_error_inside_a_description_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    broken = TOY.read_text().replace("S[0] ^ S[1] ^ S[2] ^ S[3]", "S[0] ^ S[1] ^ S[2] ^ S[4]")
    path.write_text(broken)
    line = next(i for i, text in enumerate(broken.splitlines(), 1) if "S[4]" in text)
    with pytest.raises(DescriptionError, match=f"mine.py:{line}: IndexError"):
        load_file(path)
    with pytest.raises(DescriptionError, match="no such file"):
        load_file(tmp_path / "absent.py")
