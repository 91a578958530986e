"""The typed reader of ``spec/``: ciphers, vectors, papers, S-boxes, bibliography.

Every file is checked against its schema and against the others before a value leaves this
package. What is malformed is a ``SpecError`` that opens with ``file:line:`` and is never skipped.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .ciphers import aead_vectors as aead_vectors
from .ciphers import cipher as cipher
from .ciphers import ciphers as ciphers
from .ciphers import function_vectors as function_vectors
from .ciphers import vector_files as vector_files
from .cpus import Cpu as Cpu
from .cpus import OtherFigure as OtherFigure
from .cpus import Profile as Profile
from .cpus import Timing as Timing
from .cpus import cpu as cpu
from .cpus import cpus as cpus
from .cpus import generic_cpus as generic_cpus
from .cpus import profile_of as profile_of
from .descriptions import description_vectors as description_vectors
from .documents import checkout as checkout
from .documents import root as root
from .library import bibliography as bibliography
from .library import cell_permutations as cell_permutations
from .library import matrices as matrices
from .library import paper as paper
from .library import papers as papers
from .library import sboxes as sboxes
from .netlists import Gate as Gate
from .netlists import Netlist as Netlist
from .netlists import netlist as netlist
from .netlists import netlists as netlists
from .permutations import permutation as permutation
from .permutations import permutation_vectors as permutation_vectors
from .permutations import permutations as permutations
from .types import AeadVector as AeadVector
from .types import CipherFacts as CipherFacts
from .types import Column as Column
from .types import DescriptionVector as DescriptionVector
from .types import FunctionVector as FunctionVector
from .types import Paper as Paper
from .types import PermutationFacts as PermutationFacts
from .types import PermutationVector as PermutationVector
from .types import PrintedCell as PrintedCell
from .types import PrintedRow as PrintedRow
from .types import PrintedTable as PrintedTable
from .types import Reading as Reading
from .types import SboxFacts as SboxFacts
from .types import Source as Source
from .types import VectorFile as VectorFile

if TYPE_CHECKING:
    from .hardware import ComparedCipher as ComparedCipher
    from .hardware import DensityGoal as DensityGoal
    from .hardware import Design as Design
    from .hardware import Headline as Headline
    from .hardware import PrintedClock as PrintedClock
    from .hardware import PrintedPoint as PrintedPoint
    from .hardware import compared_ciphers as compared_ciphers
    from .hardware import density_goals as density_goals
    from .hardware import designs as designs
    from .hardware import headlines as headlines
    from .hardware import printed_clocks as printed_clocks
    from .published import PublishedCurve as PublishedCurve
    from .published import PublishedFigure as PublishedFigure
    from .published import PublishedReach as PublishedReach
    from .published import Unprinted as Unprinted
    from .published import published_curves as published_curves
    from .published import published_figures as published_figures
    from .published import published_reaches as published_reaches
    from .published import unprinted as unprinted
    from .speed import CorePair as CorePair
    from .speed import GeneratedCoresGoal as GeneratedCoresGoal
    from .speed import GeneratedGoal as GeneratedGoal
    from .speed import GenerationGoal as GenerationGoal
    from .speed import Goal as Goal
    from .speed import GpuGoal as GpuGoal
    from .speed import RandomGoal as RandomGoal
    from .speed import Recurrence as Recurrence
    from .speed import Work as Work
    from .speed import generated_cores_goal as generated_cores_goal
    from .speed import generated_goals as generated_goals
    from .speed import generated_permutations_mean as generated_permutations_mean
    from .speed import generation_goal as generation_goal
    from .speed import goals as goals
    from .speed import gpu_goals as gpu_goals
    from .speed import random_goal as random_goal
    from .speed import slower_generated as slower_generated
    from .speed import slower_permutation as slower_permutation
    from .speed import work as work

# Imported at the first use of a name of theirs: most commands want none of them.
_LATER = ("hardware", "published", "speed")


def __getattr__(name: str) -> Any:
    for module in () if name.startswith("_") else _LATER:
        names = vars(importlib.import_module(f".{module}", __name__))
        if name in names:
            return globals().setdefault(name, names[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check_all() -> str:
    """Read everything under ``spec/``; one line that counts it, or the first error."""
    from .hardware import designs
    from .published import published_curves, published_figures, published_reaches
    from .speed import goals, work

    cases = sum(len(aead_vectors(facts.name)) for facts in ciphers())
    cases += sum(len(function_vectors(facts.name)) for facts in ciphers())
    cases += sum(len(permutation_vectors(f)) for f in {p.family for p in permutations()})
    cases += len(description_vectors())
    cells = sum(1 for found in papers() for table in found.tables for _ in table.cells())
    published = len(published_curves()) + len(published_figures()) + len(published_reaches())
    return (
        f"spec: {len(ciphers())} ciphers, {len(permutations())} permutations, {cases} test vectors,"
        f" {len(sboxes())} S-boxes, {len(matrices()) + len(cell_permutations())} linear layers,"
        f" {len(netlists())} netlists,"
        f" {len(papers())} papers with {cells} printed values,"
        f" {len(goals())} goals of speed, the work of {len(work())} ciphers, {len(cpus())} CPUs,"
        f" {len(designs())} hardware designs, {published} published figures,"
        f" {len(bibliography())} sources"
    )
