"""Generated C: proven from its text, compiled without a warning, compared with the description on every
length around a block; a text that is changed anywhere is refused."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calls import cases
from places import ROOT, TOY
from roundworks import reference
from roundworks.errors import DescriptionError, UnknownName
from roundworks.generate import c, functions, generate, rust
from roundworks.generate.write import BuildFailed, NotWritten, run, write
from roundworks.lower.proof import NotEqual
from roundworks.lower.walk_planes import Planes
from roundworks.reference import Permutation, StreamAead, load_description, load_file
from roundworks.reference.aegis import Aegis128
from wanted import require

WARNINGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def described(name: str) -> Any:
    if name.endswith(".py"):
        return load_description(ROOT / "examples" / name)
    return reference.get_analysed(name)


def library(folder: Path, name: str, compiler: str = "cc") -> ctypes.CDLL:
    require(compiler)
    made = folder / f"lib{name}.so"
    command = [compiler, *WARNINGS, "-shared", "-fPIC", "-o", str(made), str(folder / f"{name}.c")]
    subprocess.run(command, check=True, capture_output=True)
    return ctypes.CDLL(str(made))


def backends(lib: ctypes.CDLL, name: str) -> list[bytes]:
    """Those that this CPU has."""
    named = getattr(lib, f"{name}_backend_name")
    named.restype, named.argtypes = ctypes.c_char_p, [ctypes.c_size_t]
    every = list(iter_names(named))
    return [b for b in every if getattr(lib, f"{name}_choose_backend")(b) == 0]


def iter_names(named: Any) -> Any:
    index = 0
    while (found := named(index)) is not None:
        yield found
        index += 1


def seal(lib: ctypes.CDLL, name: str, cipher: StreamAead[Any], *args: bytes) -> bytes:
    key, nonce, ad, data = args
    out, tag = ctypes.create_string_buffer(max(1, len(data))), ctypes.create_string_buffer(cipher.tag_bytes)
    size = ctypes.c_size_t
    getattr(lib, f"{name}_encrypt_detached")(key, nonce, ad, size(len(ad)), data, size(len(data)), out, tag)
    return out.raw[: len(data)] + tag.raw


@pytest.mark.parametrize(
    "name",
    cases(
        ["toy.py", "aegis-128", "aegis-128x2", "aegis-256x4", "ascon-aead128", "aether-lb"], short=["toy.py"]
    ),
)
def test_every_length_around_a_block(name: str, tmp_path: Path) -> None:
    """0 to three blocks and one, of data and of associated data, on every back end of this CPU."""
    cipher = described(name)
    write(c.files(cipher), tmp_path / "c")
    stem = c.identifier(cipher.name)
    lib = library(tmp_path / "c", stem)
    rng, rate = random.Random(name), cipher.rate_bytes
    messages = []
    for size in (*range(0, 3 * rate + 2, 1 if rate < 32 else 7), 2 * rate, 3 * rate):
        for ad_bytes, bytes_ in ((size, 5), (3, size)):
            args = [rng.randbytes(n) for n in (cipher.key_bytes, cipher.nonce_bytes, ad_bytes, bytes_)]
            messages.append((args, cipher.encrypt(args[0], args[1], args[3], args[2])))
    names = backends(lib, stem)
    assert b"portable" in names
    # Parts of a state go over 8 KiB at a time; the description would take long.
    many, made = [rng.randbytes(n) for n in (cipher.key_bytes, cipher.nonce_bytes, 0, 20_000)], set()
    for backend in names:
        assert getattr(lib, f"{stem}_choose_backend")(backend) == 0
        for args, want in messages:
            assert seal(lib, stem, cipher, *args) == want, (backend, [len(a) for a in args])
        made.add(seal(lib, stem, cipher, *many))
    assert len(made) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["toy.py", "two_word.py", "haraka-256", "midori64", "rocca-s", "aegis-128x4", "aegis-256x2"]
)
def test_made_and_tested_in_one_go(name: str, tmp_path: Path) -> None:
    require("make")
    cipher = described(name)
    made = generate(cipher, "c", tmp_path / "out")
    assert made.tests is not None and "portable: 40 vectors" in made.tests
    assert all(functions for functions in made.proofs.values()) and "portable" in made.proofs
    assert "<table>" in made._repr_html_()
    # The same description, the same bytes.
    assert c.files(cipher) == made.files


@pytest.mark.parametrize("compiler", cases(["gcc", "clang", "g++"], short=["gcc", "g++"]))
def test_no_compiler_warns(compiler: str, tmp_path: Path) -> None:
    require(compiler)
    write(c.files(load_file(TOY)), tmp_path / "c")
    if compiler != "g++":
        write(c.files(described("areion-256")), tmp_path / "permutation")
        library(tmp_path / "permutation", "areion_256", compiler)
    if compiler == "g++":
        text = '#include "toy.h"\nint main() { return toy_backend() == nullptr; }\n'
        (tmp_path / "c" / "main.cpp").write_text(text)
        subprocess.run(
            ["g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "main.cpp"],
            cwd=tmp_path / "c",
            check=True,
        )
        return
    library(tmp_path / "c", "toy", compiler)
    if compiler == "clang":  # which also counts small functions that only another CPU calls
        write(c.files(described("and_rotate.py")), tmp_path / "lengths")
        library(tmp_path / "lengths", "and_rotate", compiler)


@pytest.mark.parametrize("march", ["armv8-a", "armv8-a+aes"])
@pytest.mark.parametrize("name", ["toy.py", "feistel_aes.py"])
def test_clang_compiles_for_aarch64(name: str, march: str, tmp_path: Path) -> None:
    """Older ones without that back end, unless they are given AES for the whole file."""
    clang, headers = require("clang"), Path("/usr/aarch64-linux-gnu/include")
    if not headers.is_dir():
        pytest.skip(f"{headers}: not here")
    write(c.files(described(name)), tmp_path)
    stem = c.identifier(described(name).name)
    command = [clang, "--target=aarch64-linux-gnu", "-isystem", str(headers), f"-march={march}", *WARNINGS]
    subprocess.run([*command, "-c", f"{stem}.c"], cwd=tmp_path, check=True)
    version = subprocess.run([clang, "-dumpversion"], check=True, capture_output=True, text=True).stdout
    has = b"aarch64\0" in (tmp_path / f"{stem}.o").read_bytes()
    assert has is (march.endswith("aes") or int(version.split(".")[0]) >= 16)


@pytest.mark.long
def test_aarch64_under_an_emulator(tmp_path: Path) -> None:
    gcc, qemu = require("aarch64-linux-gnu-gcc"), require("qemu-aarch64-static")
    for name in ("toy.py", "aegis-128", "areion-256", "pholkos-512", "haraka-512"):
        cipher = described(name)
        folder = tmp_path / cipher.name
        both = ("portable", "aarch64") if name == "aegis-128" else ("aarch64",)
        write(c.files(cipher, both), folder)
        stem = c.identifier(cipher.name)
        command = [gcc, *WARNINGS, "-static", "-o", "tests", "test.c", f"{stem}.c"]
        subprocess.run(command, cwd=folder, check=True)
        done = subprocess.run([qemu, "./tests"], cwd=folder, check=False, capture_output=True, text=True)
        assert done.returncode == 0 and "aarch64: 40 vectors" in done.stdout, done.stdout


@pytest.mark.long  # as on other CPUs, but for the places of units in memory
@pytest.mark.parametrize("name", ["aegis-128", "aether-lb"])
def test_planes_where_the_highest_byte_is_first(name: str, tmp_path: Path) -> None:
    """Without a C library, which no one has for such a CPU: the vectors by themselves."""
    gcc, qemu = require("aarch64-linux-gnu-gcc"), require("qemu-aarch64_be-static")
    write(c.files(described(name), ("portable",)), tmp_path / "made")
    stem = c.identifier(name)
    (tmp_path / "gnu").mkdir()
    (tmp_path / "gnu" / "stubs-lp64_be.h").write_text("")
    (tmp_path / "main.c").write_text(f'#include "{stem}.h"\n#define SEAL {stem}_encrypt_detached\n{BARE}')
    flags = [
        "-mbig-endian",
        "-O2",
        "-ffreestanding",
        "-fno-stack-protector",
        "-nostdlib",
        "-static",
        "-I.",
        "-Imade",
    ]
    command = [gcc, *flags, "-o", "bare", "main.c", f"made/{stem}.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([qemu, "./bare"], cwd=tmp_path, check=False).returncode == 42


BARE = r"""
#include "vectors.h"
void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}
void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)to)[i] = (uint8_t)byte;
    return to;
}
int strcmp(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++)
        ;
    return *a - *b;
}
static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }
static size_t unhex(const char *text, uint8_t *to)
{
    size_t n = 0;
    for (; text[2 * n]; n++)
        to[n] = (uint8_t)(digit(text[2 * n]) << 4 | digit(text[2 * n + 1]));
    return n;
}
static int run(void)
{
    static uint8_t f[6][4096], out[4096], tag[64];
    unsigned wrong = 0;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        size_t n[6];
        for (int i = 0; i < 6; i++)
            n[i] = unhex(vectors[v][i], f[i]);
        SEAL(f[0], f[1], f[2], n[2], f[3], n[3], out, tag);
        for (size_t i = 0; i < n[3]; i++)
            wrong |= out[i] ^ f[4][i];
        for (size_t i = 0; i < n[5]; i++)
            wrong |= tag[i] ^ f[5][i];
    }
    return wrong ? 1 : 42;
}
void _start(void)
{
    register long status __asm__("x0") = run();
    register long call __asm__("x8") = 93;
    __asm__ volatile("svc 0" : : "r"(status), "r"(call));
    for (;;)
        ;
}
"""


@pytest.mark.parametrize("flags", [["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]])
@pytest.mark.long
def test_sanitizers_find_nothing(flags: list[str], tmp_path: Path) -> None:
    gcc = require("gcc")
    write(c.files(load_file(TOY)), tmp_path)
    subprocess.run([gcc, "-g", *WARNINGS, *flags, "-o", "tests", "test.c", "toy.c"], cwd=tmp_path, check=True)
    subprocess.run(["./tests"], cwd=tmp_path, check=True, capture_output=True)


# -- what is proven is the text ------------------------------------------------------------------
def other_digit(m: re.Match[str]) -> str:
    return f"{m[1]}{int(m[2], 16) ^ 1:x}"


CHANGES: list[tuple[str, Any]] = [
    (r"= (t\d+) \^ (t\d+);", r"= \1 & \2;"),
    (r"(UINT64_C\(0x1111111)(1)", other_digit),
    (r"(_mm_shuffle_epi8\(bytes16\(0x)(\w)", other_digit),
    (r"s\[0\] = (t\d+);\n    s\[1\] = (t\d+);", r"s[0] = \2;\n    s[1] = \1;"),
    (r"(vqtbl1q_u8\(t\d+, bytes16\(0x\w{15})(\w)", other_digit),
    (r"(_mm_gf2p8affine_epi64_epi8\(bytes16\(0x)(\w)", other_digit),
    (r"(each\(UINT64_C\(0x\w*)(\w)", other_digit),
]


@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_a_changed_text_is_refused(change: int) -> None:
    toy = load_file(TOY)
    files = c.files(toy, ("portable", "aesni", "gfni", "aarch64"))
    text, count = re.subn(*CHANGES[change], files["toy.c"], count=1)
    assert count == 1 and text != files["toy.c"]
    with pytest.raises(NotEqual, match=r"the program differs from the description$"):
        c.prove(toy, files | {"toy.c": text})


PLANES: list[tuple[str, str]] = [
    (r"= low16\((\w+), (\w+)\);", r"= high16(\1, \2);"),
    (r"= low16\((\w+), (\w+)\);", r"= low16(\2, \1);"),
    (r"= shl16\((\w+), 4\);", r"= shl16(\1, 5);"),
    (r"= low8\((\w+), (\w+)\);", r"= low16(\1, \2);"),
    (r"= shl64\((\w+), 7\);", r"= shl64(\1, 6);"),
    (r"(\(planes\)\{UINT64_C\(0x\w+\), UINT64_C\(0x\w*)\w\)\}", r"\g<1>0)}"),
    (r"= (t\d+) & (t\d+);", r"= \1 | \2;"),
]


@pytest.mark.parametrize("change", range(len(PLANES)))
def test_a_changed_text_of_planes_is_refused(change: int) -> None:
    cipher = reference.get_stream("aegis-128")
    files = c.files(cipher, ("portable",))
    text, count = re.subn(*PLANES[change], files["aegis_128.c"], count=1)
    assert count == 1 and text != files["aegis_128.c"]
    with pytest.raises(NotEqual, match="differs from the description|no proof here follows"):
        c.prove(cipher, files | {"aegis_128.c": text})


# In the function of one pass, and where one is called.
PASSES: list[tuple[str, str]] = [
    (r"(void pass_1_portable(?s:.*?)= t\d+) & (t\d+);", r"\1 | \2;"),
    (r"(void pass_1_portable(?s:.*?)= low16\(\w+, )\w+\);", r"\1w0);"),
    (r"(void pass_1_portable(?s:.*?)w\[0\] = )(t\d+);", r"\1w0;"),
    (r"(void pass_1_portable\(planes \*w, planes )w0, planes w1,", r"\1w1, planes w0,"),
    (r"    pass_1_portable\(w, .*\n", ""),
    (r"(    pass_1_portable\(w, )(\w+), (\w+),", r"\1\3, \2,"),
    (r"(const planes t\d+ = w)\[0\];", r"\1[1];"),
    (r"(planes w)\[8\];", r"\1[7];"),
]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every pass of a cipher is a call, as those of a wide one are."""
    monkeypatch.setattr(Planes, "in_line", 0)
    functions._lowered.cache_clear()
    yield
    functions._lowered.cache_clear()


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize("change", cases(range(len(PASSES)), short=[0, 3]))
def test_a_changed_pass_or_call_of_it_is_refused(change: int) -> None:
    cipher = reference.get_stream("aegis-128")
    files = c.files(cipher, ("portable",))
    assert files["aegis_128.c"].count("static void pass_") == 1
    text, count = re.subn(*PASSES[change], files["aegis_128.c"], count=1)
    assert count == 1 and text != files["aegis_128.c"]
    with pytest.raises(DescriptionError, match="differs from the description|line \\d+: not understood: "):
        c.prove(cipher, files | {"aegis_128.c": text})


