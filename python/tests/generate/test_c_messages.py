"""Messages in increments of generated C, as a caller may get them wrong, and back ends chosen by another thread."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import pytest

from places import TOY
from roundworks.generate import c, generate
from roundworks.generate.write import write
from roundworks.reference import StreamAead, load_description, load_file
from roundworks.reference.aegis import Aegis256, Aegis256X2
from wanted import require

OK, ERROR_TAG, ERROR_STATE = 0, -1, -2
SECRET = b"plaintext that must not go out"
TAG = 4
"""Bytes of the toy's tag."""


class Message:
    """A message in increments of the compiled toy cipher, in memory that was all zero."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))
        self.memory = ctypes.create_string_buffer(4096)

    def call(self, verb: str, *args: Any) -> int:
        """The result of ``toy_VERB``; integers are sizes."""
        given = [ctypes.c_size_t(each) if isinstance(each, int) else each for each in args]
        return int(getattr(self.library, f"toy_{verb}")(self.memory, *given))

    def begin(self) -> None:
        """With a key and a nonce of zeros."""
        self.library.toy_init(self.memory, bytes(32), bytes(32))

    def abandon(self) -> None:
        """Given up."""
        self.library.toy_abandon(self.memory)

    def update(self, verb: str, data: bytes) -> tuple[int, bytes]:
        """The result, and what was written, in place."""
        out = ctypes.create_string_buffer(data, len(data))
        return self.call(f"{verb}_update", out, len(data), out), out.raw

    def seal_final(self) -> tuple[int, bytes]:
        """The result and the tag."""
        tag = ctypes.create_string_buffer(b"\xff" * TAG, TAG)
        return self.call("seal_final", tag), tag.raw


@pytest.fixture(scope="module")
def toy() -> StreamAead[Any]:
    cipher = load_file(TOY)
    assert isinstance(cipher, StreamAead)
    return cipher


@pytest.fixture(scope="module")
def library(toy: StreamAead[Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    require("gcc")
    folder = tmp_path_factory.mktemp("toy")
    write(c.files(toy), folder / "made")
    made = folder / "libtoy.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", made, folder / "made" / "toy.c"], check=True)
    return made


def refusals(message: Message, verbs: str) -> None:
    """Data is refused, with zeros where the caller's plaintext was; so are associated data and the ends."""
    before = message.memory.raw
    assert message.call("ad_update", b"abc", 3) == ERROR_STATE
    for verb in verbs.split():
        assert message.update(verb, SECRET) == (ERROR_STATE, bytes(len(SECRET)))
    if "seal" in verbs:
        assert message.seal_final() == (ERROR_STATE, bytes(TAG))
    if "open" in verbs:
        assert message.call("open_final", bytes(TAG)) == ERROR_STATE
    assert message.memory.raw == before


def test_a_message_that_has_not_begun_takes_nothing(library: Path) -> None:
    refusals(Message(library), "seal open")


def test_a_message_that_is_finished_takes_nothing(library: Path) -> None:
    message = Message(library)
    message.begin()
    assert message.update("seal", b"data")[0] == OK and message.seal_final()[0] == OK
    refusals(message, "seal open")
    message.begin()
    assert message.update("open", b"data")[0] == OK
    assert message.call("open_final", bytes(TAG)) == ERROR_TAG
    refusals(message, "seal open")


def test_a_message_that_is_abandoned_is_wiped_and_takes_nothing(library: Path) -> None:
    message = Message(library)
    for data in (b"", b"data"):
        message.begin()
        assert any(message.memory.raw)
        assert message.update("seal", data)[0] == OK
        message.abandon()
        assert not any(message.memory.raw)
        refusals(message, "seal open")
        message.abandon()


def test_associated_data_and_the_other_direction_are_refused_once_data_came(
    toy: StreamAead[Any], library: Path
) -> None:
    """What was refused changes nothing: the message goes on."""
    key, nonce, ad, data = bytes(toy.key_bytes), bytes(toy.nonce_bytes), b"header", bytes(range(40))
    sealed = toy.encrypt(key, nonce, data, ad)
    message = Message(library)
    message.begin()
    assert message.call("ad_update", ad, len(ad)) == OK
    first = message.update("seal", data[:7])
    refusals(message, "open")
    second, last = message.update("seal", data[7:]), message.seal_final()
    assert {first[0], second[0], last[0]} == {OK}
    assert first[1] + second[1] + last[1] == sealed
    message.begin()
    assert message.call("ad_update", ad, len(ad)) == OK
    opened = message.update("open", sealed[:40])
    refusals(message, "seal")
    assert opened == (OK, data) and message.call("open_final", sealed[40:]) == OK


