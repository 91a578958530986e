"""MACs by name: the vectors, the reference on every length around a block, and what is refused."""

from __future__ import annotations

import random

import pytest

from roundworks import aead, spec
from roundworks.errors import InvalidTag, OutOfOrder, UnknownName
from roundworks.reference import get

AEGIS = [name for name in aead.mac_names() if name != "minalpher"]


def test_names() -> None:
    with_vectors = {
        facts.name
        for facts in spec.ciphers()
        if any(v.function == "AEGISMAC" for v in spec.function_vectors(facts.name))
    }
    assert set(aead.mac_names()) == with_vectors | {"minalpher"}


@pytest.mark.parametrize("name", AEGIS)
def test_known_answers(name: str) -> None:
    vectors = [v for v in spec.function_vectors(name) if v.function == "AEGISMAC"]
    assert len(vectors) == 2
    for v in vectors:
        mac = aead.Mac(name, v.parts["key"], v.parts["nonce"], tag_bytes=len(v.output))
        mac.update(v.parts["data"])
        assert mac.tag_bytes == len(v.output)
        assert mac.finalize() == v.output


@pytest.mark.parametrize("name", AEGIS)
@pytest.mark.parametrize("tag_bytes", [16, 32])
def test_fast_is_as_the_reference(name: str, tag_bytes: int) -> None:
    cipher = get(name, tag_bytes)
    for size in (0, 1, 15, 16, 33, 64, 127, 129, 300):
        part = random.Random(f"{name} {size}").randbytes
        key, nonce, data = part(cipher.key_bytes), part(cipher.nonce_bytes), part(size)
        want = cipher.mac(key, nonce, data)  # type: ignore[attr-defined]
        for backend in (b for b, usable in aead.get(name).backends() if usable):
            mac = aead.Mac(name, key, nonce, tag_bytes=tag_bytes, backend=backend)
            for at in range(0, size, 37):
                mac.update(data[at : at + 37])
            mac.verify(want)


def test_minalpher_takes_no_nonce() -> None:
    mac = aead.Mac("minalpher", bytes(16))
    mac.update(b"a message")
    tag = mac.finalize()
    again = aead.Mac("minalpher", bytes(16), b"")
    again.update(bytearray(b"a message"))
    again.verify(tag)


def test_refused() -> None:
    with pytest.raises(UnknownName, match="MAC 'rocca-s'"):
        aead.Mac("rocca-s", bytes(32), bytes(16))
    with pytest.raises(ValueError, match="nonce: want 16 bytes, got 0"):
        aead.Mac("aegis-128l", bytes(16))
    with pytest.raises(ValueError, match="tag_bytes: aegis-256 has tags of 16 or 32 bytes, got 8"):
        aead.Mac("aegis-256", bytes(32), bytes(32), tag_bytes=8)
    for strange in (-1, 0, 1 << 70):
        with pytest.raises(ValueError, match=f"^tag_bytes: aegis-256 has .* got {strange}$"):
            aead.Mac("aegis-256", bytes(32), bytes(32), tag_bytes=strange)
    with pytest.raises(TypeError, match="^tag_bytes: want int or None, got str$"):
        aead.Mac("aegis-256", bytes(32), bytes(32), tag_bytes="16")  # type: ignore[arg-type]
    mac = aead.Mac("aegis-128l", bytes(16), bytes(16))
    with pytest.raises(ValueError, match="tag: want 16 bytes, got 15"):
        mac.verify(bytes(15))
    with pytest.raises(InvalidTag):
        mac.verify(bytes(16))
    for use in (mac.finalize, lambda: mac.update(b""), lambda: mac.verify(bytes(16))):
        with pytest.raises(OutOfOrder, match="mac: finalized; start another"):
            use()