@pytest.mark.usefixtures("called")
def test_passes_that_are_called_are_proven_and_compute_the_same(tmp_path: Path) -> None:
    cipher = reference.get_stream("aegis-128")
    files = c.files(cipher, ("portable",))
    assert c.prove(cipher, files)["portable"]["update"]["operations"] > 350
    write(files, tmp_path)
    subprocess.run(["gcc", *WARNINGS, "-o", "tests", "test.c", "aegis_128.c"], cwd=tmp_path, check=True)
    subprocess.run(["./tests"], cwd=tmp_path, check=True, capture_output=True)


MOVES: list[tuple[str, str, str]] = [
    ("avx2", r"(_mm256_permute2x128_si256\(\w+, \w+, 0x)(\w)", "{1}{2:x}"),
    ("avx512", r"(_mm512_shuffle_i64x2\(\w+, \w+, 0x\w)(\w)", "{1}{2:x}"),
    ("avx512", r"(_mm512_permutex2var_epi64\(\w+, lanes64\()(\d)", "{1}{2}"),
    ("avx512", r"(_mm512_alignr_epi64\(\w+, \w+, )(\d)", "{1}{2}"),
]


@pytest.mark.parametrize("move", cases(range(len(MOVES)), short=[1]))
def test_a_word_in_a_wrong_lane_is_refused(move: int) -> None:
    """One lane of one move takes another word."""
    machine, pattern, new = MOVES[move]
    cipher = reference.get_stream("aether")
    files = c.files(cipher, (machine,))
    body = re.search(
        rf"static void update_{machine}.*?\n}}\n|inline void update_{machine}.*?\n}}\n",
        files["aether.c"],
        re.S,
    )
    assert body is not None
    step = 2 if "alignr" in pattern else 1

    def changed(m: re.Match[str]) -> str:
        return new.format(m[0], m[1], int(m[2], 16) ^ step)

    text, count = re.subn(pattern, changed, body[0], count=1)
    assert count == 1
    with pytest.raises(NotEqual, match=r"the program differs from the description$"):
        c.prove(cipher, files | {"aether.c": files["aether.c"].replace(body[0], text)})


