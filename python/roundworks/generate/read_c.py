"""Reading a generated C file back into programs: what is proven is the text that a compiler sees.

Every operation is one line, `const TYPE tN = EXPRESSION;`, so a line is understood or the file is
refused; nothing of what wrote it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..errors import DescriptionError
from ..lower.machines import MACHINES
from ..lower.program import Op, Program, units
from .read_operations import NEON, PLANAR, SCALAR, SSE, operation
from .read_wide import wide

_FUNCTION = re.compile(
    r"^(?:[^\n]* )?static (?:inline )?void (?P<name>\w+)_(?P<machine>[a-z0-9]+)\((?P<parameters>[^)]*)\)\n"
    r"\{\n(?P<body>.*?)\n\}$",
    re.MULTILINE | re.DOTALL,
)
_INPUT = re.compile(r"^const \w+ (?P<name>\w+) = (?P<array>[a-z])\[(?P<index>\d+)\];$")
_VALUE = re.compile(r"^const \w+ (?P<name>t\d+) = (?P<text>.*);$")
_OUTPUT = re.compile(
    r"^(?P<array>[a-z])\[(?P<index>\d+)\] = (?P<placed>in_place(?:16|32|64)\()?(?P<name>\w+)(?(placed)\));$"
)
_WORDS = re.compile(r"^\w+ w\[(?P<count>\d+)\];$")
_CALL = re.compile(r"^(?P<name>\w+)_(?P<machine>[a-z0-9]+)\(w, (?P<args>\w+(?:, \w+)*)\);$")
_PASSED = re.compile(r"\w+ (\w+)(?:, |$)")
_WRITES = re.compile(r"^    \w\[\d+\] = ", re.MULTILINE)
_LETTERS = {"s": "S", "k": "K", "n": "N", "x": "X", "l": "L", "v": "V", "c": "C", "z": "Z", "t": "T"}


def bodies(text: str) -> dict[tuple[str, str], str]:
    """(function, machine) to the lines between its braces, of every straight-line function."""
    return {
        (m["name"], m["machine"]): m["body"]
        for m in _FUNCTION.finditer(text)
        if m["machine"] in MACHINES
        and "for (" not in m["body"]
        and _WRITES.search(m["body"])
        # Values that are passed to a function are w0, w1, ...
        and all(name == f"w{k}" for k, name in enumerate(_PASSED.findall(m["parameters"])))
    }


def program(body: str, machine: str, like: Program, routines: Mapping[str, str]) -> Program:
    """The program that the lines of a function are, with those of what it calls.

    Parameters
    ----------
    like
        Names the inputs and outputs, and hints at cuts; values and operations are read. If it has one lane
        and the machine several, the same is computed in all, and read once.
    routines
        Lines of functions that it may call, by name: values w0.. in, words of its array w out.

    Raises
    ------
    DescriptionError
        ``update: line 12: not understood: const uint64_t t3 = s0 + s1;``
    """
    lanes = like.lanes
    if machine == "portable":
        patterns = SCALAR if like.bits == 64 else PLANAR
    else:
        patterns = NEON if machine == "aarch64" else SSE
    parts = len(next(iter(like.outputs.values())))
    first = len(like.inputs) // lanes
    scopes: list[dict[str, int]] = [{}]
    words: dict[int, int] = {}
    size = 0
    ops: list[Op] = []
    outputs = {name: list(values) for name, values in like.outputs.items()}
    written: set[tuple[str, int]] = set()
    line = ""
    for number, text in _executed(body, routines):
        places = scopes[-1]
        if text.startswith("/*"):
            line = text[2:].split()[0]
        elif (m := _WORDS.match(text)) and not size:
            size = int(m["count"])
        elif m := _CALL.match(text):
            names = m["args"].split(", ")
            if m["machine"] != machine or m["name"] not in routines or any(n not in places for n in names):
                raise _not(like, number, text)
            scopes.append({f"w{k}": places[name] for k, name in enumerate(names)})
        elif text == "}" and len(scopes) > 1:
            scopes.pop()
        elif (m := _INPUT.match(text)) and m["array"] == "w":
            if int(m["index"]) not in words:
                raise _not(like, number, text)
            places[m["name"]] = words[int(m["index"])]
        elif (m := _OUTPUT.match(text)) and m["array"] == "w":
            if int(m["index"]) >= size or m["name"] not in places:
                raise _not(like, number, text)
            words[int(m["index"])] = places[m["name"]]
        elif m := _INPUT.match(text):
            letter, index = _LETTERS[m["array"]], int(m["index"])
            value = _input(like, letter, index, parts)
            if value is None or written:
                raise _not(like, number, text)
            places[m["name"]] = value
        elif m := _VALUE.match(text):
            op = (
                wide(m["text"], MACHINES[machine].lanes, places, patterns, lanes)
                if MACHINES[machine].lanes > 1
                else operation(m["text"], patterns, places)
            )
            if op is None:
                raise _not(like, number, text)
            places[m["name"]] = first + len(ops)
            ops.append(replace(op, line=line))
        elif m := _OUTPUT.match(text):
            result = _outputs(like, _LETTERS[m["array"]], int(m["index"]), parts)
            if not result or m["name"] not in places:
                raise _not(like, number, text)
            for name, part, lane in result:
                outputs[name][part] = places[m["name"]] * lanes + lane
                written.add((name, part))
        else:
            raise _not(like, number, text)
    _check_unwritten(like, outputs, written)
    total = (first + len(ops)) * lanes
    cuts = tuple(
        (node, values) for node, values in like.cuts if max(values) < total * units(len(values), parts)
    )
    made = {name: tuple(values) for name, values in outputs.items()}
    return Program(like.function, like.bits, like.inputs, tuple(ops), made, cuts, lanes)


def _executed(body: str, routines: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The lines with their numbers in the order in which they are executed: behind a call those of the
    function and a brace, all with its number."""
    for number, raw in enumerate(body.split("\n"), 1):
        yield number, (text := raw.strip())
        if (m := _CALL.match(text)) and m["name"] in routines:
            for inner in (*routines[m["name"]].split("\n"), "}"):
                yield number, inner.strip()


