"""The program imgscript: where it is, and a server of it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ._errors import ProgramNotFound

_HINT = (
    "install it: https://github.com/imgscript/imgscript#install, "
    "or name it in the environment variable IMGSCRIPT_PROGRAM"
)


def find_program() -> str:
    """The path of the installed program: `IMGSCRIPT_PROGRAM`, else `imgscript` on the path.

    >>> import os.path
    >>> os.path.basename(find_program())
    'imgscript'
    """
    named = os.environ.get("IMGSCRIPT_PROGRAM")
    if named:
        if os.access(named, os.X_OK):
            return named
        raise ProgramNotFound(f"IMGSCRIPT_PROGRAM: no program at {named}\nhint: {_HINT}")
    found = shutil.which("imgscript")
    if found is None:
        raise ProgramNotFound(f"could not find the program imgscript (expected it on PATH)\nhint: {_HINT}")
    return found


class Server:
    """`imgscript serve` on a free port of this machine, for as long as it is not closed.

    >>> with Server(["--sample"]) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self, arguments: Sequence[str] = (), *, program: str | None = None, directory: str | os.PathLike[str] | None = None,
        timeout: float = 120,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="imgscript-")
        folder = Path(self._folder.name)
        self.token = secrets.token_urlsafe(32)
        token_file = folder / "token"
        # Nobody else may read what lets programs in.
        with open(os.open(token_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(self.token)
        self._log = folder / "log"
        command = [
            program or find_program(), "serve", "--listen", "127.0.0.1:0", "--token-file", str(token_file),
            "--directory", os.fspath(directory or "."), *arguments,
        ]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)
        try:
            self.url = self._address(time.monotonic() + timeout)
        except BaseException:
            self.close()
            raise

    def _address(self, deadline: float) -> str:
        """Where it listens: it says so in its log, which has one JSON object a line."""
        while time.monotonic() < deadline:
            ended = self._process.poll() is not None
            lines = self._log.read_text(errors="replace").splitlines(keepends=True)
            for line in lines:
                if line.endswith("\n") and '"listening"' in line:
                    entry = json.loads(line)
                    return str(entry["url"]).rstrip("/")
            if ended:
                said = "".join(lines).strip() or f"it ended with status {self._process.returncode}"
                raise ProgramNotFound(f"could not start imgscript serve: {said}")
            time.sleep(0.02)
        raise ProgramNotFound("could not start imgscript serve: it said nothing in time")

    def close(self) -> None:
        """Ends the server; requests under way are finished first."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
