"""`roundworks list`: a sample on the descriptions, said so; all vectors everywhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roundworks import spec
from roundworks.bench import selftest as module
from roundworks.bench.selftest import SAMPLE, selftest


def test_a_description_runs_a_sample_that_is_counted() -> None:
    result = selftest("aegis-128l", "python", every=False)
    assert (result["passed"], result["vectors"], result["of"]) == (SAMPLE, SAMPLE, 497)
    whole = selftest("rocca-s", "python", every=True)
    assert (whole["passed"], whole["vectors"], whole["of"]) == (16, 16, 16)


def test_the_sample_is_spread_from_first_to_last() -> None:
    vectors = spec.aead_vectors("aegis-128")
    sample = module._sample(vectors)
    assert (len(sample), sample[0], sample[-1]) == (SAMPLE, vectors[0], vectors[-1])
    assert len({v.id for v in sample}) == SAMPLE
    assert module._sample(vectors[:3]) == vectors[:3]


@pytest.mark.parametrize("name", ["aegis-128l", "minalpher", "aes-128-gcm", "ascon-128a"])
def test_a_wrong_vector_fails(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the last valid and the last invalid case, with the other verdict."""
    vectors = spec.aead_vectors(name)
    for valid in (True, False):
        v = [v for v in vectors if v.valid is valid][-1]
        assert module._passes(name, "python", v)
        fields: dict[str, Any] = {f: getattr(v, f) for f in type(v).__dataclass_fields__}
        assert not module._passes(name, "python", type(v)(**fields | {"valid": not valid}))


def test_the_list_names_every_cipher(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from roundworks.cli.main import cli

    calls: list[tuple[str, str, bool]] = []

    def stub(cipher: str, backend: str, *, every: bool) -> dict[str, Any]:
        calls.append((cipher, backend, every))
        return {
            "cipher": cipher,
            "backend": backend,
            "available": True,
            "vectors": 8,
            "of": 9,
            "passed": 8,
            "seconds": 0.0,
        }

    monkeypatch.setattr(module, "selftest", stub)
    assert cli.main(["list", "--json", "--no-store"], standalone_mode=False) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["cipher"], r["backend"]) for r in rows] == [(c, b) for c, b, _ in calls]
    assert {c for c, _, _ in calls} == {facts.name for facts in spec.ciphers()}
    assert not any(every for *_, every in calls)
    assert cli.main(["list", "--no-store", "--selftest"], standalone_mode=False) == 0
    assert calls[-1][2] and "8/8 of 9" in capsys.readouterr().out
