"""The proofs of an AEAD core by name, as `roundworks sim --driver` runs them."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import HardwareError
from ...reference import Roundwise, Sbox, record_round
from ..cores import Core, described, wants_bench
from ..flow.simulate import Test
from .control import PROPERTIES, check_property
from .messages import cases, prove_message

LABELS = "by random labels of 256 bits: wrong with a chance below 2^-200"


def names(core: Core, driver: str) -> list[str]:
    """The cases, or the properties, that a core has.

    Raises
    ------
    HardwareError
        ``aes-sbox: want an AEAD core; its bench is 'aes_cells'``; of S-boxes that ``symbolic`` takes apart
    """
    if core.bench != "aead":
        raise HardwareError(wants_bench(core, f"want an AEAD core; its bench is {core.bench!r}"))
    if driver == "symbolic":
        if core.description and _has_sboxes(described(core)):
            raise HardwareError(
                f"{core.name}: driver symbolic keeps the S-boxes of the cores written by hand whole, and no others;"
                " take cpp or control: `roundworks generate` proves the round and the layers of this core"
            )
        return [case.name for case in cases(core)]
    return list(PROPERTIES)


def _has_sboxes(it: Roundwise) -> bool:
    return any(isinstance(node.detail, Sbox) for node in record_round(it).graph.nodes)


def prove_one(core: Core, parameters: Mapping[str, str], driver: str, name: str) -> Test:
    """One of `names`; what is short of the whole is said in the message, and is no failure."""
    try:
        if driver == "symbolic":
            (case,) = (case for case in cases(core) if case.name == name)
            message = prove_message(core, parameters, case)
            notes = [] if message.whole else ["without the tag, whose products are not compared"]
            notes += [] if message.exact else [LABELS]
            return Test(name, True, "; ".join(notes))
        proof = check_property(core, parameters, name)
        return Test(name, True, "" if proof.cycles is None else f"to cycle {proof.cycles} only")
    except HardwareError as error:
        return Test(name, False, str(error))
