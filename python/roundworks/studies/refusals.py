"""System calls that a program is refused, as on a disk that is full, damaged or read-only.

A filter of the kernel, seccomp(2), set before the program starts, lets some of its calls fail with an error. No
privileges, no disk and no change of the program are needed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Callable

from ..errors import RoundworksError

_NUMBERS = {
    "x86_64": {
        "write": 1, "pwrite64": 18, "writev": 20, "fsync": 74, "fdatasync": 75, "ftruncate": 77, "rename": 82,
        "openat": 257, "renameat": 264, "linkat": 265, "fallocate": 285, "pwritev": 296, "renameat2": 316,
        "copy_file_range": 326,
    },
    "aarch64": {
        "linkat": 37, "renameat": 38, "ftruncate": 46, "fallocate": 47, "openat": 56, "write": 64, "writev": 66,
        "pwrite64": 68, "pwritev": 70, "fsync": 82, "fdatasync": 83, "renameat2": 276, "copy_file_range": 285,
    },
}  # fmt: skip
_WRITES = ("write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate", "copy_file_range")
_MAKES = ("openat",)
_NAMES = ("linkat", "rename", "renameat", "renameat2")
CASES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("full when written to", errno.ENOSPC, _WRITES),
    ("over quota when written to", errno.EDQUOT, _WRITES),
    ("damaged when written to", errno.EIO, _WRITES),
    ("damaged when synchronised", errno.EIO, ("fsync", "fdatasync")),
    ("full when synchronised", errno.ENOSPC, ("fsync", "fdatasync")),
    ("read-only when a file is made", errno.EROFS, _MAKES),
    ("full when a file is made", errno.ENOSPC, _MAKES),
    ("read-only when a file gets its name", errno.EROFS, _NAMES),
    ("full when a file gets its name", errno.ENOSPC, _NAMES),
    ("damaged when a file gets its name", errno.EIO, _NAMES),
)
"""(what the disk is and when, the error, the calls that have it)."""

_CREATES = os.O_CREAT | os.O_TMPFILE & ~os.O_DIRECTORY
_LOAD, _JUMP_EQUAL, _JUMP_ANY, _JUMP_ABOVE, _RETURN = 0x20, 0x15, 0x45, 0x25, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _ARGUMENTS = 0, 16  # places in struct seccomp_data
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


def _program(error: int, calls: tuple[str, ...]) -> bytes:
    """The filter: these calls end with that error, writes of files only and not to a standard stream,
    opening only where it makes a file."""
    numbers = _NUMBERS.get(platform.machine())
    if numbers is None:
        raise RoundworksError(f"{platform.machine()}: want x86_64 or aarch64, to refuse system calls")
    code: list[tuple[int, int, int, int]] = []
    for name in calls:
        if name not in numbers:
            continue
        if name in _MAKES:  # flags are the third argument
            test = [(_LOAD, 0, 0, _ARGUMENTS + 16), (_JUMP_ANY, 0, 1, _CREATES)]
        elif name in _NAMES:
            test = []
        else:
            test = [(_LOAD, 0, 0, _ARGUMENTS), (_JUMP_ABOVE, 0, 1, 2)]
        code += [(_LOAD, 0, 0, _NUMBER), (_JUMP_EQUAL, 0, len(test) + 1, numbers[name]), *test]
        code.append((_RETURN, 0, 0, _ERROR | error))
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("<HBBI", *step) for step in code)


def refusing(error: int, calls: tuple[str, ...]) -> Callable[[], None]:
    """What a child calls before its program starts, so that these calls fail with this error.

    Raises
    ------
    RoundworksError
        ``riscv64: want x86_64 or aarch64, to refuse system calls``
    """
    program = _program(error, calls)
    text = ctypes.create_string_buffer(program, len(program))
    head = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(text)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def set_up() -> None:
        if prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or prctl(_SET_SECCOMP, _FILTER, ctypes.byref(head)):
            raise OSError(ctypes.get_errno(), "a filter of system calls")
        # The buffers stay alive as long as this function does.
        assert text

    return set_up