BLOCKS: list[tuple[str, str, str]] = [
    ("vaes512", r"each64\((\w+), (\w+)\)", r"bytes64(\1, \2, \1, \2, \1, \2, \2, \1)"),
    ("vaes512", r"_mm512_mask_blend_epi32\(0x(\w)(\w{3})", r"_mm512_mask_blend_epi32(0x0\2"),
    ("vaes512", r"_mm512_aesenc_epi128\((\w+), (\w+)\)", r"_mm512_shuffle_i64x2(\1, \2, 0xe4)"),
    ("vaes256", r"_mm256_aesenc_epi128\((\w+), (\w+)\)", r"_mm_aesenc_si128(\1, \2)"),
    ("vaes256", r"_mm256_blend_epi16\((\w+), (\w+), \d+\)", r"_mm256_blend_epi32(\1, \2, 0xf0)"),
]


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_an_operation_that_is_not_the_same_on_every_block_is_refused(block: int) -> None:
    machine, pattern, new = BLOCKS[block]
    cipher = reference.get_permutation("pholkos-256")
    files = c.files(cipher, (machine,))
    assert set(c.prove(cipher, files)[machine]) >= {"rounds_1", "rounds_2"}
    head, rounds = files["pholkos_256.c"].split(f"static inline void rounds_1_{machine}", 1)
    text, count = re.subn(pattern, new, rounds, count=1)
    assert count == 1
    with pytest.raises(DescriptionError, match=r"line \d+: not understood|differs from the description"):
        c.prove(cipher, files | {"pholkos_256.c": f"{head}static inline void rounds_1_{machine}{text}"})


