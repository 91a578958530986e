"""A shared library as memory: its segments, relocated, with an address for each function it imports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from ..errors import RoundworksError

BASE = 0x5600_0000_0000
IMPORTS = 0x7000_0000_0000
_RELATIVE, _GLOB_DAT, _JUMP_SLOT, _ABSOLUTE, _DTPMOD, _DTPOFF = 8, 6, 7, 1, 16, 17


class CompiledLibrary:
    """``libroundworks.so`` for x86-64, placed at an address.

    Raises
    ------
    RoundworksError
        ``libroundworks.so: want a shared library for x86-64``
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.symbols: dict[str, int] = {}
        self.imports: dict[int, str] = {}
        self.decoded: dict[int, Any] = {}
        """Instructions, for every processor that runs them."""
        with path.open("rb") as file:
            try:
                elf = ELFFile(file)
            except Exception as error:
                raise RoundworksError(f"{path.name}: want a shared library for x86-64: {error}") from None
            if elf["e_machine"] != "EM_X86_64" or elf["e_type"] != "ET_DYN":
                raise RoundworksError(f"{path.name}: want a shared library for x86-64")
            segments = [s for s in elf.iter_segments() if s["p_type"] == "PT_LOAD"]
            size = max(s["p_vaddr"] + s["p_memsz"] for s in segments)
            self.image = bytearray(size)
            for segment in segments:
                self.image[segment["p_vaddr"] : segment["p_vaddr"] + segment["p_filesz"]] = segment.data()
            self.code = [
                (BASE + s["p_vaddr"], BASE + s["p_vaddr"] + s["p_memsz"])
                for s in segments
                if s["p_flags"] & 1
            ]
            self.constant = [
                (BASE + s["p_vaddr"], BASE + s["p_vaddr"] + s["p_memsz"])
                for s in segments
                if not s["p_flags"] & 2
            ]
            table = elf.get_section_by_name(".dynsym")
            assert isinstance(table, SymbolTableSection)
            names = []
            for symbol in table.iter_symbols():
                names.append(symbol)
                if symbol["st_shndx"] != "SHN_UNDEF":
                    self.symbols[symbol.name] = BASE + symbol["st_value"]
            for section in elf.iter_sections():
                if isinstance(section, RelocationSection):
                    self._relocate(section, names)
            array = elf.get_section_by_name(".init_array")
            first, size = (array["sh_addr"], array["sh_size"]) if array else (0, 0)
            self.constructors = [
                int.from_bytes(self.image[at : at + 8], "little") for at in range(first, first + size, 8)
            ]
            """Addresses of what runs when the library is loaded."""

    def _relocate(self, section: RelocationSection, names: Sequence[Any]) -> None:
        for relocation in section.iter_relocations():
            kind, at = relocation["r_info_type"], relocation["r_offset"]
            symbol = names[relocation["r_info_sym"]]
            if kind == _RELATIVE:
                value = BASE + relocation["r_addend"]
            elif kind in (_GLOB_DAT, _JUMP_SLOT, _ABSOLUTE):
                name = symbol.name
                value = self.symbols.get(name) or self._import(name)
                value += relocation["r_addend"] if kind == _ABSOLUTE else 0
            elif kind in (_DTPMOD, _DTPOFF):
                value = 1 if kind == _DTPMOD else relocation["r_addend"]
            else:
                raise RoundworksError(f"{self.path.name}: relocation {kind}: not known here")
            self.image[at : at + 8] = value.to_bytes(8, "little")

    def _import(self, name: str) -> int:
        for address, other in self.imports.items():
            if other == name:
                return address
        address = IMPORTS + 16 * len(self.imports)
        self.imports[address] = name
        return address

    def bytes_at(self, address: int, count: int) -> bytes:
        """The bytes at an address as they were loaded."""
        return bytes(self.image[address - BASE : address - BASE + count])

    def holds(self, address: int) -> bool:
        """Whether an address is within the library."""
        return 0 <= address - BASE < len(self.image)

    def nearest(self, address: int) -> str:
        """The exported function before an address, and how far before."""
        before = [(at, name) for name, at in self.symbols.items() if at <= address]
        at, name = max(before, default=(BASE, "library"))
        return f"{name}+{address - at:#x}"
