"""roundworks audit"""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape

from .common import NO, YES, chosen, chosen_label, cipher_options, deliver, err, make_rows, out, row_options

_STYLE = {"forgery": "bold red", "leak": "yellow", "note": "cyan", "pass": "green"}


@click.command(
    "audit",
    help="Look for errors in a mode of operation: boundary shifts, truncation, extension, unbound"
    " lengths, tags that ignore state, nonce reuse, symmetries, fixed words. A finding is proven"
    " by a forgery or counter-example that is printed in full.\n\nExits 1 if anything was forged;"
    " leaks under a repeated nonce, symmetries and fixed words are notes.",
    epilog="Example: roundworks audit aether",
)
@cipher_options("ciphers")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the keys and messages."
)
@click.option("--brief", is_flag=True, help="Print one line per finding, without its proof.")
@row_options
def command(
    cipher: str | None, file: Path | None, seed: int, brief: bool, as_json: bool, no_store: bool
) -> int:
    from ..analysis.audit import audit, broken

    it = chosen(cipher, file)
    started = time.perf_counter()
    with err.status(f"auditing {it.name}") if not as_json else _Quiet():
        findings = audit(it, seed=seed)
    seconds = (time.perf_counter() - started) / max(1, len(findings))
    label = f"roundworks audit {chosen_label(cipher, file)}" + (f" --seed {seed}" if seed != 1 else "")
    rows = make_rows("audit", [asdict(f) | {"cipher": it.name, "seconds": seconds} for f in findings], label)
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        for f in findings:
            out.print(f"[{_STYLE[f.verdict]}]{f.verdict:<8}[/] {f.check}: {escape(f.title)}")
            if brief:
                continue
            out.print(f"         {f.detail}", markup=False)
            for line in _proof_lines(f.proof or {}):
                out.print(f"         {line}", markup=False)
        forged = sum(f.verdict == "forgery" for f in findings)
        verdict = f"{forged} forgeries" if forged != 1 else "1 forgery"
        out.print(f"\n{it.name}: {verdict if forged else 'no forgery found'} in {len(findings)} findings")
    return NO if broken(findings) else YES


def _proof_lines(proof: dict[str, object], indent: str = "") -> list[str]:
    lines = []
    for key, value in proof.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}", *_proof_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{key} = {value if value != '' else '(empty)'}")
    return lines


class _Quiet:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...
