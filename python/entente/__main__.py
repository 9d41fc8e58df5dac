"""The program `entente`, with all its commands; without a command it speaks UCI."""

from __future__ import annotations

import sys

from ._entente import main as _main


def main() -> int:
    """Run the program with the arguments of this process, and return its exit status."""
    return _main(["entente", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
