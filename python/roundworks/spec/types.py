"""What the data files say, as values. Everything here is frozen; sizes carry their unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..errors import unknown

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice the published text leaves open, and how it was closed."""

    about: str
    taken: str
    certainty: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CipherFacts:
    """One member of a family. ``constants`` are words read as big-endian numbers.

    ``sbox``, ``matrix``, ``permutation``, ``round_f`` and ``round_xor`` belong to the family and
    are empty where it has none: S'[i] = F(S[round_f[i]]) ^ round_xor[i].

    ``tag_bytes`` is the default, ``other_tag_bytes`` are the sizes that can be chosen instead.
    ``kind`` is "stream" or "block". A streaming cipher has ``words`` of ``word_bytes`` and rounds
    of initialisation and finalisation; of any other, those are 0 and ``rounds`` counts what its
    permutation or block cipher runs. ``padded``: the ciphertext is the message padded, always, to
    whole blocks of the rate. ``library`` names the library that runs a baseline.
    """

    name: str
    family: str
    title: str
    status: str
    description: str
    warning: str
    key_bytes: int
    nonce_bytes: int
    tag_bytes: int
    other_tag_bytes: tuple[int, ...] = ()
    rate_bytes: int
    word_bytes: int = 0
    words: int = 0
    init_rounds: int = 0
    final_rounds: int = 0
    rounds: int = 0
    kind: str = "stream"
    padded: bool = False
    library: str = ""
    backends: tuple[str, ...]
    citations: tuple[str, ...]
    constants: Mapping[str, int]
    sbox: tuple[int, ...]
    matrix: tuple[tuple[int, ...], ...]
    permutation: tuple[int, ...]
    round_f: tuple[int, ...]
    round_xor: tuple[str, ...]
    readings: tuple[Reading, ...]

    @property
    def rate_words(self) -> int:
        """Words of a block; 0 where the cipher is not made of words."""
        return self.rate_bytes // self.word_bytes if self.word_bytes else 0

    @property
    def tag_sizes(self) -> tuple[int, ...]:
        """Every size of tag, the default first."""
        return (self.tag_bytes, *self.other_tag_bytes)


@dataclass(frozen=True, slots=True)
class AeadVector:
    """One case. ``valid`` false: decryption must refuse it and release no ``pt``."""

    id: str
    key: bytes
    nonce: bytes
    ad: bytes
    pt: bytes
    ct: bytes
    tag: bytes
    valid: bool
    flags: tuple[str, ...]
    comment: str
    file: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorFile:
    """One vector file. ``flags`` says which mistake the cases of a flag catch.

    ``sha256`` is of the file the vectors were converted from, empty where they were not.
    ``not_taken`` counts, by reason, the cases of that file that are not here.
    """

    file: str
    algorithm: str
    origin: str
    licence: str
    sha256: str = ""
    not_taken: Mapping[str, int]
    verified_by: tuple[str, ...]
    flags: Mapping[str, str]
    vectors: tuple[AeadVector, ...]


@dataclass(frozen=True, slots=True)
class FunctionVector:
    """A known answer of one inner function, such as AETHER's F.

    ``parts`` are the named parts of ``input``, in order.
    """

    id: str
    function: str
    input: bytes
    output: bytes
    parts: Mapping[str, bytes]
    comment: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationFacts:
    """One permutation. ``timed_rounds`` are those at which [AESNI-PERM] measures it; an odd half
    is one AES round. ``constants`` is the rule that gives them, ``round_constants`` the first ones
    where a family's own are listed."""

    name: str
    family: str
    title: str
    description: str
    word_bytes: int
    words: int
    rounds: int
    most_rounds: float
    timed_rounds: float
    constants: str
    round_constants: tuple[bytes, ...] = ()
    citations: tuple[str, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationVector:
    """A known answer. ``rounds`` None: its own; ``mode`` "hash", "dm", "md": of a hash of it,
    "tweakable": of the block cipher under ``key`` and ``tweak``."""

    id: str
    permutation: str
    rounds: int | None = None
    mode: str = ""
    key: bytes = b""
    tweak: bytes = b""
    input: bytes
    output: bytes
    comment: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptionVector:
    """A known answer of a described block cipher (with a ``key``), permutation or AEAD (with a ``nonce``), in
    hexadecimal digits.

    ``rounds`` None: its own. Of an AEAD the input is a message, and the output its ciphertext and tag; of
    ``mode`` "hash" the output is the digest.
    """

    id: str
    family: str
    description: str
    rounds: int | None = None
    mode: str = ""
    key: str
    tweak: str
    nonce: str
    ad: str
    input: str
    output: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SboxFacts:
    """A published S-box on ``bits`` bits. ``title`` is its row in [AETHER, table 3]."""

    name: str
    title: str
    bits: int
    table: tuple[int, ...]
    citations: tuple[str, ...]
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class MatrixFacts:
    """A binary matrix of ours that ``stands_for`` one that could not be read."""

    name: str
    title: str
    rows: tuple[tuple[int, ...], ...]
    branch_number: int
    stands_for: str
    source: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellPermutationFacts:
    """The same of a permutation: cell i moves to position ``to[i]``."""

    name: str
    title: str
    to: tuple[int, ...]
    stands_for: str
    source: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An entry of the bibliography."""

    key: str
    title: str
    authors: tuple[str, ...]
    date: str
    where: str
    url: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column, and the unit of its values."""

    name: str
    unit: str
    relation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRow:
    """``values`` are as printed, one per column; None where the print is blank."""

    name: str
    values: tuple[Value, ...]
    unit: str | None = None
    relation: str = ""  # "at least", "at most" or "about", where the print says so; of a column, too
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One printed value with everything that names it."""

    table: str
    row: str
    column: str
    unit: str
    value: Value
    note: str
    relation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """A table of a paper, or the numbers of its prose ("text") or of a figure ("figure-6")."""

    number: str
    caption: str
    page: str
    note: str = ""
    columns: tuple[Column, ...]
    rows: tuple[PrintedRow, ...]

    def row(self, name: str) -> PrintedRow:
        """One row by its name; an unknown one is an error that lists them."""
        for row in self.rows:
            if row.name == name:
                return row
        raise unknown(f"table {self.number}: row", name, (row.name for row in self.rows))

    def cell(self, row: str, column: str) -> PrintedCell:
        """One printed value by the names of its row and column."""
        for index, found in enumerate(self.columns):
            if found.name == column:
                return self._cell(self.row(row), index)
        raise unknown(f"table {self.number}: column", column, (c.name for c in self.columns))

    def value(self, row: str, column: str) -> Value:
        """The value of the cell in that row and column."""
        return self.cell(row, column).value

    def cells(self) -> Iterator[PrintedCell]:
        """The cells of the table row by row, as printed."""
        for row in self.rows:
            for index in range(len(self.columns)):
                yield self._cell(row, index)

    def _cell(self, row: PrintedRow, index: int) -> PrintedCell:
        column = self.columns[index]
        unit = column.unit if row.unit is None else row.unit
        relation = row.relation or column.relation
        return PrintedCell(self.number, row.name, column.name, unit, row.values[index], row.note, relation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The tables of one paper; ``cite`` is its key in the bibliography."""

    key: str
    cite: str
    title: str
    note: str = ""
    tables: tuple[PrintedTable, ...]

    def table(self, number: str) -> PrintedTable:
        """One table by its number; an unknown one is an error that lists them."""
        for table in self.tables:
            if table.number == number:
                return table
        raise unknown(f"paper {self.key}: table", number, (t.number for t in self.tables))