# One thread chooses back ends while others compute; each message is sealed by one back end from end to end.
_THREADS = r"""
#include "toy.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 6, SIZE = 6 * TOY_RATEBYTES + 3 };
static const uint8_t key[TOY_KEYBYTES] = {1}, nonces[COUNT * TOY_NPUBBYTES] = {2}, data[COUNT * SIZE] = {3};
static uint8_t want[COUNT * SIZE], tags[COUNT * TOY_ABYTES];
static atomic_int wrong, busy;

static void *compute(void *first)
{
    uint8_t out[sizeof want], made[sizeof tags];
    for (int i = 0; i < TIMES; i++) {
        toy_encrypt_many(key, COUNT, nonces, NULL, 0, data, SIZE, out, made);
        if (!first)
            wrong += memcmp(out, want, sizeof out) != 0 || memcmp(made, tags, sizeof made) != 0;
    }
    busy--;
    return NULL;
}

static void *choose(void *unused)
{
    while (busy)
        for (size_t i = 0; toy_backend_name(i); i++)
            toy_choose_backend(toy_backend_name(i));
    return unused;
}

int main(void)
{
    pthread_t all[4];
    busy = 2; /* The first calls of all, which look for the fastest back end, are of two threads at once. */
    for (int i = 0; i < 2; i++)
        pthread_create(&all[i], NULL, compute, &busy);
    for (int i = 0; i < 2; i++)
        pthread_join(all[i], NULL);
    toy_encrypt_many(key, COUNT, nonces, NULL, 0, data, SIZE, want, tags);
    busy = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&all[i], NULL, compute, NULL);
    for (int i = 2; i < 4; i++)
        pthread_create(&all[i], NULL, choose, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
    printf("%d\n", wrong);
    return wrong != 0;
}
"""


@pytest.mark.parametrize(
    "flags", [["-O2", "-DTIMES=5000"], ["-O1", "-g", "-fsanitize=thread", "-DTIMES=300"]]
)
def test_a_back_end_is_chosen_while_other_threads_compute(
    flags: list[str], toy: StreamAead[Any], tmp_path: Path
) -> None:
    gcc = require("gcc")
    (tmp_path / "empty.c").write_text("int main(void) { return 0; }")
    works = subprocess.run([gcc, *flags, "-o", "empty", "empty.c"], cwd=tmp_path, check=False)
    if works.returncode or subprocess.run([tmp_path / "empty"], check=False).returncode:
        pytest.skip(f"gcc {' '.join(flags)}: not here")
    write(c.files(toy), tmp_path / "made")
    (tmp_path / "made" / "threads.c").write_text(_THREADS)
    command = [gcc, "-std=c11", *flags, "-pthread", "-o", "threads", "threads.c", "toy.c"]
    subprocess.run(command, cwd=tmp_path / "made", check=True)
    done = subprocess.run(
        ["./threads"], cwd=tmp_path / "made", check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_fastest_back_end_is_found_after_a_choice_and_before(tmp_path: Path, library: Path) -> None:
    """Of a permutation, whose file has the same choice."""
    cipher = load_description(TOY.with_name("feistel_aes.py"))
    write(c.files(cipher), tmp_path / "made")
    made = tmp_path / "lib.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", made, tmp_path / "made" / "feistel_aes.c"], check=True)
    for path, name in ((library, "toy"), (made, "feistel_aes")):
        lib = ctypes.CDLL(str(path))
        used = getattr(lib, f"{name}_backend")
        used.restype = ctypes.c_char_p
        choose = getattr(lib, f"{name}_choose_backend")
        assert choose(b"portable") == 0 and used() == b"portable"
        assert choose(b"none such") == -1 and used() == b"portable"


class Keeping(StreamAead[Any]):
    """Steps of two rounds, of which the second absorbs what the state was before the first."""

    name = "keeping"

    def absorb(self, S: Any, X: Any) -> Any:
        return self.update(self.update(S, X), S[: self.rate_words])

    def separate(self, S: Any) -> Any:
        return self.absorb(S, S[1 : 1 + self.rate_words])

    def last(self, S: Any, X: Any) -> Any:
        return self.absorb(S, X)


class Keeping256(Keeping, Aegis256[Any]):
    """On words of a register each."""


class Keeping256X2(Keeping, Aegis256X2[Any]):
    """On registers of two words."""


@pytest.mark.parametrize(
    ("kind", "machines"), [(Keeping256, ("portable", "aesni")), (Keeping256X2, ("aesni", "vaes256"))]
)
def test_a_word_that_a_step_keeps_over_a_round(
    kind: type[StreamAead[Any]], machines: tuple[str, ...], tmp_path: Path
) -> None:
    """In one call and in increments, whose steps are functions of their own."""
    require("make"), require("cc")
    made = generate(kind(), "c", tmp_path / "made", backends=machines)
    assert made.tests is not None and "40 vectors" in made.tests
