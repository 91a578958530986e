"""Software speed by message size and back end: raw samples, one run, interleaved.

The Rust core is timed inside the native module (short windows, each next to a dependent add chain
that calibrates the core clock); the Python surface by `perf_counter_ns`, with pyca's AES-256-GCM
as the named peer. Timing is never a test; the digest is: every back end must give the same bytes.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .. import __version__, _native, aead, spec
from ..errors import BackendUnavailable, ResearchOnlyWarning, RoundworksError
from .compiled import Compiled, aligned

QUICK_SIZES = (16, 64, 256, 1500, 4096, 16384)
FULL_SIZES = (0, 16, 64, 256, 1500, 4096, 16384, 1 << 20)
PYTHON_SIZES = (64, 1500, 16384, 1 << 20)
OURS, PEER, PYCA = "roundworks", "aes-256-gcm", "pyca"
_WINDOW_NS = 1_000_000  # a window under 2 ms is rarely interrupted
# Bytes: longer messages are worth an array.
_SHORT = 1024


@dataclass(frozen=True, slots=True)
class SpeedWorkload:
    """What one sample computes, and by whom."""

    cipher: str
    library: str
    backend: str
    surface: str
    operation: str
    data_bytes: int
    ad_bytes: int


def workloads(
    ciphers: Sequence[str],
    backends: Sequence[str],
    sizes: Sequence[int],
    operations: Sequence[str],
    ad_sizes: Sequence[int],
) -> list[SpeedWorkload]:
    """All of it, in the order that interleaves back ends: sizes outermost."""
    results = []
    for size in sizes:
        for ad in ad_sizes:
            for operation in operations:
                what = (operation, size, ad)
                for cipher in ciphers:
                    here = [n for n, there in aead.get(cipher).backends() if there]
                    chosen = [b for b in here if not backends or b in backends]
                    results += [SpeedWorkload(cipher, OURS, b, "rust", *what) for b in chosen]
                    surfaces = _surfaces(aead.get(cipher)) if chosen else ()
                    results += [SpeedWorkload(cipher, OURS, chosen[-1], s, *what) for s in surfaces]
                if importlib.util.find_spec("cryptography"):
                    results += [SpeedWorkload(PEER, PYCA, "run-time", s, *what) for s in _surfaces(_pyca())]
    if not any(w.surface == "rust" for w in results):
        raise BackendUnavailable(
            f"back ends {', '.join(backends)}: none of them runs {', '.join(ciphers)} here;"
            " `roundworks list` shows which do"
        )
    return results


def _surfaces(cipher: Any) -> tuple[str, ...]:
    return ("python", "python-into") if hasattr(cipher, "encrypt_into") else ("python",)


def _pyca() -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM


def measure(
    loads: Sequence[SpeedWorkload],
    *,
    samples: int,
    rounds: int = 3,
    progress: Callable[[int, int], object] | None = None,
    programs: Mapping[str, Compiled] | None = None,
) -> list[dict[str, Any]]:
    """Fields of one bench row per workload; each is visited ``rounds`` times, interleaved. `programs` are
    generated code by cipher, for workloads whose surface is C."""
    taken: dict[SpeedWorkload, tuple[list[float], list[float], float]] = {w: ([], [], 0.0) for w in loads}
    digests: dict[SpeedWorkload, str] = {}
    for visit in range(rounds):
        for position, load in enumerate(loads):
            started = time.perf_counter()
            ns, cycles, digest = _sample(load, -(-samples // rounds), programs or {})
            if digests.setdefault(load, digest) != digest:
                raise RoundworksError(f"{load.cipher}/{load.backend}: digest changed between runs")
            before = taken[load]
            spent = before[2] + time.perf_counter() - started
            taken[load] = (before[0] + ns, before[1] + cycles, spent)
            if progress:
                progress(visit * len(loads) + position + 1, rounds * len(loads))
    _check_digests(digests)
    return [
        {
            **asdict(w),
            "version": _version(w.library),
            "samples_ns": [round(s, 2) for s in taken[w][0]],
            "samples_cycles": [round(s, 2) for s in taken[w][1]],
            "digest": digests[w],
            "seconds": taken[w][2],
        }
        for w in loads
    ]


def _version(library: str) -> str:
    return importlib.metadata.version("cryptography") if library == PYCA else __version__


def _check_digests(digests: dict[SpeedWorkload, str]) -> None:
    """Back ends and surfaces of one cipher must agree on every message."""
    first: dict[tuple[str, int, int], tuple[str, str]] = {}
    for w, digest in digests.items():
        name, wanted = first.setdefault((w.cipher, w.data_bytes, w.ad_bytes), (w.backend, digest))
        if digest != wanted:
            raise RoundworksError(
                f"{w.cipher}/{w.backend} differs from {name} at {w.data_bytes} bytes:"
                f" want {wanted[:16]}…, got {digest[:16]}…"
            )


def _sample(
    w: SpeedWorkload, samples: int, programs: Mapping[str, Compiled]
) -> tuple[list[float], list[float], str]:
    if w.surface == "c":
        return programs[w.cipher].sample(w.backend, w.data_bytes, w.ad_bytes, samples)
    if w.surface == "rust":
        return _native.bench(w.cipher, w.backend, w.operation, w.data_bytes, w.ad_bytes, samples, _WINDOW_NS)
    return _sample_python(w, samples)


def message(
    cipher: str, key_bytes: int, nonce_bytes: int, data_bytes: int, ad_bytes: int
) -> tuple[bytes, ...]:
    """Key, nonce, data and associated data of a workload: bytes counting up from 0."""
    return tuple(
        bytes(i & 0xFF for i in range(size)) for size in (key_bytes, nonce_bytes, data_bytes, ad_bytes)
    )


def _sample_python(w: SpeedWorkload, samples: int) -> tuple[list[float], list[float], str]:
    if w.library == PYCA:
        key, nonce, data, ad = message(PEER, 32, 12, w.data_bytes, w.ad_bytes)
        cipher: Any = _pyca()(key)
    else:
        facts = spec.cipher(w.cipher)
        key, nonce, data, ad = message(w.cipher, facts.key_bytes, facts.nonce_bytes, w.data_bytes, w.ad_bytes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResearchOnlyWarning)
            cipher = aead.get(w.cipher)(key, backend=w.backend)
    sealed = cipher.encrypt(nonce, data, ad)
    given = data if w.operation == "encrypt" else sealed
    if w.surface == "python-into":
        times = list(_windows(_into(w, cipher, nonce, given, ad, sealed), samples))
    else:
        call = cipher.encrypt if w.operation == "encrypt" else cipher.decrypt
        times = list(_windows(lambda: call(nonce, given, ad), samples))
    return times, [], hashlib.sha256(sealed).hexdigest()


def _into(
    w: SpeedWorkload, it: Any, nonce: bytes, given: bytes, ad: bytes, sealed: bytes
) -> Callable[[], object]:
    """The call that is timed, tried once. A short message goes from `bytes` to a `bytearray`, which takes
    less than arrays do; of others ours encrypts in place, as the core does."""
    encrypting = w.operation == "encrypt"
    into = it.encrypt_into if encrypting else it.decrypt_into
    size = it.opened_bytes(len(sealed)) if w.library == OURS else w.data_bytes
    space = len(sealed) if encrypting else size
    source: Any = given
    buf: Any = bytearray(space)
    if len(given) > _SHORT:
        source, buf = aligned(len(given)), aligned(space)
        if encrypting and w.library == OURS:
            source = buf[: len(given)]
        source[:] = np.frombuffer(given, np.uint8)
    into(nonce, source, ad, buf)
    want = sealed if encrypting else it.decrypt(nonce, sealed, ad)
    if bytes(buf[: len(want)]) != want:  # behind it, where a cipher pads, there are zeros
        raise RoundworksError(f"{w.cipher}/{w.backend}: {into.__name__} gives other bytes")
    return lambda: into(nonce, source, ad, buf)


def _windows(call: Callable[[], object], samples: int) -> Iterator[float]:
    """Nanoseconds of one call, per window."""
    count = 1
    while True:  # how many calls fill half a window
        begin = time.perf_counter_ns()
        for _ in range(count):
            call()
        took = time.perf_counter_ns() - begin
        if took > _WINDOW_NS // 4:
            break
        count *= 2
    count = max(1, count * _WINDOW_NS // (2 * took))
    for _ in range(samples):
        begin = time.perf_counter_ns()
        for _ in range(count):
            call()
        yield (time.perf_counter_ns() - begin) / count
