"""A cipher of a user's own as one object: each method returns a value that shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import DescriptionError
from ..generate import Generated, generate
from ..reference import Roundwise, StreamAead, programmed
from ..reference.aead import BlockAead
from ..rows import AuditRow, BoundRow, Row
from .ciphers import audit, bounds, describe
from .described import described
from .result import Result
from .sheets import Sheet, sheet


@dataclass(frozen=True, slots=True)
class Cipher:
    """A description, by name, by file, or as an object.

    >>> from roundworks.studies import Cipher
    >>> Cipher.load("examples/toy.py").bound(4)
    """

    subject: str | Path | Roundwise

    @classmethod
    def load(cls, file: str | Path) -> Cipher:
        """The one description in a file, checked now.

        Raises
        ------
        DescriptionError
            ``my_cipher.py: no such file; ...``
        """
        described(Path(file))
        return cls(Path(file))

    def describe(self) -> Result[Row]:
        """The sizes and equations of the description."""
        return describe(self.subject)

    def bound(
        self, rounds: int | None = None, measure: str = "", *, time_limit: float | None = None
    ) -> Result[BoundRow]:
        """Bounds for up to `rounds` rounds; see `studies.bounds`."""
        return bounds(self.subject, measure, rounds, time_limit=time_limit)

    def audit(self) -> Result[AuditRow]:
        """Errors of its mode of operation; see `studies.audit`."""
        subject = self.subject
        if not isinstance(subject, str | Path | StreamAead | BlockAead):
            raise DescriptionError(f"{subject.name}: want a mode of operation, got what has none to audit")
        return audit(subject)

    def generate(
        self, to: str = "c", folder: str | Path | None = None, *, backends: Sequence[str] = ()
    ) -> Generated:
        """Code in a language, proven; with a folder also written and tested. See `generate.generate`."""
        it, _ = described(self.subject)
        return generate(programmed(it), to, Path(folder) if folder is not None else None, backends=backends)

    def sheet(self, *, full: bool = False) -> Sheet:
        """Everything known of it on one page; see `studies.sheet`."""
        return sheet(self.subject, full=full)
