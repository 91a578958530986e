"""A user's own file with a description, loaded and checked before use."""

from __future__ import annotations

import importlib.util
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import DescriptionError
from .bijections import check_bijective
from .block import BlockCipher
from .permutation import Permutation
from .placed import OWN
from .record import record_keyed
from .sponge import Sponge
from .steady import StepError, check_rounds, check_stream
from .stream import StreamAead

Own = StreamAead[Any] | Permutation[Any] | BlockCipher[Any]
_SIZES = ("key_bytes", "nonce_bytes", "tag_bytes", "words", "rate_words", "word_bits")
_STEPS = ("load", "init", "update", "keystream", "finalise", "tag")
_LIMITS = {"word_bits": 128, "key_word_bits": 1024, "tweak_word_bits": 1024, "rounds": 1_000_000}
_LIMIT = 1024  # of every other size: above, a file describes a mistake
_STOPPED = (Exception, SystemExit, GeneratorExit)  # what a step may raise; Ctrl-C is the user's
_PATIENCE = 10  # seconds that a file may take before it is said which of its lines is running


def load_file(path: Path | str) -> StreamAead[Any]:
    """The one cipher in a user's file: a subclass of ``StreamAead``, checked before use."""
    result = load_description(path)
    if not isinstance(result, StreamAead):
        kind = "a Permutation" if isinstance(result, Permutation) else "a BlockCipher"
        raise DescriptionError(f"{path}: want one subclass of StreamAead, got {kind}")
    return result


class _FromSource(SourceFileLoader):
    """Compiles a file whenever it is loaded. Python would keep what it compiled next to the file, and take that for a
    file that was changed within a second and has the same length."""

    def path_stats(self, path: str) -> Mapping[str, Any]:
        """Nothing by which to know a compiled file again, so that there is none."""
        raise OSError(f"{path}: always compiled")


def load_description(path: Path | str) -> Own:
    """The one description in a user's file, of a cipher or a permutation, checked before use."""
    path = Path(path)
    if not path.is_file():
        there = "not a file" if path.exists() else "no such file"
        raise DescriptionError(f"{path}: {there}; want a Python file with a description")
    if path.suffix != ".py":
        raise DescriptionError(f"{path}: not a Python file; its name must end in .py")
    with _saying_where(path):
        return _load(path)


def _load(path: Path) -> Own:
    name = f"{OWN}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FromSource(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module)["print"] = partial(print, file=sys.stderr)  # standard output is for rows and tables
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except _STOPPED as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error, path)}") from error
    result = _only_class(module, path)
    if isinstance(result, Permutation):
        _check_permutation(result, path)
    elif isinstance(result, BlockCipher):
        _check_block(result, path)
    else:
        _check(result, path)
    return result


@contextmanager
def _saying_where(path: Path) -> Iterator[None]:
    """Says on standard error, once, which line of the file is running when it takes long: a loop may have no end."""
    thread = threading.get_ident()

    def say() -> None:
        frame = sys._current_frames().get(thread)
        while frame is not None and Path(frame.f_code.co_filename) not in (path, path.absolute()):
            frame = frame.f_back
        place = f"{path}:{frame.f_lineno}" if frame is not None else f"{path}"
        print(f"{place}: still running after {_PATIENCE} s; Ctrl-C stops it", file=sys.stderr)

    timer = threading.Timer(_PATIENCE, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _only_class(module: ModuleType, path: Path) -> Own:
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, (StreamAead, Permutation, BlockCipher))
        and value.__module__ == module.__name__
    ]
    leaves = [c for c in own if not any(d is not c and issubclass(d, c) for d in own)]
    if any(issubclass(c, Sponge) for c in leaves):  # which may have its permutation in the same file
        leaves = [c for c in leaves if not issubclass(c, Permutation)]
    if len(leaves) != 1:
        listed = ", ".join(c.__name__ for c in leaves) or "none"
        raise DescriptionError(
            f"{path}: want one subclass of StreamAead, Permutation or BlockCipher, got {listed}"
        )
    try:
        result: Own = leaves[0]()
    except _STOPPED as error:
        raise DescriptionError(f"{_place(error, path)}: {_one_line(error, path)}") from error
    return result


def _check_permutation(found: Permutation[Any], path: Path) -> None:
    """Sizes that make sense, and rounds that can be recorded and are not seen to lose information."""
    label = f"{path}: {type(found).__name__}"
    _check_name(found, label)
    _check_sizes(found, ("words", "word_bits", "rounds"), label)
    if type(found).round is Permutation.round:
        raise DescriptionError(f"{label}: round: not written; see docs/how-to/own-cipher.md")
    try:
        check_rounds(found)
        check_bijective(found)
    except _STOPPED as error:
        raise DescriptionError(f"{_place(error, path, found)}: {_one_line(error, path)}") from error