@pytest.mark.parametrize(
    ("name", "machine", "count"),
    cases(
        [
            ("aegis-128l", "aesni", 0),
            ("aegis-128x2", "aesni", 2),
            ("aegis-128x4", "aesni", 4),
            ("aegis-128x4", "vaes256", 2),
            ("aegis-128x4", "aarch64", 2),
            ("aegis-256x4", "aesni", 2),
        ],
        short=[("aegis-128l", "aesni", 0), ("aegis-128x2", "aesni", 2)],
    ),
)
def test_parts_of_a_state_are_the_whole(name: str, machine: str, count: int) -> None:
    _, (made,) = functions.lowered_stream(reference.get_stream(name), [machine])
    assert len(made.straight["update"].parts) == count
    rng, several = random.Random(name), [f for f in made.all() if f.parts]
    for f in several:
        words = {each: rng.getrandbits(128) for each in f.program.inputs}
        outputs: dict[str, tuple[int, ...]] = {}
        for part in f.parts:
            assert not outputs.keys() & part.program.outputs.keys()
            outputs |= part.program.run(words)
        assert outputs == f.program.run(words)
    assert {"update", "seal_block", "open_block"} <= {f.name for f in several} or not count
    space = made.machine.registers
    assert all(part.program.live <= space for part in made.straight["update"].parts)


