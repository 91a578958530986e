"""A device: what is missing, memory, launches, the clock and the overlap of copies, on a driver that runs
the thread code on this CPU."""

from __future__ import annotations

import random
import signal

import numpy as np
import pytest

from gpu_tools import Log, leave, ledger, on_cpu
from roundworks import aead as cpu
from roundworks.errors import DeviceMemoryError, DeviceUnavailable, InvalidTag, KernelError
from roundworks.gpu import aead
from roundworks.gpu.device import Device, Pinned
from roundworks.reference import IntWord
from roundworks.reference.minalpher import BLOCK, Minalpher

CIPHER: Minalpher[IntWord] = Minalpher()


def permuted(data: bytes) -> bytes:
    blocks = [int.from_bytes(data[i : i + BLOCK], "big") for i in range(0, len(data), BLOCK)]
    return b"".join(x.to_bytes(BLOCK, "big") for x in CIPHER.P(blocks))


# -- what is missing -----------------------------------------------------------------------------
def test_without_a_driver() -> None:
    line = "^no-such-library.so: not found; install NVIDIA's driver, or use the CPU: fallback=True$"
    with pytest.raises(DeviceUnavailable, match=line):
        Device(library="no-such-library.so")


@pytest.mark.parametrize(
    ("setting", "value", "line"),
    [
        ("DEVICES", "0", "no GPU: the driver sees none; lend this machine one, or use the CPU"),
        ("VERSION", "12040", "driver: want CUDA 13.0 or newer, got 12.4; update NVIDIA's driver"),
    ],
)
def test_what_is_missing_is_one_line(
    library: str, monkeypatch: pytest.MonkeyPatch, setting: str, value: str, line: str
) -> None:
    # The driver reads C's environment.
    monkeypatch.setenv(f"HOST_CUDA_{setting}", value)
    with pytest.raises(DeviceUnavailable) as error:
        Device(library=library)
    assert str(error.value).startswith(line) and "\n" not in str(error.value)


def test_no_such_device_architecture_or_entry(library: str) -> None:
    with pytest.raises(DeviceUnavailable, match="^device 3: not here; the driver sees 1, from 0 on"):
        Device(3, library=library)
    other = Device(library=library, image=lambda family: b"of another architecture")
    with pytest.raises(DeviceUnavailable, match="^minalpher: no machine code for sm_90 of this CPU;"):
        other.launch("minalpher", "minalpher_permute", 1)
    with pytest.raises(KernelError, match="^cuModuleGetFunction: CUDA_ERROR_NOT_FOUND$"):
        on_cpu().launch("minalpher", "minalpher_nothing", 1)


def test_machine_code_that_cannot_be_made_says_why(library: str) -> None:
    def image(family: str) -> bytes:
        raise KernelError(f"{family}.cu: no such thing")

    device = Device(library=library, image=image)
    for call in (
        lambda: device.launch("minalpher", "minalpher_permute", 1),
        lambda: aead.Minalpher(bytes(16), machine=device).encrypt(bytes(13), b"data"),
    ):
        with pytest.raises(KernelError, match=r"^minalpher.cu: no such thing$"):
            call()


def test_what_a_device_says_of_itself(device: Device) -> None:
    assert (device.name, device.architecture, device.multiprocessors) == ("this CPU", "sm_90", 4)
    assert (device.driver_version, device.clock_mhz) == ("13.0", 0.004)
    assert repr(device) == "<this CPU (sm_90)>"


