"""``python -m roundworks.spec``: check every data file, as `make check` does."""

import sys

from roundworks.errors import SpecError

from . import check_all


def main() -> int:
    """Check every file of spec/ and print a summary; 1 if one is wrong."""
    try:
        print(check_all())
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
