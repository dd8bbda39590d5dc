"""The plugin for pytest, and the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
PROVIDERS = Path(__file__).parents[2] / "providers"


def test_every_check_is_a_test(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(str(PROVIDERS / "picsum.js"), "-p", "no:cacheprovider")
    outcomes = result.parseoutcomes()
    assert result.ret == 0 and outcomes["passed"] > 10 and "failed" not in outcomes


def test_failed_check_says_what_was_found(pytester: pytest.Pytester) -> None:
    pytester.makefile(".js", lakes="module.exports = { contract: 1, id: 'lakes', name: 'Lakes' }")
    pytester.makefile(".js", other="console.log('no provider')")
    pytester.makeini("[pytest]\nimgscript_providers = .\n")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*version*"])


def test_scripts_that_nobody_named_are_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makefile(".js", lakes="module.exports = { contract: 1, id: 'lakes', name: 'Lakes' }")
    assert pytester.runpytest_subprocess().ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_module_is_the_command() -> None:
    command = [sys.executable, "-m", "imgscript"]
    run = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout.startswith("imgscript ")
    refused = subprocess.run([*command, "serch"], capture_output=True, text=True, check=False)
    assert refused.returncode == 64 and "search" in refused.stderr
    missing = subprocess.run(
        [*command, "doctor"], capture_output=True, text=True, check=False,
        env={"PATH": "/nowhere", "IMGSCRIPT_PROGRAM": "/nowhere/imgscript"})
    assert missing.returncode == 1 and missing.stderr.startswith("error: ") and "\nhint: install it" in missing.stderr
