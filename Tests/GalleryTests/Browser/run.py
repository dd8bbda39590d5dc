#!/usr/bin/env python3
"""Runs the tests of the gallery in headless Chromium.

    GALLERY_BINARIES=.build/debug Tests/GalleryTests/Browser/run.py [-v] [NAME…]

Each file of tests is a process with a source, a gallery and a browser of its own, JOBS (3) of them side by side: most of the time a
test waits for pages. Needs playwright and axe-playwright-python of PyPI, and Chromium at CHROMIUM (/usr/bin/chromium).
"""
import concurrent.futures
import io
import multiprocessing
import os
import pathlib
import sys
import time
import unittest

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from browser_case import Session  # noqa: E402
from gallery import Gallery  # noqa: E402
from source import Source  # noqa: E402


class Result(unittest.TextTestResult):
    """Says how long each test took."""

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        if self.showAll:
            self.stream.write(f"{time.monotonic() - self.started:.1f} s ")
        super().addSuccess(test)


def launch(playwright):
    # Chromium's own sandbox wants a user who is not root.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=options)


def tests_of(file, names):
    loader = unittest.TestLoader()
    if names:
        loader.testNamePatterns = [f"*{name}*" for name in names]
    return loader.discover(str(HERE), pattern=file)


def run(file, names, verbosity):
    """Runs the tests of one file; what was printed, how many there were, and whether all passed."""
    text = io.StringIO()
    source = Source()
    gallery = None
    try:
        gallery = Gallery(source, "-p", "atlas", "-p", "meadow", "-p", "quay")
        with sync_playwright() as playwright:
            browser = launch(playwright)
            context = browser.new_context()
            context.new_page().goto(gallery.link)
            Session.source, Session.gallery, Session.browser = source, gallery, browser
            Session.storage = context.storage_state()
            context.close()
            runner = unittest.TextTestRunner(text, verbosity=verbosity, resultclass=Result)
            result = runner.run(tests_of(file, names))
            browser.close()
    finally:
        if gallery:
            gallery.close()
        source.close()
    return text.getvalue(), result.testsRun, result.wasSuccessful()


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    verbosity = 2 if "-v" in sys.argv else 1
    # The largest first: they take longest.
    files = sorted(HERE.glob("test_*.py"), key=lambda file: -file.stat().st_size)
    files = [file.name for file in files if tests_of(file.name, names).countTestCases()]
    started, count, passed = time.monotonic(), 0, True
    # A process of its own for each: playwright, the source and what tests have in common live once in a process.
    processes = multiprocessing.get_context("spawn")
    jobs = int(os.environ.get("JOBS", "3"))
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=processes, max_tasks_per_child=1) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, file, names, verbosity) for file in files]):
            text, ran, is_successful = future.result()
            print(text, end="", flush=True)
            count += ran
            passed = passed and is_successful
    print(f"{count} tests in {time.monotonic() - started:.0f} s: {'passed' if passed else 'FAILED'}")
    return 0 if passed and count else 1


if __name__ == "__main__":
    sys.exit(main())
