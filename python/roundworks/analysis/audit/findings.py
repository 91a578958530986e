"""What a check says: one frozen record per thing found, or per check that found nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["forgery", "leak", "note", "pass"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of one check.

    ``forgery``: an input that was never encrypted is accepted. ``leak``: something secret shows,
    or keys or nonces do not count. ``note``: a property a designer should know. ``pass``: nothing
    found; ``detail`` says what was tried. ``proof`` holds hex strings and integers that anybody
    can check with the description alone.
    """

    check: str
    verdict: Verdict
    title: str
    detail: str
    proof: dict[str, Any] | None = None

    @classmethod
    def forged(cls, check: str, title: str, detail: str, proof: dict[str, Any]) -> Finding:
        """The finding of a forgery that was run."""
        return cls(check, "forgery", title, detail, proof)

    @classmethod
    def leak(cls, check: str, title: str, detail: str, proof: dict[str, Any]) -> Finding:
        """Something secret that shows."""
        return cls(check, "leak", title, detail, proof)

    @classmethod
    def note(cls, check: str, title: str, detail: str, proof: dict[str, Any] | None = None) -> Finding:
        """A property that a designer should know."""
        return cls(check, "note", title, detail, proof)

    @classmethod
    def passed(cls, check: str, what: str, detail: str) -> Finding:
        """A check that found nothing; ``detail`` says what was tried."""
        return cls(check, "pass", f"{check}: {what}", detail)


def broken(findings: list[Finding]) -> bool:
    """Whether any finding is a forgery."""
    return any(finding.verdict == "forgery" for finding in findings)
