"""The store of result rows: validated JSON lines in ``<machine>/<date>/<kind>.jsonl``, or ``.jsonl.gz``."""

import datetime
import functools
import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, TypeVar, overload

import platformdirs

from .. import machine, spec
from ..errors import RowError
from ..whole import writing
from .base import KINDS, Row, branches, completed, validate

R = TypeVar("R", bound=Row)

_ENVIRONMENT = "ROUNDWORKS_RESULTS"


class Store:
    """Result rows on disk.

    Parameters
    ----------
    path : Path, optional
        The folder that holds one folder per machine. Without it, the environment variable
        ``ROUNDWORKS_RESULTS``; either is written to, and read alone. Without both, rows go to the
        user's own folder, and the rows stored in ``results/`` of the checkout are read first.

    Attributes
    ----------
    path : Path
        Where rows are written.
    places : tuple of Path
        Where rows are read, in this order.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        given = path or os.environ.get(_ENVIRONMENT)
        self.path = Path(given or platformdirs.user_data_path("roundworks", False) / "results")
        self.places = (self.path,) if given else (_stored(), self.path)

    def append(self, rows: Iterable[Row | Mapping[str, Any]]) -> Path:
        """Validate every row, then write them all; one bad row and nothing is written.

        A row may be given as its JSON object; common fields that this lacks (time, machine, commit,
        tools) are filled in.

        Returns
        -------
        Path
            The folder of the last row, ``results/<machine>/<date>``.

        Raises
        ------
        RowError
            ``row 3: seconds: -1 is less than the minimum of 0``
        """
        folder = self.path
        text: dict[Path, list[str]] = {}
        for number, given in enumerate(rows, 1):
            full = given.as_json() if isinstance(given, Row) else given
            row = typed(completed(full) if isinstance(full, dict) else full, f"row {number}")
            folder = self.path / row.machine / row.when.strftime("%Y-%m-%d")
            line = json.dumps(row.as_json(), ensure_ascii=False, allow_nan=False)
            text.setdefault(folder / f"{row.kind}.jsonl", []).append(line + "\n")
        for file in text:
            _check_last_line(file)
        for file, lines in text.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._describe_machine(file.parent.parent)
            # One write per file: a reader, or a second writer, never meets half a row.
            with file.open("ab", buffering=0) as sink:
                sink.write("".join(lines).encode())
        return folder

    @overload
    def read(self, kind: type[R]) -> list[R]: ...
    @overload
    def read(self, kind: str | None = None) -> list[Row]: ...
    def read(self, kind: type[Row] | str | None = None) -> Sequence[Row]:
        """Every row, or every row of one kind, oldest first. Rows are validated again.

        A line that stands in the same file of two places is one row.

        Raises
        ------
        RowError
            ``results/m/2026-11-20/bench.jsonl:7: samples_ns: [] should be non-empty``
        """
        name = kind if isinstance(kind, str | None) else kind.kind
        if name is not None and name not in branches():
            raise RowError(f"kind: want one of {', '.join(branches())}, got {name!r}")
        results: list[Row] = []
        for number, place in enumerate(self.places):
            for file in _files(place, f"*/*/{name or '*'}"):
                where = str(file.parent.relative_to(place) / _kind(file))
                others = [same for other in self.places[:number] for same in _files(other, where)]
                # A compression that was killed has left its rows in both.
                others += [packed for packed in [_packed(file)] if packed != file and packed.exists()]
                known = frozenset(line for other in others for line in _lines_of(other))
                facts = file.stat()
                results += _rows_of(file, known, (facts.st_ino, facts.st_mtime_ns, facts.st_size))
        return sorted(results, key=lambda row: row.when)

    def compress(self) -> tuple[int, int]:
        """Compress the files of days before today (UTC) to ``.jsonl.gz``, which are read like the others.

        Returns
        -------
        tuple of int
            The bytes of these files before and after; both are zero where there is nothing to compress.

        Raises
        ------
        RowError
            As `read`: a file that cannot be read stays as it is.
        """
        today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
        before = after = 0
        for file in sorted(self.path.glob("*/*/*.jsonl")):
            if file.parent.name >= today:
                continue
            _check_last_line(file)
            size = file.stat().st_size
            # A bad line can be mended where it is text.
            for _ in _parsed(file, frozenset()):
                pass
            packed = _packed(file)
            lines = _lines_of(packed) if packed.exists() else []
            before += sum(source.stat().st_size for source in (packed, file) if source.exists())
            known = frozenset(lines)
            lines += [line for line in _lines_of(file) if line not in known]
            with writing(packed) as part:
                # Without a time, so that the same rows give the same file.
                part.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))
            # Where another writer came in between, the file stays: what is in both counts once.
            if file.stat().st_size == size:
                file.unlink()
            after += packed.stat().st_size
        return before, after

    def machines(self) -> dict[str, dict[str, Any]]:
        """Slug -> the facts of its machine.json."""
        results = {}
        files = [file for place in self.places for file in sorted(place.glob("*/machine.json"))]
        for file in files:
            try:
                results[file.parent.name] = json.loads(file.read_text(encoding="utf-8"))
            except ValueError as error:
                raise RowError(f"{file}: not JSON: {error}; delete it, then append a row") from None
        return results

    def _describe_machine(self, folder: Path) -> None:
        file = folder / "machine.json"
        # Rows may come from another machine; only this one can be described from here.
        if folder.name == machine.slug() and not file.exists():
            facts = json.dumps(machine.describe(), indent=2, ensure_ascii=False)
            with writing(file) as part:
                part.write_text(facts + "\n", encoding="utf-8")


def ledger(name: str) -> Path:
    """The file in which a study keeps what it decided, with the rows that are written.

    It starts as a copy of the stored one.
    """
    own, stored = Store().path / "ledgers" / name, _stored() / "ledgers" / name
    own.parent.mkdir(parents=True, exist_ok=True)
    if stored.is_file() and not own.exists():
        with writing(own) as part:
            part.write_bytes(stored.read_bytes())
    return own


def typed(given: Any, where: str = "row") -> Row:
    """The row of a JSON object, validated; `where` opens the message of the RowError."""
    validate(given, where)
    return KINDS[given["kind"]].from_json(given)


def row(kind: str, *, seconds: float, command: str, **fields: Any) -> Row:
    """One complete, validated row of a kind whose name is data; see `Row.make`.

    Raises
    ------
    RowError
        ``search row: words: missing``
    """
    return KINDS[kind].make(seconds=seconds, command=command, **fields)


# As JSON text, because a value may be a list, and because 1 and True are equal in Python.
_IDENTITY = json.JSONEncoder(sort_keys=True)


def latest(rows: Iterable[R], keys: Sequence[str], optional: Sequence[str] = ()) -> list[R]:
    """The newest row for each value of `keys`, in the order the values first appear.

    Of two rows with the same time, the later in `rows` is the newer. A row without one of the
    `optional` fields is of a group of its own.
    """
    newest: dict[str, R] = {}
    for number, candidate in enumerate(rows, 1):
        try:
            values = [candidate[key] for key in keys] + [candidate.get(key) for key in optional]
        except KeyError as error:
            what = f"row {number} ({candidate.kind})"
            raise RowError(f"{what}: no field {error.args[0]!r} to group by") from None
        identity = _IDENTITY.encode(values)
        if identity not in newest or candidate.when >= newest[identity].when:
            newest[identity] = candidate
    return list(newest.values())


def _stored() -> Path:
    """The rows of the checkout, or of the package."""
    return spec.root() / "results"


def _files(place: Path, pattern: str) -> list[Path]:
    """The files of rows, compressed or not, by the names that they have without an ending."""
    return sorted(file for ending in (".jsonl", ".jsonl.gz") for file in place.glob(pattern + ending))


def _packed(file: Path) -> Path:
    return file.with_name(f"{_kind(file)}.jsonl.gz")


def _kind(file: Path) -> str:
    return file.name.partition(".")[0]


def _lines_of(file: Path) -> list[str]:
    data = file.read_bytes()
    if file.suffix == ".gz":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise RowError(f"{file}: {error}; restore the file") from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise RowError(f"{file}:{number}: not UTF-8; remove the line") from None
    # Not splitlines: a JSON string may hold U+2028, which that would take for a line end.
    return text.removesuffix("\n").split("\n")


@functools.lru_cache(maxsize=256)
def _rows_of(file: Path, known: frozenset[str], stamp: tuple[int, int, int]) -> tuple[Row, ...]:
    """The rows of the lines that are not `known`. Parsed again only where the `stamp` is another: one run of
    the report reads them for dozens of tables."""
    return tuple(_parsed(file, known))


def _parsed(file: Path, known: Set[str]) -> Iterator[Row]:
    wanted = (("kind", _kind(file)), ("machine", file.parent.parent.name))
    for number, line in enumerate(_lines_of(file), 1):
        if line in known:
            continue
        where = f"{file}:{number}"
        try:
            result = json.loads(line)
        except ValueError as error:
            raise RowError(f"{where}: not a line of JSON: {error}; remove the line") from None
        row = typed(_renamed(result), where)
        for name, want in wanted:
            if row[name] != want:
                raise RowError(f"{where}: {name}: want {want!r} as the file's place says, got {row[name]!r}")
        yield row


# Kind -> fields of older rows of the user's, and their names since.
_RENAMED = {"cycles": {"passages": "bypass_delays", "least": "minimum"}}


def _renamed(given: Any) -> Any:
    """The same in the names and units of now, so that nobody's stored rows are lost to a better word."""
    if not isinstance(given, dict):
        return given
    names = _RENAMED.get(str(given.get("kind")), {})
    row = {names.get(name, name): value for name, value in given.items()}
    match row:
        # The last round of haraka-256:3.5 was counted as a whole one.
        case {"kind": "cycles", "cipher": str(name), "rounds": int(rounds)} if name.endswith(".5"):
            row["rounds"] = rounds - 0.5
        case {"kind": "solve", "unit": "log2"} | {
            "kind": "bound",
            "measure": "trail" | "related-key-trail",
            "unit": "log2",
        }:
            row["unit"] = "-log2"
    return row


def _check_last_line(file: Path) -> None:
    """An earlier writer may have been killed; its half line must not swallow a good row."""
    if file.exists() and file.stat().st_size:
        with file.open("rb") as source:
            source.seek(-1, os.SEEK_END)
            if source.read(1) != b"\n":
                raise RowError(f"{file}: the last line has no end; remove it, then append again")
