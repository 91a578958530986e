"""Generated C under valgrind, with the key and the message marked as secret: no branch and no address depends
on them, but the verdict of a tag, which is public. What valgrind cannot emulate it reports as missing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from calls import cases
from places import TOY
from roundworks.generate import c
from roundworks.generate.write import write
from roundworks.reference import get, load_file
from wanted import require

# Of valgrind/memcheck.h, which is not everywhere: MAKE_MEM_UNDEFINED and MAKE_MEM_DEFINED.
_PROGRAM = """
#include "{name}.h"
#include <stdio.h>
#include <string.h>

static void request(unsigned long which, const void *at, size_t bytes)
{{
    volatile unsigned long args[6] = {{0x4d430000ul + which, (unsigned long)at, bytes, 0, 0, 0}};
    unsigned long result = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "+d"(result) : "a"(args) : "cc", "memory");
}}

static void secret(const void *at, size_t bytes) {{ request(1, at, bytes); }}
static void open_to_all(const void *at, size_t bytes) {{ request(2, at, bytes); }}

__attribute__((noinline)) static int leak(const uint8_t *key)
{{
    return key[0] & 1 ? puts("odd") : puts("even");
}}

int main(void)
{{
    enum {{ COUNT = 5, SIZE = 5 * {NAME}_RATEBYTES + 3, AD = {NAME}_RATEBYTES + 1 }};
    static uint8_t key[{NAME}_KEYBYTES], nonces[COUNT * {NAME}_NPUBBYTES], ad[COUNT * AD], data[COUNT * SIZE];
    static uint8_t out[COUNT * SIZE], tags[COUNT * {NAME}_ABYTES];
    for (size_t i = 0; {name}_backend_name(i); i++) {{
        if ({name}_choose_backend({name}_backend_name(i)) != 0)
            continue;
        secret(key, sizeof key);
        secret(data, sizeof data);
        for (size_t bytes = 0; bytes <= SIZE; bytes += 7) {{
            {name}_message m;
            {name}_encrypt_detached(key, nonces, ad, AD, data, bytes, out, tags);
            {name}_encrypt_many(key, COUNT, nonces, ad, AD, data, bytes, out, tags);
            {name}_init(&m, key, nonces);
            {name}_ad_update(&m, ad, AD);
            {name}_seal_update(&m, data, bytes / 3, out);
            {name}_seal_update(&m, data + bytes / 3, bytes - bytes / 3, out + bytes / 3);
            {name}_seal_final(&m, tags);
            open_to_all(out, sizeof out);
            open_to_all(tags, sizeof tags);
            int refused = {name}_decrypt_detached(key, nonces, ad, AD, out, bytes, tags, data);
            {name}_init(&m, key, nonces);
            {name}_ad_update(&m, ad, AD);
            {name}_open_update(&m, out, bytes, data);
            refused |= {name}_open_final(&m, tags);
            open_to_all(&refused, sizeof refused);
            if (refused)
                return 1;
            memset(data, 1, sizeof data);
            secret(data, sizeof data);
        }}
        printf("%s: every size\\n", {name}_backend_name(i));
    }}
    return leak(key) < 0;
}}
"""


@pytest.mark.parametrize(
    ("name", "machines"),
    cases(
        [
            ("toy", ("portable", "aesni")),
            ("aether", ("portable", "aesni", "avx2")),
            ("aegis-128l", ("aesni",)),
        ],
        short=[("toy", ("portable", "aesni"))],
    ),
)
def test_no_secret_reaches_a_branch_or_an_address(
    name: str, machines: tuple[str, ...], tmp_path: Path
) -> None:
    require("valgrind"), require("gcc")
    cipher = load_file(TOY) if name == "toy" else get(name)
    write(c.files(cipher, machines), tmp_path / "made")  # type: ignore[arg-type]
    stem = c.identifier(cipher.name)
    (tmp_path / "made" / "secrets.c").write_text(_PROGRAM.format(name=stem, NAME=stem.upper()))
    command = ["gcc", "-O2", "-g", "-o", "secrets", "secrets.c", f"{stem}.c"]
    subprocess.run(command, cwd=tmp_path / "made", check=True)
    # What valgrind could not emulate it would report as missing from the CPU.
    alone, done = (
        subprocess.run(
            [*checker, "./secrets"], cwd=tmp_path / "made", capture_output=True, text=True, check=False
        )
        for checker in ((), ("valgrind", "--quiet", "--error-limit=no"))
    )
    assert alone.returncode == done.returncode == 0, done.stderr
    ran = [re.findall(r"^(\w+): every size$", one.stdout, re.M) for one in (alone, done)]
    assert ran[0] == ran[1] and set(ran[0]) <= set(machines), done.stdout
    assert ran[0] or "portable" not in machines
    innermost = set(re.findall(r"\bat 0x[0-9A-F]+: (\w+)", done.stderr))
    assert "leak" in innermost, done.stderr  # the control
    assert innermost <= {"leak", f"{stem}_decrypt_detached", f"{stem}_open_final"}, done.stderr