def test_an_operation_of_a_part_that_is_wrong_is_refused() -> None:
    cipher = reference.get_stream("aegis-128x2")
    files = c.files(cipher, ("aesni",))
    text, count = re.subn(
        r"(void update_b_aesni.*?_mm_aesenc_si128\(s)(\d+)",
        lambda m: f"{m[1]}{(int(m[2]) + 2) % 16}",
        files["aegis_128x2.c"],
        count=1,
        flags=re.S,
    )
    assert count == 1
    with pytest.raises(DescriptionError, match=r"line \d+: not understood|differs from the description"):
        c.prove(cipher, files | {"aegis_128x2.c": text})


def test_gcc_copies_no_word_of_the_state_in_a_loop(tmp_path: Path) -> None:
    """It did where it has the result of an operation as bytes, and what follows the loop reads it."""
    require("gcc")
    write(c.files(reference.get_stream("aegis-256x2"), ("vaes256",)), tmp_path / "made")
    command = ["gcc", "-O3", "-std=c11", "-S", "-o", "-", "aegis_256x2.c"]
    made = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path / "made").stdout
    for name in ("absorb", "seal"):
        body = made.split(f"\n{name}_vaes256:", 1)[1].split(".cfi_endproc", 1)[0]
        assert "\tvaesenc\t" in body
        assert not re.search(r"\tvmovdqa\t%ymm\d+, %ymm\d+\n", body)


