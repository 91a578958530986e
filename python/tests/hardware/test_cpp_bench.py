"""The bench in C++: what it is given, what it finds, what it counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hardware_tools import need
from roundworks.hardware.cores import core
from roundworks.hardware.flow import cpp
from roundworks.hardware.flow.cpp import BenchMessage
from roundworks.reference import get
from roundworks.studies.hardware_bench import messages


@pytest.mark.parametrize("name", ["ascon128a-8-rav", "aegis128-to2"])
def test_what_is_wanted_of_messages_is_the_description(name: str) -> None:
    one = core(name)
    parameters = one.chosen({"Depth": "4"} if name.endswith("-rav") else {})
    known = messages(one, parameters, 7)
    description = get("ascon-128a" if name.startswith("ascon") else "aegis-128")
    assert len({m.name for m in known}) == len(known) > 100
    assert messages(one, parameters, 7) == known != messages(one, parameters, 8)
    for m in [m for m in known if "random" in m.name or "forged" in m.name]:
        if m.decrypt:
            assert (description.open(m.key, m.nonce, m.data, m.tag, m.ad) is not None) == m.right
        else:
            assert description.seal(m.key, m.nonce, m.data, m.ad) == (m.want, m.want_tag)
        assert m.refused == (m.decrypt and name.endswith("-rav") and len(m.data) > 64)
    assert {"open", "seal", "forged"} == {m.name.split()[0] for m in known}
    assert any(m.refused for m in known) == name.endswith("-rav")
    # Whole blocks of associated data, and a buffer that is just full.
    assert any(m.ad and len(m.ad) % 16 == 0 for m in known if "random" in m.name)
    assert any(len(m.data) == 64 and m.right for m in known) or not name.endswith("-rav")


def test_a_line_is_what_the_bench_reads() -> None:
    message = BenchMessage(
        name="open a b",
        decrypt=True,
        key=b"\1",
        nonce=b"\2\3",
        ad=b"",
        data=b"\4",
        tag=b"\5",
        want=b"",
        want_tag=b"\6",
        right=False,
        refused=True,
    )
    assert message.line == "open_a_b 1 01 0203 - 04 05 - 06 0 1"


def test_a_point_counts_once_however_many_instances() -> None:
    def point(page: str, line: int, what: str, where: str, count: int) -> str:
        fields = {"f": "/any/a.sv", "l": line, "page": page, "o": what, "h": where}
        return "C '" + "".join(f"\x01{k}\x02{v}" for k, v in fields.items()) + f"' {count}"

    text = "\n".join(
        [
            "# SystemC::Coverage-3",
            point("v_toggle/a", 3, "x_q[0]", "TOP.top.u_one", 0),
            point("v_toggle/a", 3, "x_q[0]", "TOP.top.u_two", 5),
            point("v_toggle/a", 3, "x_q[1]", "TOP.top.u_one", 0),
            point("v_line/a", 9, "block", "TOP.top.u_one", 1),
            point("v_branch/a", 10, "else", "TOP.top.u_one", 0),
        ]
    )
    covered = cpp.coverage(text, "top")
    assert (covered.lines, covered.lines_hit, covered.toggles, covered.toggles_hit) == (2, 1, 2, 1)
    assert covered.missed == ("a.sv:10 else (1)", "a.sv:3 x_q (1)")
    assert (covered.lines_missed, covered.lines_reached) == (("a.sv:10 else",), ("a.sv:9 block",))
    assert not covered.constant
    # A bit that is constant in every instance is no point; in one of two it is.
    still = frozenset({("u_one.x_q", 0), ("u_one.x_q", 1)})
    covered = cpp.coverage(text, "top", still)
    assert (covered.toggles, covered.toggles_hit, covered.constant) == (1, 1, 1)
    assert covered.missed == ("a.sv:10 else (1)",)


@pytest.mark.long  # half a minute to build; the bench in Python has the same cores
def test_the_bench_in_cpp_finds_a_dropped_handshake(tmp_path: Path) -> None:
    need("verilator", "make")
    one = core("ascon128a-8")
    known = messages(one, one.chosen({}), 1)
    done = cpp.run(one, {}, known)
    assert not done.failure and done.served == 4 * len(known) and done.resets
    assert done.coverage and done.coverage.lines_hit == done.coverage.lines
    assert done.coverage.toggles_hit > 0.95 * done.coverage.toggles
    # A message a hundred times as long as the others ends between two resets, too.
    short = next(m for m in known if not m.decrypt and len(m.ad) + len(m.data) <= 8)
    data = bytes(range(256)) * 8
    want, want_tag = get("ascon-128a").seal(short.key, short.nonce, data, short.ad)
    far = replace(short, name="seal far", data=data, want=want, want_tag=want_tag)
    done = cpp.run(one, {}, [*[short] * 40, far])
    assert not done.failure and done.served == 4 * 41 and done.resets
    # What is wanted is not what comes out.
    spoilt = [replace(m, want_tag=bytes(16)) if not m.decrypt else m for m in known]
    assert cpp.run(one, {}, spoilt).failure.endswith(": the tag is wrong")
    (path,) = (path for path in one.files if path.name == "ascon.sv")
    right = "assign wait_blk = absorb_q & (~blk_valid_i | (msg_now_q & ~out_ready_i));"
    text = path.read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "ascon.sv").write_text(text.replace(right, "assign wait_blk = absorb_q & ~blk_valid_i;"))
    wrong = replace(one, files=tuple(tmp_path / "ascon.sv" if f == path else f for f in one.files))
    assert cpp.run(wrong, {}, known).failure
