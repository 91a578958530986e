"""Every error and warning Roundworks raises on purpose."""


class RoundworksError(Exception):
    """The base of every error here; its text is one line that says what to do."""


class ExtraMissing(RoundworksError, ModuleNotFoundError):
    """A package that an extra brings is not installed; the text says how to install it."""


class SpecError(RoundworksError, ValueError):
    """A file under ``spec/`` is malformed; the text starts with ``file:line:``."""


class RowError(RoundworksError, ValueError):
    """A result row does not match ``spec/schema/row.json``."""


class DescriptionError(RoundworksError, ValueError):
    """A cipher description cannot be recorded, computed or analysed as asked."""


class UnknownName(RoundworksError, LookupError):
    """No cipher, paper, table or back end of that name; the text lists what exists."""


class BackendUnavailable(RoundworksError, RuntimeError):
    """This CPU lacks an instruction set that the named back end needs."""


class SolverUnavailable(RoundworksError, RuntimeError):
    """The named solver is not installed or has no licence; the text lists those that are."""


class SolverFailed(RoundworksError, RuntimeError):
    """A solver stopped without an answer, or with one that does not stand up to a check."""


class ProofRefused(RoundworksError, ValueError):
    """A proof, or a certificate around it, does not show what it claims; the text says where."""


class InvalidTag(RoundworksError):
    """Authentication failed; no plaintext was released."""


class FileError(RoundworksError):
    """A file cannot be sealed, opened or inspected as asked; the text starts with its name."""


class ResearchOnlyWarning(UserWarning):
    """The cipher is offered for study: a forgery of it is known."""


class OutOfOrder(RoundworksError, RuntimeError):
    """A message in pieces was not fed in order: associated data, data, then `finalize`, once."""


class BrokenTrail(RoundworksError):
    """A trail that a model gave is not one of the description; the text names the node and line."""


class ToolMissing(RoundworksError, RuntimeError):
    """A program or Python package that a flow needs; the text says what installs it."""


class HardwareError(RoundworksError, RuntimeError):
    """A core cannot be simulated, synthesised or timed as asked; the text has the tool's reason."""


class LibraryError(RoundworksError, ValueError):
    """A cell library is malformed or lacks a cell that is needed; the text starts with the file."""


class DeviceUnavailable(RoundworksError, RuntimeError):
    """No GPU here can do what is asked; the text says which part is missing and what next."""


class DeviceMemoryError(DeviceUnavailable, MemoryError):
    """The GPU has too little memory; the text says how much was wanted and how much is free."""


class KernelError(RoundworksError, RuntimeError):
    """A kernel cannot be built, counted or run as asked; the text has the compiler's reason."""
