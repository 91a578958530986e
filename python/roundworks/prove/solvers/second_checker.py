"""A second checker of binary LRAT [LRAT], slow and short, that shares no code with the first one.

`roundworks trials` compares both on proofs, good and spoilt; `crates/roundworks-lrat` is the one that
certificates are checked with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def accepts(variables: int, clauses: Sequence[Sequence[int]], proof: bytes) -> bool:
    """Whether the proof derives the empty clause from the clauses, by unit propagation alone.

    Parameters
    ----------
    variables, clauses
        A formula: literals are 1..variables and their negatives; clauses count from 1.
    proof : bytes
        Binary LRAT.
    """
    known = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
    last = len(clauses)
    if frozenset() in known.values():
        return True
    try:
        for is_added, number, literals, hints in _steps(iter(proof)):
            if not is_added:
                for each in hints:
                    del known[each]
                continue
            if number <= last or not _follows(known, variables, literals, hints):
                return False
            known[number], last = frozenset(literals), number
            if not literals:
                return True
    except (KeyError, _MalformedError):
        return False
    return False


class _MalformedError(ValueError):
    pass


def _follows(known: dict[int, frozenset[int]], variables: int, literals: list[int], hints: list[int]) -> bool:
    """Whether the hints, each a unit under the negated literals, end in a clause that is false."""
    true = {-literal for literal in literals}
    if any(-literal in true for literal in true) or any(abs(literal) > variables for literal in true):
        return False
    for hint in hints:
        is_open = {literal for literal in known[hint] if -literal not in true}
        if not is_open:
            return True
        if len(is_open) > 1:
            return False
        true |= is_open
    return False


def _steps(data: Iterator[int]) -> Iterator[tuple[bool, int, list[int], list[int]]]:
    """Whether a step adds; the number and the literals of its clause; its hints, or what it deletes."""
    for kind in data:
        if kind == ord("a"):
            number = _clause(_number(data))
            literals = [_literal(code) for code in _list(data)]
            yield True, number, literals, [_clause(code) for code in _list(data)]
        elif kind == ord("d"):
            yield False, 0, [], [_clause(code) for code in _list(data)]
        else:
            raise _MalformedError


def _list(data: Iterator[int]) -> Iterator[int]:
    """Codes up to the 0 that ends them."""
    while code := _number(data):
        yield code


def _clause(code: int) -> int:
    if code % 2 or code < 2:  # a negative one would be of RAT
        raise _MalformedError
    return code // 2


def _literal(code: int) -> int:
    if code < 2 or code // 2 >= 1 << 31:
        raise _MalformedError
    return -(code // 2) if code % 2 else code // 2


def _number(data: Iterator[int]) -> int:
    """Seven bits in each byte, the lowest first; the highest bit of a byte says that more follow."""
    value = 0
    for place in range(9):
        byte = next(data, None)
        if byte is None:
            raise _MalformedError
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value
    raise _MalformedError
