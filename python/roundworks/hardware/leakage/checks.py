"""The checks of a masked core by name, as `roundworks sim --driver leakage` runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...errors import HardwareError
from ...reference.aes import SUB_BYTES
from ..cores import Core
from ..flow.simulate import Test
from .function import prove_product, prove_sbox
from .probing import prove_probes
from .separation import prove_separation
from .t_test import THRESHOLD, t_test

_Parameters = Mapping[str, str]
_Check = Callable[[Core, _Parameters, int], tuple[bool, str]]
# A trace of a whole message takes a thousand times that of a byte.
_TRACES = {"aes_sbox_masked": 20_000, "aegis128_masked": 1_000}


def _function(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    if core.top == "dom_product":
        latency = prove_product(core, parameters).latency
    else:
        latency = prove_sbox(core, parameters, SUB_BYTES).latency
    return True, f"proven: for all values, shares and random bits; cycles {latency}"


def _probes(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    return True, _said(core, parameters, transitions=False)


def _transitions(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    return True, _said(core, parameters, transitions=True)


def _said(core: Core, parameters: _Parameters, *, transitions: bool) -> str:
    proof = prove_probes(core, parameters, transitions=transitions)
    return (
        f"proven: {proof.probes} probes of up to {proof.widest} bits"
        f"{', two cycles each' if transitions else ''}; enumerated {proof.enumerated} variables"
    )


def _separation(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    proof = prove_separation(core, parameters)
    return True, (
        f"proven: {proof.registers:,} registers outside {proof.parts} masked parts; {proof.random_bits} random bits"
    )


def _masked(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    done = t_test(core, parameters, traces=_TRACES[core.top], seed=seed)
    return not done.leaks, f"measured: t {done.t:.1f}, {done.traces:,} traces, {done.cycles} cycles"


def _control(core: Core, parameters: _Parameters, seed: int) -> tuple[bool, str]:
    done = t_test(core, parameters, traces=_TRACES[core.top], seed=seed, randomised=False)
    return done.leaks, f"measured: t {done.t:.1f}, {done.traces:,} traces; want above {THRESHOLD}"


_PROOFS: Mapping[str, _Check] = {"function": _function, "probes": _probes, "transitions": _transitions}
_MEASURED: Mapping[str, _Check] = {"t-test": _masked, "t-test, no random bits": _control}
# By the top module.
_CHECKS: Mapping[str, Mapping[str, _Check]] = {
    "dom_product": _PROOFS,
    "aes_sbox_masked": {**_PROOFS, **_MEASURED},
    "aegis128_masked": {"separation": _separation, **_MEASURED},
}


def names(core: Core) -> list[str]:
    """The checks that a core has.

    Raises
    ------
    HardwareError
        ``aes-sbox: want a masked core: aegis128_masked, aes_sbox_masked, dom_product``
    """
    if core.top not in _CHECKS:
        raise HardwareError(f"{core.name}: want a masked core: {', '.join(sorted(_CHECKS))}")
    return list(_CHECKS[core.top])


def check_one(core: Core, parameters: _Parameters, name: str, seed: int = 1) -> Test:
    """One of `names`. The message begins with how sure the result is."""
    try:
        passed, message = _CHECKS[core.top][name](core, parameters, seed)
    except HardwareError as error:
        return Test(name, False, str(error))
    return Test(name, passed, message)
