"""Every error and warning Roundworks raises on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

_FEW = 6  # names that an error may list in full
_MOST = 8  # names that it suggests
# Kind of name -> the command that prints all of that kind.
_LISTED = {
    "cipher": "roundworks list ciphers",
    "cipher or permutation": "roundworks list descriptions",
    "permutation": "roundworks list permutations",
    "core": "roundworks list cores",
    "measure": "roundworks list measures",
    "paper": "roundworks list papers",
    "solver": "roundworks list solvers",
    "cpu": "roundworks list cpus",
    "verb": "roundworks --help",
    "AEAD": "roundworks.aead.names()",
    "AEAD on a GPU": "roundworks.gpu.aead.names()",
}


T = TypeVar("T")


class RoundworksError(Exception):
    """The base of every error here; its text is one line that says what to do."""


class ExtraMissing(RoundworksError, ModuleNotFoundError):
    """A package that an extra brings is not installed; the text says how to install it."""


class SpecError(RoundworksError, ValueError):
    """A file under ``spec/`` is malformed; the text starts with ``file:line:``."""


class RowError(RoundworksError, ValueError):
    """A result row does not match ``spec/schema/row.json``."""


class LedgerError(RoundworksError, ValueError):
    """A ledger is in use, of another computation, or damaged; or it cannot be written."""


class StudyError(RoundworksError, RuntimeError):
    """Units of a study failed, or what it runs on is gone; the text says what next."""


class DescriptionError(RoundworksError, ValueError):
    """A cipher description cannot be recorded, computed or analysed as wanted."""


class TooWide(DescriptionError):
    """A constant has more bits than the word that it is combined with."""


class NotFollowed(DescriptionError):
    """Machine code computes what no form of a proof follows."""


class UnknownName(RoundworksError, LookupError):
    """No cipher, paper, table or back end of that name; `unknown` says which there are."""


def unknown(
    kind: str, name: str, known: Iterable[str], *, what: str = "not known", hint: str = ""
) -> UnknownName:
    """An error that lists a few names in full, and of many those that are like ``name``.

    ``cipher 'aegis': not known; did you mean aegis-128, aegis-128l, ...? (`roundworks list ciphers`
    shows all 18)``. ``what`` says it of names that exist elsewhere, ``hint`` what else could be given.
    """
    names = sorted(known) if isinstance(known, set) else list(dict.fromkeys(known))
    text = f"{kind} {name!r}: {what}; " if kind else f"{name!r}: {what}; "
    if len(names) <= _FEW:
        listed = ", ".join(names) or "none: there are none"
        return UnknownName(f"{text}one of {listed}" + (f", {hint}" if hint else ""))
    command = _LISTED.get(kind)
    more = [f"`{command}` shows all {len(names)}"] if command else []
    more += [hint] if hint else []
    if alike := similar(name, sorted(names)):
        text += f"did you mean {', '.join(alike)}?" + (f" ({'; '.join(more)})" if more else "")
    elif command:
        text += "; ".join(more)
    else:
        text += f"one of {', '.join(names)}" + (f", {hint}" if hint else "")
    return UnknownName(text)


def named(kind: str, name: str, known: Mapping[str, T]) -> T:
    """The value of that name, or the error of `unknown`."""
    if name not in known:
        raise unknown(kind, name, known)
    return known[name]


def similar(name: str, known: Iterable[str]) -> list[str]:
    """Which of the names one may have meant: those that it begins (a family's name does), else those
    that hold it, else those that are spelled like it. Case, hyphens and underscores do not count."""
    plain = {one: _plain(one) for one in known}
    given = _plain(name)
    if not given:
        return []
    for fits in (
        [one for one, text in plain.items() if text == given],
        [one for one, text in plain.items() if text.startswith(given)],
        [one for one, text in plain.items() if given in text and len(given) > 2],
    ):
        if fits:
            return fits[:_MOST]
    from difflib import get_close_matches  # slow to import, and wanted after a slip alone

    close = get_close_matches(given, plain.values(), n=3, cutoff=0.6)
    return [one for text in dict.fromkeys(close) for one in plain if plain[one] == text]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


class BackendUnavailable(RoundworksError, RuntimeError):
    """This CPU lacks an instruction set that the named back end needs."""


class SolverUnavailable(RoundworksError, RuntimeError):
    """The named solver is not installed or has no licence; the text lists those that are."""


class SolverFailed(RoundworksError, RuntimeError):
    """A solver stopped without a result, or with one that does not stand up to a check."""


class ProofRefused(RoundworksError, ValueError):
    """A proof, or a certificate around it, does not show what it claims; the text says where."""


class InvalidTag(RoundworksError):
    """Authentication failed; no plaintext was released."""


class FileError(RoundworksError):
    """A file cannot be sealed, opened or inspected as wanted; the text starts with its name."""


class ResearchOnlyWarning(UserWarning):
    """The cipher is for study only: a forgery of it is known, or nobody else has analysed it."""


class OutOfOrder(RoundworksError, RuntimeError):
    """A message in parts was not fed in order: associated data, data, then `finalize`, once."""


class BrokenTrail(RoundworksError):
    """A trail that a model gave is not one of the description; the text names the node and line."""


class ToolMissing(RoundworksError, RuntimeError):
    """A program or Python package that a flow needs; the text says what installs it."""


class HardwareError(RoundworksError, RuntimeError):
    """A core cannot be simulated, synthesised or timed as wanted; the text has the tool's reason."""


class LibraryError(RoundworksError, ValueError):
    """A cell library is malformed or lacks a cell that is needed; the text starts with the file."""


class DeviceUnavailable(RoundworksError, RuntimeError):
    """No GPU here can do what is wanted; the text says which part is missing and what next."""


class DeviceMemoryError(DeviceUnavailable, MemoryError):
    """The GPU has too little memory; the text says how much was wanted and how much is free."""


class KernelError(RoundworksError, RuntimeError):
    """A kernel cannot be built, counted or run as wanted; the text has the compiler's reason."""


def printable(text: str) -> str:
    """A message for a terminal: what a terminal would obey, such as an escape in the name of a file,
    is written out as Python writes it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
