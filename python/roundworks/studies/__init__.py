"""Everything that is computed or measured, as functions for a program or a notebook.

Each returns a `Result`: typed rows, and tables that show themselves. What takes more than one step is a
`Study`: a plan of independent units, the run of each, and a reduction of their rows. Nothing is stored
unless the caller does: ``Store().append(result.rows)``.

>>> from roundworks import studies
>>> studies.search(words=9, inputs=3, active=8)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyses import analyse as analyse
    from .ciphers import audit as audit
    from .ciphers import bounds as bounds
    from .ciphers import cycles as cycles
    from .ciphers import describe as describe
    from .ciphers import vectors as vectors
    from .code import Code as Code
    from .code import prove_code as prove_code
    from .confirmations import Confirm as Confirm
    from .confirmations import confirm as confirm
    from .decide import Decide as Decide
    from .designs import Designs as Designs
    from .drawings import draw as draw
    from .estimates import Estimates as Estimates
    from .estimates import estimate_structures as estimate_structures
    from .generated import GeneratedSpeed as GeneratedSpeed
    from .hardware import CoreChoice as CoreChoice
    from .hardware import choose as choose
    from .hardware import choose_generated as choose_generated
    from .hardware import route as route
    from .hardware import simulate as simulate
    from .hardware_bench import drive as drive
    from .hardware_table import HardwareTable as HardwareTable
    from .inner import Inner as Inner
    from .messages import LongMessages as LongMessages
    from .messages import long_messages as long_messages
    from .netlists import estimate_power as estimate_power
    from .netlists import synthesise as synthesise
    from .own import Cipher as Cipher
    from .page import report as report
    from .papers import Reproduction as Reproduction
    from .papers import reproduction as reproduction
    from .proofs import check as check
    from .proofs import race as race
    from .ranking import Timed as Timed
    from .ranking import fastest as fastest
    from .result import Result as Result
    from .result import Table as Table
    from .rounds import LightTrails as LightTrails
    from .rounds import RoundsNeeded as RoundsNeeded
    from .runner import distribute as distribute
    from .sheets import Sheet as Sheet
    from .sheets import sheet as sheet
    from .software import PermutationSpeed as PermutationSpeed
    from .software import Speed as Speed
    from .software import permutation_speed as permutation_speed
    from .software import speed as speed
    from .structures import Search as Search
    from .structures import search as search
    from .study import Study as Study
    from .study import Unit as Unit
    from .study import conduct as conduct
    from .sums import Sums as Sums
    from .trial_runs import Trials as Trials
    from .trial_runs import trials as trials

# Module -> what it has, imported when a name is wanted: some want solvers, one draws a page.
_PLACES = {
    "analyses": "analyse",
    "ciphers": "audit bounds cycles describe vectors",
    "code": "Code prove_code",
    "decide": "Decide",
    "designs": "Designs",
    "drawings": "draw",
    "hardware": "CoreChoice choose choose_generated route simulate",
    "hardware_bench": "drive",
    "hardware_table": "HardwareTable",
    "inner": "Inner",
    "confirmations": "Confirm confirm",
    "messages": "LongMessages long_messages",
    "estimates": "Estimates estimate_structures",
    "generated": "GeneratedSpeed",
    "netlists": "estimate_power synthesise",
    "own": "Cipher",
    "page": "report",
    "papers": "Reproduction reproduction",
    "proofs": "check race",
    "ranking": "Timed fastest",
    "result": "Result Table",
    "rounds": "LightTrails RoundsNeeded",
    "runner": "distribute",
    "sheets": "Sheet sheet",
    "software": "PermutationSpeed Speed permutation_speed speed",
    "structures": "Search search",
    "study": "Study Unit conduct",
    "sums": "Sums",
    "trial_runs": "Trials trials",
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names.split():
            return getattr(importlib.import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(name for names in _PLACES.values() for name in names.split())
