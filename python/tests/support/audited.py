"""Findings of an audit: forgeries confirmed from their proofs, and which check found what."""

from __future__ import annotations

from typing import Any

from roundworks.analysis.audit import Finding, broken

ALL_REWRITES = {
    "boundary": [
        "blocks of the message can be moved into the associated data",
        "blocks of the associated data can be moved into the message",
    ],
    "truncation": ["a message can be truncated", "associated data can be truncated"],
    "extension": ["a message can be extended", "associated data can be extended"],
}


def confirm(cipher: Any, proof: dict[str, Any]) -> None:
    """The query is what encryption returns, the forgery is another input, and it opens."""
    key, nonce = bytes.fromhex(proof["key"]), bytes.fromhex(proof["nonce"])
    query = {name: bytes.fromhex(value) for name, value in proof["query"].items()}
    sealed = query["ciphertext"] + query["tag"]
    assert cipher.encrypt(key, nonce, query["data"], query["ad"]) == sealed
    forged = {name: bytes.fromhex(value) for name, value in proof["forgery"].items()}
    other = forged.get("nonce", nonce)
    handed_in = forged["ciphertext"] + forged["tag"]
    assert (other, forged["ad"], handed_in) != (nonce, query["ad"], sealed)
    assert cipher.decrypt(key, other, handed_in, forged["ad"]) == forged["accepted_as"]


def forged(cipher: Any, findings: list[Finding]) -> dict[str, list[str]]:
    """Titles of the forgeries by check, every one of them confirmed."""
    out: dict[str, list[str]] = {}
    for finding in findings:
        if finding.verdict == "forgery":
            assert finding.proof is not None
            confirm(cipher, finding.proof)
            out.setdefault(finding.check, []).append(finding.title)
    assert broken(findings) == bool(out)
    return out


def of(findings: list[Finding], check: str, verdict: str) -> list[Finding]:
    """The findings of one check with one verdict."""
    return [f for f in findings if (f.check, f.verdict) == (check, verdict)]
