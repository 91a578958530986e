"""roundworks list"""

from __future__ import annotations

import click

from .. import spec
from ..bench.selftest import selftests
from .common import NO, YES, deliver, err, make_rows, out, row_options, table


@click.command(
    "list",
    help="List the ciphers and their back ends on this machine, with every test vector run on each."
    " Exits 1 if one failed.",
    epilog="Example: roundworks list",
)
@row_options
def command(as_json: bool, no_store: bool) -> int:
    with err.status("running every test vector"):
        found = selftests()
    rows = make_rows("selftest", found, "roundworks list")
    deliver(rows, as_json=as_json, no_store=no_store)
    if not as_json:
        facts = {f.name: f for f in spec.ciphers()}
        table(
            "",
            ("cipher", "back end", "here", "vectors", "key", "nonce", "tag", "status"),
            [
                (
                    t["cipher"], t["backend"], t["available"],
                    f"{t['passed']}/{t['vectors']}" if t["available"] else None,
                    facts[t["cipher"]].key_bytes, facts[t["cipher"]].nonce_bytes,
                    facts[t["cipher"]].tag_bytes, facts[t["cipher"]].status,
                )
                for t in found
            ],
            right=(3, 4, 5, 6),
        )  # fmt: skip
        out.print(
            "\nsizes in bytes; `python` is the description in reference/, the others the Rust core"
        )
    return YES if all(t["passed"] == t["vectors"] or not t["available"] for t in found) else NO