@pytest.mark.parametrize(("name", "kept"), [("aegis-256x2", "in_order"), ("haraka-512", "in_place")])
def test_a_new_word_in_place_of_another_is_refused(name: str, kept: str) -> None:
    """Where the text keeps gcc from moving an operation or a word."""
    cipher = reference.get_permutation(name) if name.startswith("haraka") else reference.get_stream(name)
    files = c.files(cipher, ("vaes256",))
    file = f"{c.identifier(name)}.c"
    pattern = rf"(= {kept})32\((?:(_mm256_aesenc_epi128\()s(\d+)|t(\d+))"

    def other(m: re.Match[str]) -> str:
        return f"{m[1]}32({m[2]}s{int(m[3]) - 1}" if m[2] else f"{m[1]}32(t{int(m[4]) - 1}"

    for new, message in (
        (other, "differs from the description|which no proof here follows"),
        (lambda m: m[0].replace("32(", "96("), rf"line \d+: not understood: .*{kept}96"),
    ):
        changed, count = re.subn(pattern, new, files[file], count=1)
        assert count == 1
        with pytest.raises(DescriptionError, match=message):
            c.prove(cipher, files | {file: changed})


@pytest.mark.parametrize(
    "name", cases(["aegis-128", "aegis-128l", "aegis-128x4", "rocca-s", "aether"], short=["aegis-128l"])
)
@pytest.mark.parametrize("level", cases(["-O1", "-O2", "-O3", "-Os"], short=["-O3"]))
def test_what_is_cleared_of_the_stack_is_what_a_message_used(name: str, level: str, tmp_path: Path) -> None:
    """The frame of a message, and of the largest function that is no part of it, as gcc makes them."""
    require("gcc")
    stem = c.identifier(name)
    machines = (
        ("aesni", "gfni", "avx2", "avx512")
        if name == "aether"
        else ("aesni", "evex128", "vaes256", "evex256", "vaes512")
    )
    write(c.files(reference.get_stream(name), machines), tmp_path / "made")
    command = ["gcc", level, "-std=c11", "-fstack-usage", "-c", f"{stem}.c"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path / "made")
    rows = (line.split("\t") for line in (tmp_path / "made" / f"{stem}.su").read_text().splitlines())
    frames = {place.rpartition(":")[2]: int(size) for place, size, _ in rows}
    for machine in machines:
        own = {f: size for f, size in frames.items() if f.endswith(f"_{machine}")}
        parts = [size for f, size in own.items() if re.match(r"(update|\w+_block|keystream)_", f)]
        assert own[f"message_{machine}"] + max(parts, default=0) + 64 <= own[f"clear_{machine}"]


def test_a_back_end_that_nobody_knows_is_one_line() -> None:
    line = "^back end 'sse9': not known; one of portable, aesni, "
    for cipher in (load_file(TOY), described("two_word.py")):
        for target in (c, rust):
            with pytest.raises(UnknownName, match=line):
                target.files(cipher, ("portable", "sse9"))
    twice = c.files(load_file(TOY), ("portable", "portable"))["toy.c"]
    assert twice.count("static inline void update_portable(") == 1


