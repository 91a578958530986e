"""roundworks list"""

from __future__ import annotations

from typing import Any

import click

from .. import spec
from ..bench.selftest import selftests
from .common import NO, YES, deliver, err, make_rows, out, row_options, table
from .names import KINDS, Choice


@click.command(
    "list",
    help="List the ciphers and their back ends on this machine. Every back end runs every test"
    " vector; the descriptions run a sample, or all with --selftest. Exits 1 if one failed.\n\n"
    "With a KIND, print the names of that kind that other verbs take, one on each line: "
    + ", ".join(KINDS)
    + ".",
    epilog="Example: roundworks list; roundworks list cores",
)
@click.argument("kind", required=False, type=Choice(KINDS), metavar="[KIND]")
@click.option("--selftest", "every", is_flag=True, help="Run every vector on the descriptions too.")
@row_options
def command(kind: str | None, every: bool, as_json: bool, no_store: bool) -> int:
    if kind is not None:
        if every or as_json or no_store:
            raise click.UsageError(
                f"{kind}: names alone; leave --selftest, --json and --no-store out"
            )
        out.print("\n".join(KINDS[kind]()), markup=False)
        return YES
    with err.status("running test vectors"):
        found = selftests(every=every)
    rows = make_rows("selftest", found, "roundworks list" + (" --selftest" if every else ""))
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        facts = {f.name: f for f in spec.ciphers()}
        table(
            "",
            ("cipher", "back end", "here", "vectors", "key", "nonce", "tag", "status"),
            [
                (
                    t["cipher"], t["backend"], t["available"],
                    _count(t) if t["available"] else None,
                    facts[t["cipher"]].key_bytes, facts[t["cipher"]].nonce_bytes,
                    " or ".join(map(str, facts[t["cipher"]].tag_sizes)), facts[t["cipher"]].status,
                )
                for t in found
            ],
            right=(3, 4, 5, 6),
        )  # fmt: skip
        out.print(
            "\nsizes in bytes; `python` is the description in reference/, the others the Rust core"
        )
        if any(t["vectors"] < t["of"] for t in found):
            out.print("descriptions ran a sample of their vectors; all with --selftest")
    return YES if all(t["passed"] == t["vectors"] or not t["available"] for t in found) else NO


def _count(t: dict[str, Any]) -> str:
    sampled = f" of {t['of']:,}" if t["vectors"] < t["of"] else ""
    return f"{t['passed']:,}/{t['vectors']:,}{sampled}"
