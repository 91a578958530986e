"""Cycles of the AEGIS cores. [AEGIS, section 3]"""

from __future__ import annotations

from collections.abc import Mapping

from .aead import AeadCycles


def _aegis128(update: int, extra: int, interleaved: int = 1) -> AeadCycles:
    """Ten updates of initialisation, seven of finalisation."""
    return AeadCycles("aegis-128", 16, 10 + 7, update, extra, interleaved)


# By the name that rtl/cores.toml gives under `cycles`.
FORMULAS: Mapping[str, AeadCycles] = {
    # One cycle to load the state and one for the response.
    "aegis.base": _aegis128(5, 2),
    # Sixteen until the last word and the tag have passed, and the response.
    "aegis.ao1": _aegis128(100, 17),
    # One to load, three to bring the last word in, the response; the first update takes three.
    "aegis.ao2": _aegis128(5, 3),
    # One to load, two to bring the last words in, the response.
    "aegis.to1": _aegis128(3, 4),
    "aegis.to2": _aegis128(1, 2),
    # One to load, seventeen in which the tag is compared, the response.
    "aegis.masked": _aegis128(30, 19),
    # As TO2, in every third clock.
    "aegis.interleaved": _aegis128(1, 2, interleaved=3),
    # Sixteen updates of initialisation, seven of finalisation; around them as TO2.
    "aegis.256": AeadCycles("aegis-256", 16, 16 + 7, 1, 2),
}
