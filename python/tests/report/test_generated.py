"""The page on generated code: each goal with its figure, each miss with its reason."""

from __future__ import annotations

from typing import Any

from made_rows import made
from roundworks import spec
from roundworks.report.generated import generated_code
from roundworks.rows import Row


def _rows(machine: str) -> list[Row]:
    common = {"machine": machine, "time": "2026-11-27T10:00:00Z", "run": "0" * 12}
    bench = {
        "cipher": "aether",
        "operation": "encrypt",
        "data_bytes": 16384,
        "ad_bytes": 0,
        "backend": "avx512",
    }
    bench |= {"samples_ns": [1.0], "digest": None}

    def timed(library: str, surface: str, cycles: float) -> Row:
        fields: dict[str, Any] = {"library": library, "surface": surface, "samples_cycles": [cycles]}
        return made(common | bench | fields, "bench")

    seconds = {"cipher": "aether", "target": "c", "backends": ["portable"], "functions": 9, "operations": 99}
    return [
        timed("generated", "c", 2e4),
        timed("roundworks", "rust", 1e4),
        made(common | seconds | {"tested": True, "seconds": 12.0}, "generation"),
    ]


def test_every_goal_has_a_figure_and_every_miss_a_reason() -> None:
    code = generated_code([*_rows("one"), *_rows("two")[:1]])
    assert list(code) == ["one"]  # on the other machine nothing is compared
    by_name = {(g.figure, g.scope): g for g in code["one"].goals}
    large = by_name["encryption, 16,384 bytes", "every back end"]
    assert (large.of, large.value, large.largest, large.state) == (1, 2.0, 2.0, "missed")
    assert large.wanted == next(g.mean for g in spec.generated_goals() if g.data_bytes == 16384)
    made = by_name["aether to tested C: seconds", ""]
    assert (made.value, made.wanted, made.largest, made.state) == (12.0, 30, None, "met")
    missed = [r for r in code["one"].ciphers if r.backend != "fastest"]
    assert [r.reason[:12] for r in missed] == ["by hand four"]


def test_a_miss_nobody_has_explained_names_the_later_run() -> None:
    def row(machine: str, day: int, way: str, cycles: float) -> Row:
        fields = {"machine": machine, "time": f"2026-11-{day}T10:00:00Z", "run": f"{day:012}", "way": way}
        fields |= {"permutation": "areion-512", "backend": "aesni", "blocks": 64, "block_bytes": 64}
        fields |= {"operation": "permute", "samples_ns": [1.0], "samples_cycles": [cycles], "digest": None}
        return made(fields, "permutation")

    rows = [row("old", 25, "generated-many", 3.0), row("old", 25, "many", 2.0)]
    (alone, _) = (code := generated_code(rows)["old"]).permutations
    assert code.reason(alone) == "not known"
    rows += [row("new", 27, "generated-many", 1.0), row("new", 27, "many", 1.0)]
    assert generated_code(rows)["old"].reason(alone) == (
        "not known of this run, of 2026-11-25; that of 2026-11-27, of later code on new, has the ratio 1.00"
    )
