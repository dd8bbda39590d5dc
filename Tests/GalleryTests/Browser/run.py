#!/usr/bin/env python3
"""Runs the tests of the gallery in headless Chromium.

    GALLERY_BINARIES=.build/debug Tests/GalleryTests/Browser/run.py [-v] [NAME…]

Needs playwright and axe-playwright-python of PyPI, and Chromium at CHROMIUM (/usr/bin/chromium).
"""
import os
import sys
import unittest

from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from browser_case import Session  # noqa: E402
from gallery import Gallery  # noqa: E402
from source import Source  # noqa: E402


def launch(playwright):
    # Chromium's own sandbox wants a user who is not root.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=options)


def main():
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    loader = unittest.TestLoader()
    if names:
        loader.testNamePatterns = [f"*{name}*" for name in names]
    tests = loader.discover(HERE, pattern="test_*.py")
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
            result = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1).run(tests)
            browser.close()
    finally:
        if gallery:
            gallery.close()
        source.close()
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
