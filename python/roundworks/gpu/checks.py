"""Right before fast: what a device has to compute before anything on it is timed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .. import spec
from ..errors import InvalidTag, KernelError
from . import aead, device
from .bench import keyed, nonce, pattern
from .device import Device

# Around blocks, groups of 32 of them, and what a warp has rather than a lane.
_SIZES = (0, 31, 32, 75, 1023, 1024, 1499, 1500, 3000, 70_000)


def vectors(name: str, machine: Device) -> int:
    """Every vector of a cipher, one by one, AES's counter mode from tables and by bit slices; then those
    of a key and a size of tag in one call. Returns how many.

    Raises
    ------
    KernelError
        ``minalpher: vector 12: the kernel gives other bytes``
    """
    alike: dict[tuple[bytes, int], list[spec.AeadVector]] = {}
    for v in spec.aead_vectors(name):
        alike.setdefault((v.key, len(v.tag)), []).append(v)
    for (key, tag_bytes), cases in alike.items():
        cipher = keyed(name, machine, key, tag_bytes)
        nonces, ads = [v.nonce for v in cases], [v.ad for v in cases]
        given = [v.ct + v.tag for v in cases]
        sealed = [cipher.seal_many(nonces, [v.pt for v in cases], ads)]
        opened = [cipher.open_many(nonces, given, ads)[0]]
        for bit_slices in {False, name.endswith("-gcm")}:
            machine.tune(bit_slices=bit_slices)
            sealed.append([cipher.encrypt(v.nonce, v.pt, v.ad) for v in cases])
            opened.append([_opened(cipher, v) for v in cases])
        machine.tune(bit_slices=False)
        for i, v in enumerate(cases):
            if v.valid and any(result[i] != given[i] for result in sealed):
                raise KernelError(f"{name}: vector {v.id}: the kernel gives other bytes")
            if any(result[i] != (v.pt if v.valid else None) for result in opened):
                raise KernelError(f"{name}: vector {v.id}: the kernel decides otherwise")
    return sum(map(len, alike.values()))


def _opened(cipher: aead.GpuAead, v: spec.AeadVector) -> bytes | None:
    try:
        return cipher.decrypt(v.nonce, v.ct + v.tag, v.ad)
    except InvalidTag:
        return None


def many(name: str, machine: Device) -> int:
    """Messages of one call give what a call for each gives, and a wrong tag nothing. Returns how many.

    Raises
    ------
    KernelError
        ``minalpher: many messages give other bytes than one each``
    """
    cipher = keyed(name, machine)
    nonces = [nonce(name)[:-1] + bytes((i,)) for i in range(len(_SIZES))]
    data = [pattern(size).tobytes() for size in _SIZES]
    ads = [pattern(33 * i).tobytes() for i in range(len(_SIZES))]
    sealed = cipher.seal_many(nonces, data, ads)
    if sealed != [cipher.encrypt(*one) for one in zip(nonces, data, ads, strict=True)]:
        raise KernelError(f"{name}: many messages give other bytes than one each")
    sealed[2] = sealed[2][:-1] + bytes((sealed[2][-1] ^ 1,))
    if cipher.open_many(nonces, sealed, ads)[0] != [*data[:2], None, *data[3:]]:
        raise KernelError(f"{name}: many messages are decided otherwise")
    return len(_SIZES)


def ceilings(machine: Device) -> int:
    """Logic and look-ups give on a device what they give on the host. Returns how many there are.

    Raises
    ------
    KernelError
        ``ceilings_lop3: the device gives other words than the host``
    """
    for entry in ("ceilings_lop3", "ceilings_look_ups"):
        words = []
        for one in (machine, device.host()):
            out = one.zeros(4 * 256)
            one.launch("ceilings", entry, 256, out, 3)
            words.append(out.read(4 * 256))
        if words[0] != words[1]:
            raise KernelError(f"{entry}: the device gives other words than the host")
    return 2


CHECKS: dict[str, Callable[[Device], int]] = {"ceilings": ceilings}
for _name in aead.names():
    CHECKS |= {_name: partial(vectors, _name), f"{_name}, many messages": partial(many, _name)}
