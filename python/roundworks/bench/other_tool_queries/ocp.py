"""Queries for OCP [OCP], by its Python package; of its solvers that need no licence the faster for each query.

On fewer rounds SCIP was faster for truncated differences of SKINNY and of three rounds of AES, and CaDiCaL
for all else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import Query

_SAT = "SAT, CaDiCaL 1.9.5 of python-sat"
_MILP = "MILP, SCIP"
_MODELS = {_SAT: ("sat", "Cadical195"), _MILP: ("milp", "SCIP")}
# Our name -> their module, the function in it that makes the cipher without its key schedule, its version.
_CIPHERS = {
    "aes": ("aes", "AES_PERMUTATION", ""),
    "ascon-p": ("ascon", "ASCON_PERMUTATION", ""),
    "gift-64": ("gift", "GIFT_PERMUTATION", "64"),
    "present": ("present", "PRESENT_PERMUTATION", ""),
    "simon-32-64": ("simon", "SIMON_PERMUTATION", "32"),
    "skinny-64-64": ("skinny", "SKINNY_PERMUTATION", "64"),
    "skinny-128-128": ("skinny", "SKINNY_PERMUTATION", "128"),
    "speck-32-64": ("speck", "SPECK_PERMUTATION", "32"),
}
_GOALS = {
    ("active-sboxes", "differential"): "TRUNCATEDDIFF_SBOXCOUNT",
    ("active-sboxes", "linear"): "TRUNCATEDLINEAR_SBOXCOUNT",
    ("trail-sboxes", "differential"): "DIFFERENTIAL_SBOXCOUNT",
    ("trail-sboxes", "linear"): "LINEAR_SBOXCOUNT",
    ("trail", "differential"): "DIFFERENTIALPATH_PROB",
    ("trail", "linear"): "LINEARPATH_CORR",
}
# Run in the checkout: arguments are module, maker, version, rounds, goal, kind of model, solver.
_SCRIPT = """
import importlib, sys
sys.path.insert(0, "")
from attacks import attacks
module, maker, version, rounds, goal, model, solver = sys.argv[1:]
make = getattr(importlib.import_module("primitives." + module), maker)
cipher = make(r=int(rounds), **({"version": int(version)} if version else {}))
attack = attacks.linear_attacks if "LINEAR" in goal else attacks.diff_attacks
trails = attack(cipher, goal=goal, config_model={"model_type": model}, config_solver={"solver": solver})
weight = "linear_weight" if "LINEAR" in goal else "diff_weight"
print("weight", min(trail.data[weight] for trail in trails))
"""

PRINTED = re.compile(r"^weight (\S+)$", re.MULTILINE)

QUERIES = (
    Query("skinny-64-64", "active-sboxes", 8, _MILP),
    Query("skinny-64-64", "active-sboxes", 10, _MILP),
    Query("skinny-64-64", "active-sboxes", 12, _MILP),
    Query("skinny-64-64", "active-sboxes", 8, _SAT, "linear"),
    Query("skinny-128-128", "active-sboxes", 10, _MILP),
    Query("aes", "active-sboxes", 3, _MILP),
    Query("aes", "active-sboxes", 4, _SAT),
    Query("aes", "active-sboxes", 4, _SAT, "linear"),
    Query("present", "trail-sboxes", 5, _SAT),
    Query("gift-64", "trail-sboxes", 5, _SAT),
    Query("present", "trail", 5, _SAT),
    Query("present", "trail", 4, _SAT, "linear"),
    Query("gift-64", "trail", 4, _SAT, "linear"),
    Query("ascon-p", "trail", 2, _SAT),
    Query("simon-32-64", "trail", 10, _SAT),
    Query("simon-32-64", "trail", 10, _SAT, "linear"),
    Query("speck-32-64", "trail", 7, _SAT),
    Query("speck-32-64", "trail", 6, _SAT, "linear"),
)


def command(query: Query, python: str) -> Sequence[str]:
    """Its processes' arguments, to be run in a checkout."""
    goal = _GOALS[query.measure, query.view]
    return [python, "-c", _SCRIPT, *_CIPHERS[query.cipher], str(query.rounds), goal, *_MODELS[query.solver]]
