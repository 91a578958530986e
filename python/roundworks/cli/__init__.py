"""The `roundworks` command: one file per verb."""

import sys

__all__ = ["main"]

try:
    from .main import main
except ModuleNotFoundError as error:
    if error.name not in ("click", "rich"):
        raise

    def main() -> None:
        """Say what the command line lacks: the AEADs and permutations need no package of others."""
        print("roundworks: the command line wants its extra: pip install 'roundworks[cli]'", file=sys.stderr)
        sys.exit(2)
