"""C11 of a description: one source file, one header, a test program with vectors, a Makefile.

Every operation of a lowered program is one line of C, so that the file itself can be read back and
proven (``proof``).
"""

from __future__ import annotations

import inspect
import linecache
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import jinja2

from ..lower.machines import Machine
from ..lower.plan import Plan
from ..lower.program import Called, Op, interleaved
from ..lower.steps import LengthWord, Padding, is_round
from ..reference import Permutation, StreamAead
from .c_text import DIALECTS, PLANAR, expression
from .functions import Call, Function, Functions, lowered_stream, passes, prove_stream, words_of
from .permutations import prove_permutation
from .read_c import bodies
from .write import run

Cipher = StreamAead[Any] | Permutation[Any]
# A function of more operations is not inlined.
INLINED = 400
# Functions of fewer operations are inlined wherever they are called: a message has one frame.
_ONE_FRAME = 80
# Operations whose result is numbers of 64 bits for gcc, as a word is; those of AES on one word too, and on several
# where they stay in order.
_WORDS = {"const", "xor", "and", "or", "andnot", "not", "ternary", "lanes"}
_ROUNDS = {"aesenc", "aesenclast"}
_ORDERS: tuple[Literal["little", "big"], ...] = ("little", "big")


# -- functions -----------------------------------------------------------------------------------
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
        always = inline and len(f.program.ops) <= _ONE_FRAME
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


# -- a file --------------------------------------------------------------------------------------
def files(cipher: Cipher, machines: Sequence[str] = (), seed: int = 0) -> dict[str, str]:
    """The files of a cipher by name: NAME.c, NAME.h, test.c, vectors.h, Makefile.

    Parameters
    ----------
    machines
        Names of `lower.machines.MACHINES`; all that can have the cipher, unless given.
    """
    if isinstance(cipher, Permutation):
        from .c_permutation import permutation_files

        return permutation_files(cipher, machines, seed)
    learned, made = lowered_stream(cipher, machines)
    return _render(learned, made, seed)


def prove(cipher: Cipher, made: Mapping[str, str]) -> dict[str, Any]:
    """Prove every straight-line function of the C file equal to its part of the description.

    The text is read back, executed symbolically and compared, see `lower.proof`; nothing else of the
    file (loops, lengths, padding) is proven, the test program compares that.

    Returns
    -------
    dict
        ``machine -> {function: {"operations": n, "cuts": n}}``.

    Raises
    ------
    NotEqual
        ``update: toy.py:17: bit 3 of the program differs from the description``
    """
    text = made[f"{identifier(cipher.name)}.c"]
    if isinstance(cipher, Permutation):
        return prove_permutation(cipher, bodies(text))
    return prove_stream(cipher, bodies(text))


def identifier(name: str) -> str:
    """A name as an identifier of C."""
    result = re.sub(r"\W+", "_", name).strip("_").lower()
    return result if result[:1].isalpha() else f"cipher_{result}"


def _render(learned: Plan, made: Sequence[Functions], seed: int) -> dict[str, str]:
    cipher = learned.cipher
    sizes = words_of(learned)
    sources = source_lines(cipher, made)
    name = identifier(cipher.name)
    last = not is_round(learned.last)
    context = {
        "name": name,
        "NAME": name.upper(),
        "past": " " * len(name),  # arguments on a second line begin where those on the first do
        "title": cipher.name,
        "summary": (type(cipher).__doc__ or "").strip().split("\n")[0],
        "warning": cipher.warning,
        "cipher": cipher,
        "key": cipher.key_bytes,
        "nonce": cipher.nonce_bytes,
        "tag": cipher.tag_bytes,
        "rate": cipher.rate_bytes,
        "word": cipher.word_bytes,
        "sizes": sizes,
        "backends": [_backend(learned, f, sources) for f in made],
        "state": max(f.limbs(cipher.words) for f in made),
        "padding": padding_context(learned.message_padding, cipher.rate_bytes),
        "ad_padding": padding_context(learned.ad_padding, cipher.rate_bytes),
        "has_last": last,
        "lengths": [length_context(word) for word in learned.lengths],
        "halves": length_halves([length_context(word) for word in learned.lengths]),
        "keyed": any(
            "k" in c.function.arrays for m in made for _, calls in m.steps["finalise"] for c in calls
        ),
    }
    templates = {
        f"{name}.h": "aead.h",
        f"{name}.c": "aead.c",
        "test.c": "test_aead.c",
        "Makefile": "Makefile",
    }
    return rendered(templates, context) | {"vectors.h": vectors(cipher, seed)}


