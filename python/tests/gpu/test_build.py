"""Every kernel compiles for every architecture, and costs no more than its budget."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import kernel_budget as budget
from calls import cases
from gpu_tools import need
from roundworks.errors import KernelError
from roundworks.gpu import build

CODE = """
	.section	.text.one,"ax",@progbits
.L_x_0:
        /*0000*/                   LOP3.LUT R2, R0, 0x8, RZ, 0xfc, !PT ;
.L_x_1:
        /*0010*/              @!P0 SHFL.BFLY PT, R2, R2, 0x1, 0x1f ;
        /*0020*/                   LDS R2, [R2] ;
        /*0030*/               @P0 BRA `(.L_x_1) ;
        /*0040*/                   BRA `(.L_x_2) ;
        /*0050*/              @UP1 BRA `(.L_x_0) ;
.L_x_2:
        /*0060*/                   EXIT ;
.L_x_3:
        /*0070*/                   BRA `(.L_x_3);
"""


# ptxas takes most of the time, and an architecture's code differs from another's in little. AETHER
# takes it as long as all others together, Minalpher and GCM come next; AES has the tables of AEGIS.
@pytest.mark.parametrize(
    ("family", "architecture"),
    cases(
        product(build.families(), build.ARCHITECTURES),
        short=[
            (family, "sm_90")
            for family in build.families()
            if family not in ("aegis", "aether", "aes", "gcm", "minalpher", "rocca")
        ],
    ),
)
def test_within_its_budget(family: str, architecture: str) -> None:
    need("nvcc", "nvdisasm")
    costs = budget.costs(build.machine_code(family, architecture))
    assert [line for cost in costs for line in budget.excess(cost)] == []


def test_the_inner_loop() -> None:
    """Not the loop around it, not the jump forward, not the jump to itself behind the kernel."""
    assert budget.inner_loop(CODE) == {"SHFL": 1, "LDS": 1, "BRA": 1}
    straight = CODE.replace("(.L_x_1)", "(.L_x_2)").replace("(.L_x_0)", "(.L_x_2)")
    assert budget.inner_loop(straight)["LOP3"] == 1, "no loop: all of the kernel"


def test_a_kernel_over_its_budget_is_named() -> None:
    allowed = budget.allowed("minalpher_permute", "sm_90")
    loop = {"LOP3": allowed["LOP3"] + 1, "SHFL": allowed["SHFL"], "IADD3": 1}
    cost = budget.KernelCost("minalpher_permute", "sm_90", allowed["registers"], 8, loop)
    assert budget.excess(cost) == [
        "minalpher_permute on sm_90: spilled_bytes: want at most 0, got 8",
        f"minalpher_permute on sm_90: LOP3: want at most {allowed['LOP3']}, got {allowed['LOP3'] + 1}",
    ]
    with pytest.raises(KernelError, match="^nothing: no budget; give it one in kernels/budget.toml$"):
        budget.allowed("nothing", "sm_90")


def test_a_thousandth_of_a_long_loop_may_come_and_go() -> None:
    allowed = budget.allowed("aether_open_many", "sm_90")
    more = allowed["instructions"] // 1000
    assert more == 3
    loop = {kind: allowed[kind] for kind in budget.KINDS}
    loop["LDS"] += more
    loop["IADD3"] = allowed["instructions"] + more - sum(loop.values())
    cost = budget.KernelCost("aether_open_many", "sm_90", allowed["registers"], 0, loop)
    assert budget.excess(cost) == []
    loop["LDS"] += 1
    assert [line.split(": ")[1] for line in budget.excess(cost)] == ["instructions", "LDS"]


@pytest.mark.parametrize("given", ["spilled_bytes = 8", "sm_90 = { spilled_bytes = 0 }"])
def test_no_budget_allows_a_spill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setattr(build, "home", lambda: tmp_path)
    (tmp_path / "budget.toml").write_text(f"[one]\nregisters = 255\n{given}\n")
    with pytest.raises(KernelError, match=r"^kernels/budget.toml: one: 'spilled_bytes' not known;"):
        budget.allowed("one", "sm_90")


SPILLING = """
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(unsigned* p) {
  unsigned x[64];
#pragma unroll
  for (unsigned i = 0; i < 64; i++) x[i] = p[1024 * i + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (unsigned i = 0; i < 64; i++) p[1024 * i + threadIdx.x] = x[i] ^ x[(7 * i + 3) % 64];
}
"""
# No register has a number that is not known.
INDEXED = """
extern "C" __global__ void indexed(unsigned* p, unsigned n) {
  unsigned x[64];
  for (unsigned i = 0; i < 64; i++) x[i] = p[1024 * i + threadIdx.x];
  for (unsigned i = 0; i < n; i++) x[p[i] % 64] ^= x[p[i + 1] % 64];
  for (unsigned i = 0; i < 64; i++) p[1024 * i + threadIdx.x] = x[i];
}
"""


@pytest.mark.parametrize(("name", "text"), [("spilling", SPILLING), ("indexed", INDEXED)])
@pytest.mark.parametrize("fat", [False, True])
def test_a_spill_is_no_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, fat: bool
) -> None:
    """Whoever compiles: the tests, `make install-gpu`, or the archive for a machine with a GPU."""
    need("nvcc", "nvdisasm")
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    monkeypatch.setattr(build, "home", lambda: tmp_path)
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "some.cu").write_text(text)
    what = "some.cu" if fat else "some.cu for sm_90"
    with pytest.raises(KernelError, match=f"^{what}: ptxas error .* Local memory used .*{name}'"):
        build.fat_binary("some") if fat else build.machine_code("some", "sm_90")
    assert not list((tmp_path / "gpu").iterdir()), "nothing half made stays"


def test_tools_say_which_they_are() -> None:
    need("g++", "nvcc", "nvdisasm")
    assert build.version("nvcc").startswith("13.")
    assert build.version("nvdisasm").startswith("13.")
    assert build.version("g++")[0].isdigit()


def test_what_is_wrong_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDWORKS_BUILD", str(tmp_path))
    monkeypatch.setattr(build, "home", lambda: tmp_path)
    with pytest.raises(KernelError, match=r"^none: no host.cpp in kernels/none; one of $"):
        build.host_file("none")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "broken.hpp").write_text("int x = y;\n")
    (tmp_path / "broken" / "host.cpp").write_text('#include "broken.hpp"\n')
    with pytest.raises(KernelError, match=r"^broken/host.cpp: .*broken.hpp:1:9: error: .*y.*$"):
        build.host_file("broken")
    assert not list((tmp_path / "gpu").iterdir()), "nothing half made stays"
