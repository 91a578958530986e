"""What the library takes from the C library, on numbers and forms."""

from __future__ import annotations

from collections.abc import Callable

from .machine import RDI, RDX, RSI, THREAD, Processor, SecretBranch

FUNCTIONS: dict[str, Callable[[Processor], int]] = {}


def _function(*names: str) -> Callable[[Callable[[Processor], int]], Callable[[Processor], int]]:
    def keep(body: Callable[[Processor], int]) -> Callable[[Processor], int]:
        FUNCTIONS.update(dict.fromkeys(names, body))
        return body

    return keep


@_function("memcpy", "memmove")
def _copy(m: Processor) -> int:
    to, source = m.number(RDI, "an address"), m.number(RSI, "an address")
    data = [m.byte(source + i) for i in range(m.number(RDX, "a length"))]
    for i, byte in enumerate(data):
        m.memory[to + i] = byte
    return to


@_function("memset")
def _fill(m: Processor) -> int:
    to, value = m.number(RDI, "an address"), m.r[RSI]
    byte = value & 255 if isinstance(value, int) else value[:8]
    for i in range(m.number(RDX, "a length")):
        m.memory[to + i] = byte
    return to


@_function("memcmp", "bcmp")
def _compare(m: Processor) -> int:
    a, b = m.number(RDI, "an address"), m.number(RSI, "an address")
    for i in range(m.number(RDX, "a length")):
        x, y = m.byte(a + i), m.byte(b + i)
        if not isinstance(x, int) or not isinstance(y, int):
            raise SecretBranch(f"{m.where()}: memcmp of a secret")
        if x != y:
            return 1 if x > y else (1 << 64) - 1
    return 0


@_function("strcmp")
def _compare_text(m: Processor) -> int:
    a, b = (m.text(m.number(register, "an address")) for register in (RDI, RSI))
    return (a > b) - (a < b) & (1 << 64) - 1


@_function("strlen")
def _length(m: Processor) -> int:
    return len(m.text(m.number(RDI, "an address")).encode())


@_function("malloc")
def _allocate(m: Processor) -> int:
    return m.allocate(m.number(RDI, "a size"))


@_function("calloc")
def _allocate_zero(m: Processor) -> int:
    size = m.number(RDI, "a size") * m.number(RSI, "a size")
    address = m.allocate(size)
    for i in range(size):
        m.memory[address + i] = 0
    return address


@_function("posix_memalign")
def _allocate_aligned(m: Processor) -> int:
    address = m.allocate(m.number(RDX, "a size"), m.number(RSI, "an alignment"))
    m.write_number(m.number(RDI, "an address"), address, 8)
    return 0


@_function("realloc")
def _allocate_again(m: Processor) -> int:
    old, size = m.number(RDI, "an address"), m.number(RSI, "a size")
    address = m.allocate(size)
    for i in range(min(size, m.blocks.get(old, 0))):
        m.memory[address + i] = m.byte(old + i)
    if old in m.blocks:
        m.freed.append((old, m.blocks.pop(old)))
    return address


@_function("free")
def _free(m: Processor) -> int:
    """Memory stays as it is, so that what a call leaves in it can be seen."""
    address = m.number(RDI, "an address")
    if address:
        m.freed.append((address, m.blocks.pop(address)))
    return 0


@_function("__tls_get_addr")
def _thread_local(m: Processor) -> int:
    return THREAD + 1024 + int(m.read(m.number(RDI, "an address") + 8, 8))


@_function("__cxa_thread_atexit_impl", "pthread_key_create", "pthread_setspecific")
def _nothing(m: Processor) -> int:
    return 0