def _input(like: Program, letter: str, index: int, parts: int) -> int | None:
    """The input value that an element of an array is: a part of a word, or several words."""
    if like.lanes == 1:
        name = (f"{letter}{index // parts}", index % parts)
        return like.inputs.index(name) if name in like.inputs else None
    words = [(f"{letter}{like.lanes * index + k}", 0) for k in range(like.lanes)]
    for at in range(0, len(like.inputs), like.lanes):
        here = like.inputs[at : at + like.lanes]
        if any(name for name, _ in here) and all(
            name in (word, ("", 0)) for name, word in zip(here, words, strict=True)
        ):
            return at // like.lanes
    return None


def _outputs(like: Program, letter: str, index: int, parts: int) -> list[tuple[str, int, int]]:
    """(output, part, lane) of what an element of an array is written with."""
    if like.lanes == 1:
        places = [(*divmod(index, parts), 0)]
    else:
        places = [(like.lanes * index + k, 0, k) for k in range(like.lanes)]
    result = []
    for word, part, lane in places:
        names = [f"{letter}{word}"] if letter in "ZT" else [f"{letter}'{word}", f"{letter}{word}'"]
        result += [(name, part, lane) for name in names if name in like.outputs]
    return result


def _check_unwritten(like: Program, outputs: Mapping[str, list[int]], written: set[tuple[str, int]]) -> None:
    """An output that no line writes is the input of its name."""
    for name, values in outputs.items():
        letter, index = name[0], "".join(c for c in name if c.isdigit())
        for part in range(len(values)):
            if (name, part) not in written:
                same = (f"{letter}{index}", part)
                if same not in like.inputs:
                    raise DescriptionError(f"{like.function}: {name}: written by no line")
                # With lanes the place of a name is the value and its lane.
                values[part] = like.inputs.index(same)


def _not(like: Program, number: int, text: str) -> DescriptionError:
    return DescriptionError(f"{like.function}: line {number}: not understood: {text}")
