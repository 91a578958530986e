"""Lines of SystemVerilog: names, numbers, ports, comments."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

WIDTH = 100
# Lines of a recording that are none of a description.
_OURS = ("verilog_", "plan.py:", "recorder.py:")


def identifier(text: str) -> str:
    """Of a layer: ``AES-last back`` -> ``aes_last_back``; what is made of it has more in its name. The names of
    ciphers are those of `names.identifier`."""
    result = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return result if result[:1].isalpha() else f"x{result}"


def wrapped(text: str, indent: str, more: str = "") -> list[str]:
    """The text in lines of the width of a file, those after the first indented by `more`."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + more,
        break_on_hyphens=False,
        break_long_words=False,
    )


def literal(value: int, bits: int) -> str:
    """Hexadecimal, by 32 bits, as the description has the word; what is long by 128."""
    if bits > 256:
        if value.bit_length() <= 64:
            return f"{bits}'h{value:x}"
        wide = range(0, bits, 128)
        parts = [literal(value >> i & (1 << min(128, bits - i)) - 1, min(128, bits - i)) for i in wide]
        return f"{{{', '.join(parts[::-1])}}}"
    digits = f"{value:0{-(-bits // 4)}x}"
    if len(digits) <= 8:
        return f"{bits}'h{digits}"
    head = len(digits) % 8
    groups = ([digits[:head]] if head else []) + [digits[i : i + 8] for i in range(head, len(digits), 8)]
    return f"{bits}'h{'_'.join(groups)}"


def span(bits: int) -> str:
    """The packed range of a signal with a blank behind it; nothing for one bit."""
    return "" if bits == 1 else f"[{bits - 1}:0] "


def header(module: str, parameters: Sequence[str], ports: Sequence[str]) -> list[str]:
    """From ``module`` to ``);``; a port that ends in a comment keeps it."""
    lines = [f"module {module} #(" if parameters else f"module {module} ("]
    if parameters:
        lines += [*_listed([f"parameter {p}" for p in parameters]), ") ("]
    return [*lines, *_listed(ports), ");"]


def commented(statement: str, lines: Sequence[str]) -> list[str]:
    """A statement, and the lines of the description that it comes from."""
    own = [line for line in lines if not line.startswith(_OURS)]
    comment = f"  // {', '.join(own)}" if own else ""
    if len(statement) + len(comment) + 2 <= WIDTH:
        return [f"  {statement}{comment}"]
    return [*([f"  {comment.strip()}"] if comment else []), *wrapped(statement, "  ", "    ")]


def fitting(line: str) -> list[str]:
    """A line, or several where names are long; its comment goes above them."""
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    code, _, comment = line.strip().partition("  // ")
    above = wrapped(f"// {comment}", indent, "// ") if comment else []
    return [*above, *wrapped(code, indent, "    ")]


def _listed(items: Sequence[str]) -> list[str]:
    """A line each, the names of ports below one another, and their comments."""
    parts = [re.fullmatch(r"((?:input |output) logic)( \[.*?\])? (\w+)(?:\s*// (.*))?", i) for i in items]
    if not all(parts):
        return [f"  {_comma(item, i < len(items) - 1)}" for i, item in enumerate(items)]
    wide = max(len(p[2] or "") for p in parts if p)
    texts = [f"{p[1]}{p[2] or '':{wide}} {p[3]}" for p in parts if p]
    texts = [text + ("," if i < len(items) - 1 else "") for i, text in enumerate(texts)]
    column = max(map(len, texts))
    return [
        f"  {text:{column}}  // {p[4]}" if p and p[4] else f"  {text}"
        for text, p in zip(texts, parts, strict=True)
    ]


def _comma(item: str, more: bool) -> str:
    text, mark, comment = item.partition("//")
    return text.rstrip() + ("," if more else "") + (f"  // {comment.strip()}" if mark else "")


def comment(text: str) -> list[str]:
    """The text in lines that leave space for ``// ``."""
    return textwrap.wrap(text, WIDTH - 3, break_on_hyphens=False) or [""]
