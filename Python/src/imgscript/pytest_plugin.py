"""Runs the tests of provider files under pytest: `pytest providers/lakes.js`.

Every check of `imgscript test` is a test of its own. Files are collected where they are named, and below the folders of the
setting `imgscript_providers`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ._program import find_program


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("imgscript_providers", "folders of provider files to test with imgscript", "paths", [])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ProviderFile | None:
    if file_path.suffix != ".js" or file_path.name.endswith((".test.js", "-theme.js")):
        return None
    folders = parent.config.getini("imgscript_providers")
    if not parent.session.isinitpath(file_path) and not any(file_path.is_relative_to(folder) for folder in folders):
        return None
    # Other scripts may lie there.
    if "contract:" not in file_path.read_text(encoding="utf-8", errors="replace"):
        return None
    return ProviderFile.from_parent(parent, path=file_path)


class ProviderFile(pytest.File):
    """A provider's file."""

    def collect(self) -> Iterator[ProviderCase]:
        run = subprocess.run(
            [find_program(), "test", "--ci", "--reporter", "json", str(self.path)], capture_output=True, text=True,
            check=False)
        try:
            report = json.loads(run.stdout)
        except ValueError:
            raise self.CollectError(run.stderr.strip() or f"imgscript test ended with status {run.returncode}") from None
        names: dict[str, int] = {}
        for suite in report["suites"]:
            for case in suite["cases"]:
                name = " > ".join([*case.get("groups", ()), case["name"]])
                names[name] = names.get(name, 0) + 1
                if names[name] > 1:
                    name = f"{name} ({names[name]})"
                yield ProviderCase.from_parent(self, name=name, case=case)


class ProviderCase(pytest.Item):
    """One check of a provider, or one test of its test file."""

    def __init__(self, *, case: dict[str, Any], **arguments: Any) -> None:
        super().__init__(**arguments)
        self._case = case

    def runtest(self) -> None:
        if self._case["outcome"] == "skipped":
            pytest.skip(self._case.get("note") or "nothing was tried")
        if self._case["outcome"] == "warning":
            self.warn(pytest.PytestWarning("; ".join(problem["message"] for problem in self._case.get("problems", ()))))
        if self._case["outcome"] == "failed":
            raise ProviderProblem(self._case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ProviderProblem):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.stem}: {self.name}"


class ProviderProblem(Exception):
    """What a check found."""

    def __init__(self, case: dict[str, Any]) -> None:
        lines: list[str] = []
        for problem in case.get("problems", ()):
            lines += [problem["message"], *([f"hint: {problem['hint']}"] if problem.get("hint") else [])]
            lines += [problem["diff"]] if problem.get("diff") else []
        super().__init__("\n".join(lines) or case.get("note") or "failed")
