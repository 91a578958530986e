"""A linear layer given bit-wise as maps over cells, as small as they can be."""

from __future__ import annotations

from collections.abc import Iterator

from ...analysis.codes import CodeMap, bit_rows


def cell_maps(rows: list[int], c: int) -> Iterator[tuple[list[int], list[int], CodeMap]]:
    """Cells in, cells out and the map between them, for each part that has nothing to do with others.

    ``rows``: for each bit that comes out the bits it reads, bit 0 the most significant of cell 0.
    """
    for ins, outs in _components(rows, c):
        # Square, as a map is: what is missing on one side is a cell that stays zero.
        size = max(len(ins), len(outs))
        table = [[0] * (size * c) for _ in range(size * c)]
        for i, cell in enumerate(outs):
            for j, source in enumerate(ins):
                for bit in range(c):
                    for other in range(c):
                        entry = rows[cell * c + c - 1 - bit] >> source * c + c - 1 - other & 1
                        table[i * c + bit][j * c + other] = entry
        yield ins, outs, _whole_cells(CodeMap(tuple(map(tuple, table)), c, 0, True))


def _components(rows: list[int], c: int) -> list[tuple[list[int], list[int]]]:
    """Cells in and cells out that meet in no other's: (in, out) of each part."""
    cell = (1 << c) - 1
    parts: list[tuple[set[int], set[int]]] = []
    for out in range(len(rows) // c):
        reads = {
            i for row in rows[out * c : (out + 1) * c] for i in range(len(rows) // c) if row >> i * c & cell
        }
        apart = [p for p in parts if not p[0] & reads]
        met = [p for p in parts if p[0] & reads]
        joined = reads.union(*(p[0] for p in met)), {out}.union(*(p[1] for p in met))
        parts = [*apart, joined]
    return [(sorted(ins), sorted(outs)) for ins, outs in parts]


def _whole_cells(m: CodeMap) -> CodeMap:
    """The same over whole cells where it does the same to every bit of a cell."""
    c = m.cell_bits
    rows = bit_rows(m)
    binary = tuple(tuple(rows[i * c] >> j * c & 1 for j in range(m.size)) for i in range(m.size))
    same = CodeMap(binary, c)
    return same if bit_rows(same) == rows else m
