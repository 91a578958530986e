"""One line of what pip-audit found, given as JSON; 1 if a package is vulnerable, or was not checked."""

from __future__ import annotations

import json
import sys


def main() -> int:
    """Reads standard input."""
    try:
        packages = json.load(sys.stdin)["dependencies"]
    except (ValueError, KeyError):
        return 1
    vulnerable = [
        f"{one['name']} {one['version']}: {flaw['id']}" for one in packages for flaw in one.get("vulns", ())
    ]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    said = [f"{len(packages) - len(skipped)} of {len(packages)} packages checked for known vulnerabilities"]
    if skipped:
        said.append(
            f"NOT CHECKED, as PyPI gave no advisories: {', '.join(skipped[:3])}{' ...' * (len(skipped) > 3)}"
        )
    print("; ".join(said + vulnerable))
    return 1 if vulnerable or skipped else 0


if __name__ == "__main__":
    sys.exit(main())
