"""`python -m imgscript` is the command imgscript."""

from __future__ import annotations

import os
import sys

from ._errors import ProgramNotFound
from ._program import find_program


def main() -> None:
    try:
        program = find_program()
    except ProgramNotFound as error:
        message, _, hint = str(error).partition("\n")
        print(f"error: {message}\n{hint}", file=sys.stderr)
        sys.exit(1)
    os.execv(program, ["imgscript", *sys.argv[1:]])


if __name__ == "__main__":
    main()