def _check_block(found: BlockCipher[Any], path: Path) -> None:
    """Sizes that make sense, and rounds with a key schedule that can be recorded, that follow
    ``self.rounds`` and are not seen to lose information."""
    label = f"{path}: {type(found).__name__}"
    _check_name(found, label)
    _check_sizes(found, ("words", "word_bits", "key_words", "rounds"), label)
    for step in ("schedule", "encrypt"):
        if getattr(type(found), step) is getattr(BlockCipher, step):
            raise DescriptionError(f"{label}: {step}: not written; see docs/how-to/own-cipher.md")
    try:
        check_rounds(found)
        few, more = (len(record_keyed(found, rounds).graph.nodes) for rounds in (1, 2))
        if few >= more:
            raise DescriptionError(
                "encrypt: 2 rounds record no more than 1; want as many rounds as self.rounds says"
            )
        check_bijective(found)
    except _STOPPED as error:
        raise DescriptionError(f"{_place(error, path, found)}: {_one_line(error, path)}") from error


def _check(cipher: StreamAead[Any], path: Path) -> None:
    """Sizes that make sense, every step written, a round that can be recorded, and one message
    that survives a round trip."""
    label = f"{path}: {type(cipher).__name__}"
    _check_name(cipher, label)
    if isinstance(cipher, Sponge):
        _check_sponge(cipher, path, label)
    _check_sizes(cipher, _SIZES, label)
    for what in ("key_bytes", "nonce_bytes", "tag_bytes"):
        if getattr(cipher, what) % cipher.word_bytes:
            raise DescriptionError(
                f"{label}: {what}: want a multiple of the word's {cipher.word_bytes} bytes,"
                f" got {getattr(cipher, what)}"
            )
    for step in _STEPS:
        if getattr(type(cipher), step) is getattr(StreamAead, step):
            raise DescriptionError(f"{label}: {step}: not written; see docs/how-to/own-cipher.md")
    key, nonce = bytes(range(cipher.key_bytes)), bytes(cipher.nonce_bytes)
    data, ad = bytes(2 * cipher.rate_bytes + 1), b"associated data"
    try:
        check_stream(cipher)
        for length in range(cipher.rate_bytes):
            whole = length + len(cipher.padding(length))
            if whole % cipher.rate_bytes:
                raise DescriptionError(
                    f"padding({length}): want whole blocks of {cipher.rate_bytes} bytes, got {whole}"
                )
        sealed = cipher.encrypt(key, nonce, data, ad)
        if (actual := len(sealed) - len(data)) != cipher.tag_bytes:
            raise DescriptionError(f"tag: want {cipher.tag_bytes} bytes of words, got {actual}")
        if cipher.open(key, nonce, sealed[: len(data)], sealed[len(data) :], ad) != data:
            raise DescriptionError("decrypting does not give the message back")
    except _STOPPED as error:
        raise DescriptionError(f"{_place(error, path, cipher)}: {_one_line(error, path)}") from error


def _check_sponge(cipher: Sponge[Any], path: Path, label: str) -> None:
    """A permutation that is one, a rate, and rounds that are numbers."""
    if not hasattr(cipher, "permutation"):
        raise DescriptionError(
            f"{label}: permutation: want a Permutation, as in MyPermutation(), got nothing"
        )
    if not hasattr(cipher, "rate"):
        raise DescriptionError(f"{label}: rate: want the bits of a block, got nothing")
    _check_permutation(cipher.permutation, path)
    _check_sizes(cipher, ("init_rounds", "rounds", "final_rounds"), label)


def _check_name(found: Own, label: str) -> None:
    if not isinstance(getattr(found, "name", None), str):
        raise DescriptionError(f"{label}: name: want a string, got nothing; set name = 'my-cipher'")
    if not re.fullmatch(r"\w[\w.+ -]{,63}", found.name):
        raise DescriptionError(
            f"{label}: name: want at most 64 letters, digits, spaces and any of . + - _, got {found.name[:80]!r}"
        )


def _check_sizes(found: Own, sizes: tuple[str, ...], label: str) -> None:
    for size in sizes:
        value = getattr(found, size, None)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise DescriptionError(f"{label}: {size}: want a positive integer, got {value!r}")
        if value > (limit := _LIMITS.get(size, _LIMIT)):
            raise DescriptionError(f"{label}: {size}: want at most {limit:,}, got {value:,}")
    if found.word_bits < 4:
        raise DescriptionError(f"{label}: word_bits: want 4 to 128, got {found.word_bits}")
    if isinstance(found, StreamAead) and found.word_bits % 8:
        raise DescriptionError(f"{label}: word_bits: want a multiple of 8, got {found.word_bits}")


def _place(error: BaseException, path: Path, it: Own | None = None) -> str:
    """The file, and the deepest line of it in the traceback, or of the step that failed."""
    if isinstance(error, SyntaxError):
        return f"{path}:{error.lineno}" if error.lineno else str(path)
    own = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path.absolute() or Path(frame.filename) == path
    ]
    if found := re.match(rf"{re.escape(path.name)}:(\d+): ", str(error)):  # it says so itself
        return f"{path}:{found[1]}"
    if not own and isinstance(error, StepError):
        code = getattr(getattr(type(it), error.step, None), "__code__", None)
        if code is not None and Path(code.co_filename) in (path, path.absolute()):
            own = [code.co_firstlineno]
    return f"{path}:{own[-1]}" if own else str(path)


def _one_line(error: BaseException, path: Path) -> str:
    text = str(error).splitlines()[0] if str(error) else ""
    if isinstance(error, DescriptionError):
        return re.sub(r"^\S+\.py:\d+: ", "", text)
    return f"{type(error).__name__}: {text}"
