"""Cycles of the Rocca-S cores. [ROCCA-S-DRAFT]"""

from __future__ import annotations

from collections.abc import Mapping

from .aead import AeadCycles

# By the name that rtl/cores.toml gives under `cycles`. Sixteen rounds of initialisation, sixteen of
# finalisation; one cycle to load the state and one for the response.
FORMULAS: Mapping[str, AeadCycles] = {"rocca.s": AeadCycles("rocca-s", 32, 16 + 16, 1, 2)}
