"""Lines of code of a step of AES, in Rust and in SystemVerilog. [AES-HW, table 2]

A line counts if it holds more than blanks and a comment. Which lines are a step's is said below, by
the names of functions and files, so that whoever edits those files edits the count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .. import spec
from ..errors import RoundworksError

RUST = "crates/roundworks-bench/examples/plain_aes.rs"
_RTL = "rtl/aes"


def code_lines(lines: Iterable[str]) -> list[str]:
    """Lines that are not blank and not wholly a comment."""
    return [line for line in lines if (text := line.strip()) and not text.startswith("//")]


def rust_function(name: str) -> int:
    """Lines from its head to the brace that closes it."""
    return _span(RUST, lambda x: x.startswith(f"fn {name}("), lambda x: x == "}")


def rust_total() -> int:
    """The program without its test."""
    lines = _lines(RUST)
    return len(code_lines(lines[: lines.index("#[cfg(test)]")]))


def verilog_files(*names: str) -> int:
    """Lines of code in these files of rtl/, comments and blank lines left out."""
    return sum(len(code_lines(_lines(f"{_RTL}/{name}"))) for name in names)


def verilog_function(file: str, name: str) -> int:
    """Lines of code of one function of a file of rtl/."""
    return _span(
        f"{_RTL}/{file}",
        lambda x: x.strip().startswith("function") and f" {name}(" in x,
        lambda x: x.strip() == "endfunction",
    )


def verilog_mentions(file: str, signal: str) -> int:
    """Lines that drive or read a signal, where a step is no more than one operator."""
    return sum(signal in line for line in code_lines(_lines(f"{_RTL}/{file}")))


# Row of the table -> Rust, SystemVerilog of the core with two cycles per step.
STEPS: dict[str, Callable[[], tuple[int, int]]] = {
    "SubBytes": lambda: (rust_function("sub_bytes"), verilog_files("aes_sub_bytes.sv")),
    "S-box": lambda: (rust_function("sbox") + rust_function("gf_times"), verilog_files("aes_sbox_lut.sv")),
    "ShiftRows": lambda: (rust_function("shift_rows"), verilog_function("aes_stepped.sv", "rotated")),
    "MixColumns": lambda: (
        rust_function("mix_columns"),
        verilog_files("aes_mix_column.sv", "aes_mix_columns.sv"),
    ),
    "GF01, GF02, GF03": lambda: (
        rust_function("gf02") + rust_function("gf03"),
        verilog_function("aes_pkg.sv", "xtime"),
    ),
    "AddRoundKey": lambda: (rust_function("add_round_key"), verilog_mentions("aes_stepped.sv", "keyed")),
    # With the key schedule, control and interface; circuits that the core can do without are not in.
    "total": lambda: (
        rust_total(),
        verilog_files(
            "aes_pkg.sv",
            "aes_sbox_lut.sv",
            "aes_sbox.sv",
            "aes_sub_bytes.sv",
            "aes_mix_column.sv",
            "aes_mix_columns.sv",
            "aes_key_words.sv",
            "aes_interface_asserts.sv",
            "aes_stepped.sv",
        ),
    ),
}


def _lines(file: str) -> list[str]:
    return (spec.root() / file).read_text(encoding="utf-8").splitlines()


def _span(file: str, begins: Callable[[str], bool], ends: Callable[[str], bool]) -> int:
    lines = _lines(file)
    start = next((i for i, line in enumerate(lines) if begins(line)), None)
    if start is None:
        raise RoundworksError(f"{file}: a function that is counted is not there; see source_lines")
    stop = next(i for i, line in enumerate(lines[start:], start) if ends(line))
    return len(code_lines(lines[start : stop + 1]))
