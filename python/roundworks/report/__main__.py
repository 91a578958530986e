"""``python -m roundworks.report [DIR]`` builds the pages from the default store."""

import sys
from pathlib import Path

from roundworks.errors import RoundworksError
from roundworks.report.build import build
from roundworks.rows import Store


def main(argv: list[str]) -> int:
    """Write the pages of the stored rows into a folder."""
    if len(argv) > 1 or any(word.startswith("-") for word in argv):
        print("usage: python -m roundworks.report [DIR]", file=sys.stderr)
        return 2
    try:
        page = build(Store(), Path(argv[0] if argv else "report/build"))
    except (RoundworksError, OSError) as error:
        print(f"roundworks: error: {error}", file=sys.stderr)
        return 2
    print(page)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