def rendered(templates: Mapping[str, str], context: Mapping[str, Any]) -> dict[str, str]:
    """Files by name, of templates by name."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("roundworks.generate", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["hex"] = c_bytes
    return {
        file: _without_unused(environment.get_template(name).render(context))
        for file, name in templates.items()
    }


_HELPER = re.compile(r"\n(?:/\*[^\n]*\*/\n)?static inline [^\n;]*?\b(\w+)\([^\n]*\)\n\{\n.*?\n\}\n", re.S)


def _without_unused(text: str) -> str:
    """Without the small C functions that nothing here calls: clang warns of them."""
    defined = [match[1] for match in _HELPER.finditer(text)]
    called = {name for name in defined if len(re.findall(rf"\b{name}\(", text)) > defined.count(name)}
    text = _HELPER.sub(lambda match: match[0] if match[1] in called else "\n", text)
    return re.sub(r"\n#if [^\n]*\n#endif\n", "\n", text)


def _backend(learned: Plan, f: Functions, sources: Mapping[str, str]) -> dict[str, Any]:
    cipher = learned.cipher
    routines = passes(f.all())
    parts = f.machine.layout(cipher.word_bits, f.order).parts
    writer = CWriter(f.machine, parts, sources, routines, in_order=True)
    size = cipher.word_bytes
    pairs = [writer.function(f.pair, "pair")] if f.pair else []
    calls = {
        "seal_pair": writer.call(f.pair) if f.pair else "",
        "load": writer.call(f.straight["load"]),
        "round": writer.call(f.straight["update"]),
        "seal": writer.call(f.straight["seal_block"]),
        "open": "" if f.straight["open_block"].parts else writer.call(f.straight["open_block"]),
        "keystream": writer.call(f.straight["keystream"]),
        "tag": writer.call(f.straight["tag"]),
        **{name: writer.step(f, name, " " * (8 if name == "absorb" else 4)) for name in f.steps},
    }
    functions = [
        g for g in routines + f.all() if not g.empty and (not g.parts or g.name in writer.called_whole)
    ]
    return calls | {
        "name": f.machine.name,
        "bits": f.machine.bits,
        "lanes": f.machine.lanes,
        "planes": planes_context(f.machine, f.slices + f.all()) if f.machine.cell else None,
        "dialect": writer.dialect,
        "order": f.order,
        "parts": writer.parts,
        "count": f.counts({**words_of(learned), "v": max(1, f.kept)}, writer.parts),
        "functions": [writer.function(g) for g in functions] + pairs,
        "slices": [writer.function(g) for g in f.slices],
        "pairs": pairs,
        "zeros": in_registers(f, learned.message_padding),
        "ad_zeros": in_registers(f, learned.ad_padding),
        "apart": [_part(writer, f, k) for k in range(len(f.straight["update"].parts))],
        "stack": stack_bytes(f, learned),
        "optimised_stack": stack_bytes(f, learned, optimised=True),
        "tails": {"k": cipher.key_bytes % size, "n": cipher.nonce_bytes % size},
    }


def in_registers(f: Functions, rule: Padding) -> bool:
    """Whether a part of a block is padded in registers: with zeros, on x86. From other memory a load waits for
    shorter stores."""
    vectors = DIALECTS[f.machine.name].type.startswith("__m") and f.straight["update"].word_bits == 128
    return vectors and not (rule.full or rule.empty or any(b"".join(rule.partial)))


def _part(writer: CWriter, f: Functions, k: int) -> dict[str, Any]:
    """How one part of the state takes a block: its calls, and the registers of the block that it has."""
    seal, opening = f.straight["seal_block"].parts[k], f.straight["open_block"].parts[k]
    taken = sorted({index for array, index, _ in seal.writes if array == "z"})
    return {"seal": writer.call(seal), "open": writer.call(opening), "registers": taken}


def planes_context(machine: Machine, functions: Sequence[Function]) -> dict[str, Any]:
    """What the operations on planes need: bits of a unit, those of what is shifted, and of each interleaving
    the places in a and b, then behind those of a, from which units of the result come as they follow in
    memory, for either order of bytes."""
    ops = [op for f in functions for op in f.program.ops]
    shifted = {int(op.imm[0]) for op in ops if op.kind in ("shl", "shr") and isinstance(op.imm, tuple)}
    units = []
    for kind, bits in sorted({(op.kind, op.imm) for op in ops if op.kind in ("low", "high")}, key=str):
        assert isinstance(bits, int)
        count = 128 // bits
        little = [count * value + at // bits for value, at in interleaved(kind, bits, 128)]
        # In memory the units of a number of 64 bits follow one another the other way.
        flip = 64 // bits - 1
        big = [little[k ^ flip] ^ flip for k in range(count)]
        units.append({"name": f"{kind}{bits}", "bits": bits, "little": little, "big": big})
    return {"bits": 128 // machine.cell, "shifted": sorted(shifted), "units": units}


def stack_bytes(f: Functions, learned: Plan, *, optimised: bool = False) -> int:
    """What a message uses of the stack at most: its arrays, and values that registers have no place for. Where all
    have one, an optimising compiler leaves no array there but those of bytes.
    """
    cipher = learned.cipher
    parts = f.machine.layout(cipher.word_bits, f.order).parts
    counts = f.counts({**words_of(learned), "v": max(1, f.kept)}, parts)
    functions = [g for g in f.all() if not g.parts]
    live = max(g.program.live for g in functions)
    if max(len(g.program.ops) for g in functions) > _ONE_FRAME:
        # Twice: of a function that is called, and of the one that calls it; with AVX-512 half of them have registers.
        spilled = 2 * live - (32 if f.machine.ternary else 0)
    else:
        spilled = live - f.machine.registers
    passed = max((len(call.args) for g in functions for call in g.program.calls), default=0)
    values = sum(counts.values()) + counts["x"] + passed + max(0, spilled)
    # The last block and its keystream, if they are in memory, and the tag.
    blocks = 1 if all(in_registers(f, rule) for rule in (learned.ad_padding, learned.message_padding)) else 3
    # Of 16 registers two are for constants, and of 32 compilers leave half; of a long function they have more values at
    # once than they need.
    few = max(live, counts["s"] + counts["x"]) <= 14
    if optimised and few and 2 * max(len(g.program.ops) for g in functions) <= 3 * f.machine.registers:
        values = 0
    size = values * f.machine.lanes * f.machine.bits // 8 + blocks * cipher.rate_bytes
    return -(-(size + 256) // 64) * 64


def source_lines(cipher: Any, made: Sequence[Any]) -> dict[str, str]:
    """``file:line`` of a description to the text there."""
    folders = {
        Path(inspect.getfile(cls)).parent for cls in type(cipher).__mro__ if cls.__module__ != "builtins"
    }
    result = {}
    for f in made:
        for function in f.all():
            for op in function.program.ops:
                file, _, number = op.line.rpartition(":")
                if op.line in result or not number.isdigit():
                    continue
                for folder in sorted(folders):
                    if text := linecache.getline(str(folder / file), int(number)).strip():
                        result[op.line] = text.replace("*/", "* /")
                        break
    return result


def padding_context(rule: Padding, rate: int) -> dict[str, Any]:
    """A byte and zeros, or all of them as a table."""
    firsts = {p[0] for p in rule.partial[1:]} | {p[0] for p in (rule.full, rule.empty) if p}
    plain = all(not any(p[1:]) for p in (*rule.partial[1:], rule.full, rule.empty))
    simple = plain and len(firsts) <= 1
    rows = [bytes(rate) if r == 0 else bytes(r) + rule.partial[r] for r in range(rate)]
    rows[0] = rule.full or rule.empty or rows[0]
    return {
        "first": next(iter(firsts), 0) if simple else None,
        "full": bool(rule.full),
        "empty": bool(rule.empty),
        "table": None if simple else rows,
    }


def length_context(word: LengthWord) -> dict[str, Any]:
    """Places of two 64-bit numbers in the bytes of a word, or tables of what each bit adds."""
    size = word.bits // 8
    start = word.start.to_bytes(size, "big")
    places = []
    for images in (word.ad, word.message):
        result: tuple[str, int] | None = None
        for order in _ORDERS:
            for at in range(size - 7):
                if all(_number_at(1 << i, order, at, size) == images[i] for i in range(3, 64)):
                    result = (order, at)
        if result is None and not any(images):
            result = ("none", 0)
        places.append(result)
    tables = [[image.to_bytes(size, "big") for image in images] for images in (word.ad, word.message)]
    return {"start": start, "places": places, "tables": tables}


def length_halves(lengths: Sequence[Mapping[str, Any]]) -> list[str]:
    """The words of lengths as numbers of 64 bits in the order of bytes of x86, where each of both numbers is one of
    these; none otherwise. Two of them are stored at once there: a load of 16 bytes behind two stores waits."""
    numbers: list[list[str]] = []
    for word in lengths:
        start = word["start"]
        halves = [[int.from_bytes(start[i : i + 8], "little")] for i in range(0, len(start) - 7, 8)]
        texts = [[f"UINT64_C({value:#x})"] if value else [] for (value,) in halves]
        for name, place in zip(("ad_bits", "data_bits"), word["places"], strict=True):
            if place is None or place[1] % 8 or len(start) % 8:
                return []
            if place[0] != "none":
                texts[place[1] // 8].append(name if place[0] == "little" else f"__builtin_bswap64({name})")
        numbers += texts
    return [" ^ ".join(text) or "0" for text in numbers] if len(numbers) % 2 == 0 else []


def _number_at(number: int, order: Literal["little", "big"], at: int, size: int) -> int:
    """A word of ``size`` bytes with a 64-bit number from byte ``at`` on."""
    return int.from_bytes(bytes(at) + number.to_bytes(8, order) + bytes(size - 8 - at), "big")


def c_bytes(data: bytes) -> str:
    """The bytes as the elements of a C array: ``0x00, 0xff``."""
    return ", ".join(f"0x{byte:02x}" for byte in data)


def vector_fields(cipher: StreamAead[Any], seed: int, count: int = 40) -> list[tuple[str, ...]]:
    """Vectors of the description in hexadecimal, on lengths around the boundaries of a block: key, nonce,
    associated data, data, ciphertext, tag."""
    rng = random.Random(f"{cipher.name} {seed}")
    rate = cipher.rate_bytes
    around = sorted({0, 1, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 3 * rate + 1, 5 * rate})
    pairs = [(0, 0), *((n, 0) for n in around[1:]), *((0, n) for n in around[1:])]
    while len(pairs) < count:
        pairs.append((rng.choice(around), rng.choice(around)))
    rows = []
    for ad_bytes, size in pairs:
        key, nonce = rng.randbytes(cipher.key_bytes), rng.randbytes(cipher.nonce_bytes)
        ad, data = rng.randbytes(ad_bytes), rng.randbytes(size)
        sealed = cipher.encrypt(key, nonce, data, ad)
        cut = len(sealed) - cipher.tag_bytes
        rows.append(tuple(field.hex() for field in (key, nonce, ad, data, sealed[:cut], sealed[cut:])))
    return rows


def vectors(cipher: StreamAead[Any], seed: int) -> str:
    """Vectors of a description, chosen by ``seed``, as a header of C."""
    fields = (", ".join(f'"{field}"' for field in row) for row in vector_fields(cipher, seed))
    rows = "\n".join(f"    {{{row}}}," for row in fields)
    return (
        f"/* Vectors of the description of {cipher.name}, in hexadecimal: key, nonce, associated data, data,\n"
        " * ciphertext, tag. */\n"
        "static const char *const vectors[][6] = {\n"
        f"{rows}\n}};\n"
    )


def test(folder: Path) -> str:
    """Compile the files and run their tests; what these print.

    Raises
    ------
    ToolMissing, BuildFailed
    """
    return run(folder, ["make", "--no-print-directory", "test"])
