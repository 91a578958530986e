"""Functions of lowered programs as C, one operation a line, and steps as loops of their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..lower.machines import Machine
from ..lower.program import Called, Op
from .c_text import DIALECTS, PLANAR, expression
from .functions import Call, Function, Functions

# A function of more operations is not inlined.
INLINED = 400
# Functions of fewer operations are inlined wherever they are called: a message has one frame.
ONE_FRAME = 80
# Operations whose result is numbers of 64 bits for gcc, as a word is; those of AES on one word too, and on several
# where they stay in order.
_WORDS = {"const", "xor", "and", "or", "andnot", "not", "ternary", "lanes"}
_ROUNDS = {"aesenc", "aesenclast"}


class CWriter:
    """Writes functions of one machine, each word ``parts`` values; ``routines`` are those that others call.

    ``in_order`` has AES rounds of several words stay in the order they are written in.
    """

    def __init__(
        self,
        machine: Machine,
        parts: int,
        sources: Mapping[str, str],
        routines: Sequence[Function] = (),
        *,
        in_order: bool = False,
    ) -> None:
        self.machine, self.parts, self.sources, self.routines = machine, parts, sources, routines
        self.in_order = in_order and machine.lanes > 1
        self.dialect = PLANAR if machine.cell else DIALECTS[machine.name]
        self.called_whole = set[str]()
        """Functions with parts of which there are calls."""

    def function(self, f: Function, value: str = "") -> str:
        """A straight-line function, one operation a line, on values of that type or of the machine's; of one that
        has parts the calls of these."""
        if f.parts:
            every = (f"    {self.call(part)}" for part in f.parts if not part.empty)
            return "\n".join([*self._head(f, value or self.dialect.type), *every, "}"])
        constant = "each({})" if value else "{}"
        value = value or self.dialect.type
        lines = self._head(f, value)
        calls, called = {call.at: call for call in f.program.calls}, f.program.called
        used = {a for i, op in enumerate(f.program.ops) if i not in called for a in op.args}
        used |= {v for _, _, vs in f.writes for v in vs} | {a for call in calls.values() for a in call.args}
        if calls:
            lines.append(f"    {value} w[{max(len(call.args) for call in calls.values())}];")
        names: list[str] = []
        for i, (name, array, index) in enumerate(f.given(self.parts)):
            names.append(name)
            if i in used and f not in self.routines:
                lines.append(self._named(value, name, f"{array}[{index}]"))
        line = ""
        for i, op in enumerate(f.program.ops):
            names.append(f"t{i}")
            if i in calls:
                lines.append(self._called(calls[i], [names[a] for a in calls[i].args]))
                for k, at in enumerate(calls[i].results):
                    if f.program.first + at in used:
                        lines.append(self._named(value, f"t{at}", f"w[{k}]"))
                line = ""
            if i in called:
                continue
            if op.line != line and op.kind != "const":
                line = op.line
                lines.append(self._comment(f"{line}  {self.sources.get(line, '')}".rstrip()))
            text = self._operation(op, [names[a] for a in op.args], f.program.lanes)
            lines.append(self._named(value, f"t{i}", constant.format(text) if op.kind == "const" else text))
        for array, index, values in f.writes:
            for part, v in enumerate(values):
                made = f.program.ops[v - f.program.first] if v >= f.program.first else None
                text = self._word(names[v], made) if array == "s" and made else names[v]
                lines.append(f"    {array}[{index * self.parts + part}] = {text};")
        return "\n".join([*lines, "}"])

    def _word(self, name: str, made: Op) -> str:
        """A new word of the state; gcc has some results as shorter numbers, which it would keep next to the word."""
        known = _WORDS | _ROUNDS if self.machine.lanes == 1 or self.in_order else _WORDS
        if not self.dialect.type.startswith("__m") or made.kind in known:
            return name
        return f"in_place{16 * self.machine.lanes}({name})"

    def _head(self, f: Function, value: str) -> list[str]:
        arrays = ", ".join(f"{'' if written else 'const '}{value} *{a}" for a, written in f.arrays.items())
        inline = "" if len(f.program.ops) > INLINED else "inline "
        if f in self.routines:
            # What is passed in registers is there when the first operations want it.
            arrays = ", ".join([f"{value} *w", *(f"{value} {word.lower()}" for word, _ in f.program.inputs)])
            inline = ""
        head = f"static {inline}void {f.name}_{self.machine.name}({arrays})"
        # Where the state stays in registers, wherever it is called.
        always = inline and len(f.program.ops) <= ONE_FRAME
        target = self.dialect.always_inlined if always else self.dialect.target
        return [f"{target} {head}".lstrip(), "{"]

    def _named(self, value: str, name: str, text: str) -> str:
        return f"    const {value} {name} = {text};"

    def _comment(self, text: str) -> str:
        return f"    /* {text} */"

    def _operation(self, op: Op, args: list[str], lanes: int) -> str:
        text = expression(op, args, self.machine, lanes)
        ordered = self.in_order and op.kind in _ROUNDS
        return f"in_order{16 * self.machine.lanes}({text})" if ordered else text

    def _called(self, call: Called, args: Sequence[str]) -> str:
        (routine,) = (f for f in self.routines if f.program == call.routine)
        return f"    {routine.name}_{self.machine.name}(w, {', '.join(args)});"

    def call(self, f: Function) -> str:
        """A call of this machine's form of the function, with a semicolon."""
        if f.parts:
            self.called_whole.add(f.name)
        return f"{f.name}_{self.machine.name}({', '.join(f.arrays)});"

    def _times(self, times: int) -> str:
        return f"for (int i = 0; i < {times}; i++) {{"

    def step(self, made: Functions, name: str, indent: str = "    ") -> str:
        """A step as loops of calls; words x are the block, v what is kept."""
        lines = []
        loops = made.steps[name]
        # Each part goes through rounds that follow one another by itself.
        several = range(len(made.straight["update"].parts)) if any(times > 1 for times, _ in loops) else ()
        for part in several or [None]:
            for times, calls in loops:
                body = [line for call in calls for line in self._lines(made, call, part)]
                if times > 1 and body:
                    lines += [self._times(times), *("    " + b for b in body), "}"]
                else:
                    lines += body
        return "\n".join(indent + line for line in lines)

    def _lines(self, made: Functions, call: Call, part: int | None) -> list[str]:
        listed = [call.function, *([made.straight["update"]] if call.update else [])]
        if part is not None:
            listed = [f.parts[part] for f in listed]
        return [self.call(f) for f in listed if not f.empty]
