"""Every feature of the core alone: no warning with it, and with --test its own tests pass."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "roundworks"
# Doc tests show the crate with its default features.
TARGETS = ["--lib", "--tests"]


def features() -> list[str]:
    """The empty set, and every feature of the manifest but the default."""
    manifest = tomllib.loads((ROOT / "crates" / PACKAGE / "Cargo.toml").read_text())
    return ["", *(name for name in manifest["features"] if name != "default")]


def cargo(verb: str, feature: str, *more: str) -> bool:
    """Whether a verb of cargo passes with that feature alone; a failure is printed."""
    command = ["cargo", verb, "--quiet", "--locked", "-p", PACKAGE, *TARGETS]
    command += ["--no-default-features", "--features", feature, *more]
    if subprocess.run(command, cwd=ROOT).returncode == 0:
        return True
    print(f"check_features: failed: {' '.join(command)}", file=sys.stderr)
    return False


def main() -> None:
    """Checks every set of features; with --test also runs its tests."""
    test = sys.argv[1:] == ["--test"]
    if sys.argv[1:] and not test:
        sys.exit("check_features: want --test or nothing")
    alone = features()
    good = 0
    for feature in alone:
        passed = cargo("clippy", feature, "--", "-D", "warnings")
        if passed and test:
            passed = cargo("test", feature)
        good += passed
    done = "tested" if test else "built"
    print(f"check_features: {good} of {len(alone)} sets of features {done}")
    sys.exit(good != len(alone))


if __name__ == "__main__":
    main()