def test_too_little_memory(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(device, monkeypatch, 2 << 20)
    with pytest.raises(DeviceMemoryError, match="^this CPU: want 3 MiB of memory, 2 MiB are free;"):
        device.zeros(3 << 20)
    monkeypatch.setenv("HOST_CUDA_PINNED", str(2 << 20))
    with pytest.raises(DeviceMemoryError, match="^host: want 3 MiB of pinned memory, there is less;"):
        Pinned(device, 3 << 20)


# -- memory and launches -------------------------------------------------------------------------
@pytest.mark.parametrize("size", [0, 1, 255, 256, 257])
def test_memory_comes_back_as_it_went_in(device: Device, size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert device.put(data).read(size) == data
    assert device.zeros(size).read(size) == bytes(size)
    with pytest.raises(ValueError, match=r"^memory: want at most \d+ bytes, got 513$"):
        device.put(data).read(513)


def test_memory_is_wiped(device: Device) -> None:
    before = ledger("live")
    made = device.put(b"a secret")
    assert ledger("live") == before + 1 and device.owned_bytes() == 256
    del made
    device.wait()
    again = device.put(b"")
    assert device.owned_bytes() == 256, "kept for the next"
    del again
    device.trim()
    assert ledger("live") == before and device.owned_bytes() == 0


def test_kept_memory_is_given_to_larger_calls(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(device, monkeypatch, 2 << 20)
    for size in (1 << 20, 3 << 19, 2 << 20):
        assert device.zeros(size).read(4) == bytes(4)


def test_a_kernel_runs(device: Device) -> None:
    data = random.Random(1).randbytes(BLOCK * 70)
    given, out = device.put(data), device.zeros(len(data))
    assert device.launch("minalpher", "minalpher_permute", 6, given, out, 70, False) == 128
    assert out.read(len(data)) == permuted(data)
    # Four multiprocessors with two blocks of 128 threads each, as this driver says.
    assert device.launch("minalpher", "minalpher_permute", 5000, given, out, 70, False) == 1024
    with pytest.raises(TypeError, match="^place: want DeviceMemory or int, got str$"):
        device.launch("minalpher", "minalpher_permute", 6, "data")


def test_the_clock(device: Device) -> None:
    """The driver's clock says a millisecond between any two events."""
    cipher, data = aead.Minalpher(bytes(16), machine=device), device.zeros(64)
    out = device.zeros(256)

    def work() -> None:
        cipher.seal_on_device(bytes(13), data, 64, out, out.address + 128)

    assert device.elapsed_ns(work) == 1e6
    names = ["minalpher_start", "minalpher_encrypt", "minalpher_finish"]
    assert device.timeline(work) == [(name, 1e6) for name in names]
    for measure in (device.elapsed_ns, device.timeline):
        with pytest.raises(ZeroDivisionError):
            measure(lambda: 1 // 0)
    assert device.timeline(lambda: None) == []


# -- messages on the device ----------------------------------------------------------------------
@pytest.mark.parametrize("name", aead.names())
@pytest.mark.filterwarnings("ignore::roundworks.errors.ResearchOnlyWarning")
def test_messages_on_the_device(device: Device, name: str) -> None:
    cipher = aead.get(name)(bytes(aead.get(name).KEY_BYTES), machine=device)
    nonce, data = bytes(cipher.NONCE_BYTES), random.Random(name).randbytes(96)
    sealed = cipher.encrypt(nonce, data)
    size = len(sealed) - cipher.tag_bytes
    given, out, back, tag = device.put(data), device.zeros(256), device.zeros(256), device.zeros(32)
    cipher.seal_on_device(nonce, given, 96, out, tag)
    assert out.read(size) + tag.read(cipher.tag_bytes) == sealed
    assert cipher.open_on_device(nonce, out, size, back, tag) == 96 and back.read(96) == data
    with pytest.raises(InvalidTag):
        cipher.open_on_device(nonce, out, size, back, device.zeros(32))
    assert back.read(96) == bytes(96)
    with pytest.raises(ValueError, match="^tag: want an address that is a multiple of 16, got 0x"):
        cipher.seal_on_device(nonce, given, 96, out, tag.address + 8)
    # Staged, three of them.
    staged = cipher.stage([nonce] * 3, [data] * 3)
    staged.run()
    texts, tags, _ = staged.read()
    assert (texts, tags) == (sealed[:size] * 3, sealed[size:] * 3)
    forged = sealed[:-1] + bytes((sealed[-1] ^ 1,))
    opening = cipher.stage([nonce] * 2, [sealed, forged], sealed=True)
    opening.run()
    texts, _, right = opening.read()
    assert right == [True, False] and texts[:96] == data and texts[size:] == bytes(size)
    with pytest.raises(InvalidTag):
        cipher.stage([nonce], [b"short"], sealed=True)


def test_staged_by_another(device: Device) -> None:
    ours, other = (aead.get(name)(bytes(16), machine=device) for name in ("aes-128-gcm", "aegis-128l"))
    assert ours.stage([], []).read() == (b"", b"", [])
    with pytest.raises(ValueError, match="^nonces: want 16 bytes each, got 12$"):
        other.stage([bytes(12)], [b""])


# -- overlap -------------------------------------------------------------------------------------
@pytest.mark.parametrize("is_pinned", [True, False])
@pytest.mark.parametrize("blocks", [0, 1, 32, 64, 65, 200])
def test_a_pipeline_gives_what_one_call_gives(device: Device, blocks: int, is_pinned: bool) -> None:
    """Streams of the tests' driver wait as long as they may: a missing wait would show."""
    size, each = BLOCK * blocks, 32 * BLOCK
    memory = [Pinned(device, size) if is_pinned else bytearray(size) for _ in range(2)]
    data, out = (np.frombuffer(one, np.uint8) for one in memory)
    data[:] = np.frombuffer(random.Random(blocks).randbytes(size), np.uint8)
    seen = []

    def work(into: int, to: int, n: int) -> None:
        seen.append(n)
        device.launch("minalpher", "minalpher_permute", 2, into, to, n // BLOCK, False)

    before = ledger("pinned")
    device.pipeline(data, out, each, work)
    assert seen == [min(each, size - first) for first in range(0, size, each)]
    assert out.tobytes() == (permuted(data.tobytes()) if blocks else b"")
    want = 0 if is_pinned or not blocks else 4
    assert ledger("pinned") - before == want, "buffers only where they must be"


def test_a_pipeline_that_fails(device: Device) -> None:
    data, out = bytearray(4 * BLOCK), bytearray(4 * BLOCK)
    with pytest.raises(ZeroDivisionError):
        device.pipeline(data, out, BLOCK, lambda into, to, n: 1 // 0)
    with pytest.raises(ValueError, match=r"^out: want 128 bytes in increments of 1 or more, got 127$"):
        device.pipeline(data, out[1:], BLOCK, lambda *_: None)
    with pytest.raises(ValueError, match="^out: overlaps data; want memory of its own$"):
        device.pipeline(data, data, BLOCK, lambda *_: None)


def test_copies_overlap_with_the_work(device: Device) -> None:
    """All that may come in before the first increment has left does."""
    data, out = Pinned(device, 4 * BLOCK), Pinned(device, 4 * BLOCK)
    log = Log()
    device.pipeline(
        data,
        out,
        BLOCK,
        lambda into, to, n: device.launch("minalpher", "minalpher_permute", 2, into, to, 1, False),
    )
    assert sorted(log.calls) == sorted("ukd" * 4)
    # The third waits for the work on the first, whose memory it takes; no copy out is waited for.
    assert log.calls.startswith("uuku"), log.calls


def test_copies_from_and_to_pinned_memory(device: Device) -> None:
    here, back = Pinned(device, 300), Pinned(device, 300)
    data, found = np.frombuffer(here, np.uint8), np.frombuffer(back, np.uint8)
    data[:] = np.arange(300) % 251
    memory = device.zeros(300)
    device.copy_in(memory, here)
    device.copy_out(back, memory)
    device.wait()
    assert np.array_equal(found, data)
    with pytest.raises(ValueError, match=r"^pinned: want at most the 256 bytes on the device, got 300$"):
        device.copy_in(device.zeros(1), here)
    before = ledger("pinned")
    del here, back
    assert ledger("pinned") == before, "as long as there is a view of it"
    del data, found
    assert ledger("pinned") == before - 2


# -- signals ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["minalpher", "aes-128-gcm"])
def test_a_signal_ends_a_long_call(device: Device, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Between two increments or launches, of which there are enough for minutes here; what was opened
    until then is zeros."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    cipher = aead.get(name)(bytes(16), machine=device)
    nonce, data = bytes(cipher.NONCE_BYTES), bytes(64 << 20)
    sealed = cpu.get(name)(bytes(16)).encrypt(nonce, data)
    device.tune(increment_bytes=1024, launch_bytes=64)
    out = bytearray(b"\x5a" * (len(sealed) - 16))
    try:
        for call in (
            lambda: cipher.encrypt(nonce, data),
            lambda: cipher.decrypt_into(nonce, sealed, None, out),
            lambda: cipher.seal_many([nonce] * (1 << 18), [data[:64]] * (1 << 18)),
        ):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(KeyboardInterrupt):
                call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not any(out)
    assert cipher.encrypt(nonce, data[:3000]) == cpu.get(name)(bytes(16)).encrypt(nonce, data[:3000])
