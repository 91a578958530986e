"""The typed reader of ``spec/``: ciphers, vectors, papers, S-boxes, bibliography.

Every file is checked against its schema and against the others before a value leaves this
package. What is malformed is a ``SpecError`` that opens with ``file:line:`` and is never skipped.
"""

from __future__ import annotations

from .ciphers import aead_vectors, cipher, ciphers, function_vectors, vector_files
from .cpus import Cpu, OtherFigure, Profile, Timing, cpu, cpus, generic_cpus, profile_of
from .documents import checkout, root
from .hardware import (
    ComparedCipher,
    DensityGoal,
    Design,
    Headline,
    PrintedClock,
    PrintedPoint,
    compared_ciphers,
    density_goals,
    designs,
    headlines,
    printed_clocks,
)
from .library import bibliography, cell_permutations, matrices, paper, papers, sboxes
from .netlists import Gate, Netlist, netlist, netlists
from .permutations import permutation, permutation_vectors, permutations
from .speed import Goal, GpuGoal, Recurrence, Work, goals, gpu_goals, work
from .types import (
    AeadVector,
    Cell,
    CipherFacts,
    Column,
    FunctionVector,
    Paper,
    PermutationFacts,
    PermutationVector,
    Reading,
    Row,
    SboxFacts,
    Source,
    Table,
    VectorFile,
)

__all__ = [
    "AeadVector",
    "Cell",
    "CipherFacts",
    "Column",
    "ComparedCipher",
    "Cpu",
    "DensityGoal",
    "Design",
    "FunctionVector",
    "Gate",
    "Goal",
    "GpuGoal",
    "Headline",
    "Netlist",
    "OtherFigure",
    "Paper",
    "PermutationFacts",
    "PermutationVector",
    "PrintedClock",
    "PrintedPoint",
    "Profile",
    "Reading",
    "Recurrence",
    "Row",
    "SboxFacts",
    "Source",
    "Table",
    "Timing",
    "VectorFile",
    "Work",
    "aead_vectors",
    "bibliography",
    "cell_permutations",
    "check_all",
    "checkout",
    "cipher",
    "ciphers",
    "compared_ciphers",
    "cpu",
    "cpus",
    "density_goals",
    "designs",
    "function_vectors",
    "generic_cpus",
    "goals",
    "gpu_goals",
    "headlines",
    "matrices",
    "netlist",
    "netlists",
    "paper",
    "papers",
    "permutation",
    "permutation_vectors",
    "permutations",
    "printed_clocks",
    "profile_of",
    "root",
    "sboxes",
    "vector_files",
    "work",
]


def check_all() -> str:
    """Read everything under ``spec/``; one line that counts it, or the first error."""
    cases = sum(len(aead_vectors(facts.name)) for facts in ciphers())
    cases += sum(len(function_vectors(facts.name)) for facts in ciphers())
    cases += sum(len(permutation_vectors(f)) for f in {p.family for p in permutations()})
    cells = sum(1 for found in papers() for table in found.tables for _ in table.cells())
    return (
        f"spec: {len(ciphers())} ciphers, {len(permutations())} permutations, {cases} test vectors,"
        f" {len(sboxes())} S-boxes, {len(matrices()) + len(cell_permutations())} linear layers,"
        f" {len(netlists())} netlists,"
        f" {len(papers())} papers with {cells} printed values,"
        f" {len(goals())} goals of speed, the work of {len(work())} ciphers, {len(cpus())} CPUs,"
        f" {len(designs())} hardware designs,"
        f" {len(bibliography())} sources"
    )
