"""Word-wise bounds from a description, one function per measure, each exhaustive within its model."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from .. import _native
from ..bounds import Bound
from ..errors import DescriptionError
from ..reference import Described, Recording, StreamAead, record_init, record_load, record_round
from . import observed, words


def at_no_cost(measure: str, what: str) -> str:
    """What the method adds where a closed path has no active F, or S-box: such a bound keeps nothing off."""
    may = (
        "messages may collide"
        if measure.startswith("collision")
        else "a sum of keystream words may be biased, or constant,"
    )
    return f"; no active {what}: {may} at no cost"


def active_f(cipher: StreamAead[Any], rounds: int) -> list[Bound]:
    """Fewest active F over 1..rounds of the initialisation, for a difference in the nonce only.

    The block of each round differs where the description makes it depend on the nonce (AEGIS-128
    absorbs K ^ N every other round). After the written initialisation ends, the same blocks are
    taken again from its start. [AETHER, section 4.1]
    """
    started = time.perf_counter()
    round_ = record_round(cipher)
    program, certain = words.differential(round_), _certainty(round_)
    load = record_load(cipher)
    nonce = [name for name in load.inputs if name.startswith("N")]
    loaded = words.load_program(load, nonce, list(load.outputs))
    blocks = record_init(cipher)
    _check_init(cipher, blocks)
    absorbed = _block_program(cipher, blocks, nonce)
    parts = words.parts(program)
    best: list[int | None] = [None] * rounds
    for pattern in words.nonzero_patterns(len(nonce)):
        starts = sorted(words.reachable_patterns(loaded, pattern))
        for whole in words.reachable_patterns(absorbed, pattern):
            rate = cipher.rate_words
            each = [whole >> r * rate & (1 << rate) - 1 for r in range(len(blocks))]
            schedule: list[int | None] = [each[r % len(each)] for r in range(rounds)]
            for start in starts:
                best = [
                    min((v for v in (a, b) if v is not None), default=None)
                    for a, b in zip(best, _profile(parts, start, schedule), strict=True)
                ]
    seconds = time.perf_counter() - started
    method = "all word-wise truncated differences from the nonce, by dynamic programming"
    bound = _bound(cipher, "active-f", "active F", "lower", certain, method, seconds / rounds)
    return [replace(bound, rounds=r, value=value, monotone=True) for r, value in enumerate(best, 1)]


def _profile(parts: list[words.WordPart], start: int, schedule: list[int | None]) -> list[int | None]:
    """Fewest active F after each round: the sum over parts, each of which chooses for itself."""
    total: list[int | None] = [0] * len(schedule)
    known: dict[object, list[int | None]] = {}
    for part in parts:
        state, _ = part.of(start, 0)
        blocks = [None if x is None else part.of(0, x)[1] for x in schedule]
        call = (part.program, state, tuple(blocks))
        if call not in known:
            known[call] = _native.word_profile(part.program.native(), [state], blocks)
        total = [None if a is None or b is None else a + b for a, b in zip(total, known[call], strict=True)]
    return total


def _check_init(cipher: StreamAead[Any], blocks: list[Recording]) -> None:
    """Between load and rounds nothing but key and constants, or the bound is of another cipher."""
    if not blocks:
        raise DescriptionError(f"{cipher.name}: init never calls update, so it has no rounds to bound")
    for block in blocks:
        for i in range(cipher.rate_words):
            if any(source.startswith("S") for source in block.dependencies(f"X{i}")):
                raise DescriptionError(
                    f"{cipher.name}: {block.part}: block X{i} depends on the state;"
                    " bounds need blocks made of key, nonce and constants"
                )
        differing = [name for name in block.inputs if not name.startswith("K")]
        given = words.load_program(block, differing, [f"S'{i}" for i in range(cipher.words)])
        for i, at in enumerate(given.outputs):
            if at is None or at >= len(differing) or differing[at] != f"S{i}":
                raise DescriptionError(
                    f"{cipher.name}: {block.part}: word S{i} is changed before the round;"
                    " bounds need rounds with nothing but key and constants between them"
                )


def _block_program(cipher: StreamAead[Any], blocks: list[Recording], nonce: list[str]) -> words.WordProgram:
    """The blocks of all rounds as one part: N0 ^ N1 cancels in every round or in none."""
    inputs = blocks[0].inputs
    outputs = {
        f"X{r}.{i}": block.outputs[f"X{i}"]
        for r, block in enumerate(blocks)
        for i in range(cipher.rate_words)
    }
    whole = Recording(cipher.name, "init", blocks[0].graph, inputs, outputs)
    return words.load_program(whole, nonce, list(outputs))


def diffusion(cipher: Described, rounds: int) -> list[Bound]:
    """How much of the state depends on how much of it after 1..rounds rounds, word-wise, in per cent of
    the pairs (word, word of the first state). Cancellation is not looked at."""
    started = time.perf_counter()
    program = words.differential(record_round(cipher))
    patterns = words.dependence(program, rounds)[1:]
    seconds = (time.perf_counter() - started) / rounds
    method = "pairs (word, word of the first state) with a path between them; cancellation aside"
    bound = _bound(cipher, "diffusion", "% of word pairs", "exact", "proven", method, seconds)
    shares = (100 * sum(p.bit_count() for p in after) / program.words**2 for after in patterns)
    return [replace(bound, rounds=r, value=share) for r, share in enumerate(shares, 1)]


def collision(cipher: StreamAead[Any]) -> Bound:
    """Fewest active F in an internal collision: blocks differ, in the end the state that the tag depends on does not.

    ``rounds`` of the bound are those of the cheapest one, ``value`` is None where none exists.
    """
    round_, kept = record_round(cipher), observed.observed_words(cipher)
    program = words.differential(round_, kept)
    bound = _closed_path(cipher, "collision", program, _certainty(round_), kept)
    if type(cipher).absorb is not StreamAead.absorb:
        bound = replace(bound, method=bound.method + "; message blocks only, absorb differs")
    return replace(bound, method=bound.method + observed.said(cipher, kept))


def bias(cipher: StreamAead[Any]) -> Bound:
    """Fewest active F in a linear relation between keystream words of any rounds (messages known)."""
    round_ = record_round(cipher)
    program, kept = words.linear(round_), tuple(range(cipher.words))
    return _closed_path(cipher, "bias", program, _certainty(round_), kept)


def _certainty(round_: Recording) -> str:
    return "heuristic" if words.doubled(round_) else "proven"


def _bound(
    cipher: Described, measure: str, unit: str, side: str, certainty: str, method: str, seconds: float
) -> Bound:
    if certainty != "proven":
        method += "; the same S-box input computed twice, counted apart"
    return Bound(
        cipher=cipher.name,
        measure=measure,
        rounds=None,
        value=None,
        unit=unit,
        side=side,
        certainty=certainty,
        method=method,
        seconds=seconds,
    )


def _closed_path(
    cipher: StreamAead[Any], measure: str, program: words.WordProgram, certain: str, of: tuple[int, ...]
) -> Bound:
    """``of``: the words of the state that the program has."""
    started = time.perf_counter()
    cheapest: tuple[int, list[tuple[int, int, int]]] | None = None
    known: dict[words.WordProgram, Any] = {}
    for part in words.parts(program):  # a cheapest path leaves all parts but one alone
        if part.program not in known:
            known[part.program] = _native.word_collision(part.program.native())
        one = known[part.program]
        if one is not None and (cheapest is None or one[0] < cheapest[0]):
            cheapest = one[0], [(*part.whole(state, block), active) for state, block, active in one[1]]
    method = "all word-wise truncated " + (
        "differences from zero state to zero state, by shortest path"
        if measure == "collision"
        else "masks from no mask to no mask on the state, by shortest path on the transposed round"
    )
    bound = _bound(cipher, measure, "active F", "lower", certain, method, time.perf_counter() - started)
    if cheapest is None:
        return replace(bound, method=bound.method + "; none exists")
    cost, trail = cheapest

    def whole(state: int) -> str:
        """A pattern of all words, with ``?`` for those that nobody looks at."""
        shown = dict(zip(of, stars(state, program.words), strict=True))
        return "".join(shown.get(i, "?") for i in range(cipher.words))

    steps = [
        {"state": whole(state), "block": stars(block, program.inputs), "active": active}
        for state, block, active in (trail if measure == "collision" else reversed(trail))
    ]
    if not cost:
        bound = replace(bound, method=bound.method + at_no_cost(measure, "F"))
    return replace(bound, rounds=len(trail), value=cost, witness={"trail": steps})


def stars(pattern: int, width: int) -> str:
    """A pattern of ``width`` words or cells, the first first: ``*`` active, ``.`` not."""
    return "".join("*" if pattern >> i & 1 else "." for i in range(width))


def differential(cipher: Described) -> Bound:
    """Largest exact differential probability of one F over all lightest patterns, as log2."""
    return _exact(cipher, "differential")


def correlation(cipher: Described) -> Bound:
    """Largest exact squared correlation of one F over all lightest mask patterns, as log2."""
    return _exact(cipher, "correlation")


def _exact(cipher: Described, measure: str) -> Bound:
    from . import exact, sms  # here: with numpy they take a tenth of a second, which others need not wait for

    maximise = {"differential": exact.differential_maximum, "correlation": exact.correlation_maximum}[measure]
    started = time.perf_counter()
    best = maximise(sms.sms_unit(record_round(cipher)))
    digits = len(best.before) * best.cell_bits // 4
    witness = {
        "before": f"{best.word('before'):0{digits}x}",
        "after": f"{best.word('after'):0{digits}x}",
        "best_trail_log2": best.best_trail_log2,
        "patterns": best.patterns,
        "weight": best.weight,
    }
    method = (
        f"exact over all {best.patterns} patterns of weight {best.weight};"
        f" heavier patterns not searched, so the maximum of {best.unit} is at least this"
    )
    bound = _bound(cipher, measure, "log2", "lower", "proven", method, time.perf_counter() - started)
    return replace(bound, value=best.log2, witness=witness)
