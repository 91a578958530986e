"""AEAD cores that release nothing before the tag is checked: `NAME-held` is the core NAME with
aead_hold behind it.

rtl/cores.toml has no entries for them. Their top modules are written by ``python -m
roundworks.hardware.held``, one for each top module of a core, and a test says when that is due.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..spec.documents import per_root
from . import cores, generated
from .cores import Core, Parameter
from .cycles.aead import HELD, formula
from .held_verilog import wrapper

_DEPTH = Parameter("Depth", "blocks of plaintext that wait for their tag",
                   {str(n): n for n in (4, 16, 64)}, "16")  # fmt: skip


def held() -> dict[str, Core]:
    """Name -> core, for every AEAD core that serves one message at a time."""
    return dict(_held())


@per_root
def _held(home: Path) -> dict[str, Core]:
    bare = [c for c in cores.cores() if c.bench == "aead" and formula(c.cycles).turns == 1]
    return {one.name: one for one in map(_core, bare)}


def _core(bare: Core) -> Core:
    hold, top = bare.folder / "common" / "aead_hold.sv", _top(bare)
    own = top.with_name(f"{top.stem}_held.sv")
    return replace(
        bare, name=bare.name + HELD, title=f"{bare.title}; plaintext waits until its tag is right",
        top=own.stem, files=(*bare.files, hold, own), cycles=bare.cycles + HELD,
        parameters=(*bare.parameters, _DEPTH), trace="",
    )  # fmt: skip


def _top(bare: Core) -> Path:
    """The file of its top module, which has the module's name."""
    return next(file for file in bare.files if file.stem == bare.top)


def sources() -> dict[Path, str]:
    """Path below rtl/ -> text of every module that is written here."""
    bare = {_top(c): c for c in cores.cores() if c.name + HELD in held()}
    return {
        file.with_name(f"{file.stem}_held.sv").relative_to(one.folder):
            wrapper(file.read_text(encoding="utf-8"))
        for file, one in bare.items()
    }  # fmt: skip


def write(folder: Path | None = None) -> list[Path]:
    """Write every file of `sources` whose text has changed; those files."""
    return generated.write(sources(), folder or "rtl")


if __name__ == "__main__":
    generated.main(write)