def test_a_line_that_is_not_understood_is_refused() -> None:
    toy = load_file(TOY)
    files = c.files(toy, ("portable",))
    text = files["toy.c"].replace("const uint64_t t2 = ", "const uint64_t t2 = 1 + ", 1)
    with pytest.raises(DescriptionError, match=r"line \d+: not understood: const uint64_t t2 = 1 \+"):
        c.prove(toy, files | {"toy.c": text})
    cut = re.sub(r"    s\[2\] = t\d+;\n", "", files["toy.c"], count=1)
    with pytest.raises(DescriptionError):
        c.prove(toy, files | {"toy.c": cut})


# -- files ---------------------------------------------------------------------------------------
def test_a_directory_of_others_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write({"a.c": "1\n", "deep/b.c": "2\n"}, folder)
    (folder / "a.o").write_text("built")
    write({"a.c": "3\n"}, folder)
    assert (folder / "a.c").read_text() == "3\n"
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(NotWritten, match=r"out: holds other files \(.*notes.txt"):
        write({"a.c": "4\n"}, folder)
    write({"a.c": "4\n"}, folder, force=True)
    assert (folder / "notes.txt").read_text() == "mine" and (folder / "a.c").read_text() == "4\n"
    (tmp_path / "file").write_text("")
    with pytest.raises(NotWritten, match="file: is a file"):
        write({"a.c": "1\n"}, tmp_path / "file")
    with pytest.raises(NotWritten, match="out: holds other files"):
        generate(
            load_file(TOY), "c", folder, report=lambda stage: pytest.fail(f"{stage} before it is refused")
        )


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Path, *args: object, **more: object) -> int:
        if self.name == "b.c":
            raise KeyboardInterrupt
        return len(str(self))

    monkeypatch.setattr(Path, "write_text", broken)
    with pytest.raises(KeyboardInterrupt):
        write({"a.c": "1", "b.c": "2"}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_tests_that_fail_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"^sh -c echo no; echo yes; exit 3: exit 3: no; yes$"):
        run(tmp_path, ["sh", "-c", "echo no; echo yes; exit 3"])


class Steps(Aegis128[Any]):
    """Padding and lengths that no standard has: a table of paddings, lengths spread over a word."""

    name = "steps"

    def padding(self, length: int) -> bytes:
        rest = -length % 16
        return bytes((length + i) % 256 for i in range(rest)) if length else b""

    def finalise(self, S: Any, K: Any, ad_bits: int, msg_bits: int) -> Any:
        spread = sum((ad_bits >> i & 1) << 2 * i for i in range(64))
        return self.update(
            self.update(S, [S[1] ^ spread]), [K[0] ^ msg_bits.to_bytes(8, "big")[0] ^ msg_bits << 40]
        )


def test_unusual_padding_and_lengths(tmp_path: Path) -> None:
    cipher: StreamAead[Any] = Steps()
    write(c.files(cipher, ("portable", "aesni")), tmp_path / "c")
    lib = library(tmp_path / "c", "steps")
    rng = random.Random(3)
    for ad_bytes, size in ((0, 0), (1, 17), (31, 15), (16, 16), (33, 100)):
        args = [rng.randbytes(n) for n in (16, 16, ad_bytes, size)]
        assert seal(lib, "steps", cipher, *args) == cipher.encrypt(args[0], args[1], args[3], args[2])


@pytest.mark.long
def test_permutations_of_the_catalogue_lower() -> None:
    """On vectors; the portable code of a few is proven above."""
    for name in ("simpira-4", "areion-512", "pholkos-256", "haraka-512"):
        cipher = reference.get_permutation(name)
        assert isinstance(cipher, Permutation)
        proofs = c.prove(cipher, c.files(cipher, ("aesni", "aarch64")))
        assert list(proofs) == ["aesni", "aarch64"]
