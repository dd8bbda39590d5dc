"""The API keeps to its description, whatever is sent: schemathesis makes up the requests.

GALLERY_BINARIES is the folder of the built programs; SCHEMATHESIS_EXAMPLES how many requests are made up for each operation.
"""
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARIES = Path(os.environ.get("GALLERY_BINARIES", ROOT / ".build/debug"))
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "ignored_auth",
]


class OpenAPITests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.token = secrets.token_hex(16)
        (self.home / "token").write_text(self.token)
        log = (self.home / "log").open("w")
        self.addCleanup(log.close)
        self.process = subprocess.Popen(
            [BINARIES / "imgscript", "serve", "--sample", "-p", "pixabay", "-p", "met", "--listen", "127.0.0.1:0",
             "--token-file", self.home / "token", "-d", self.home / "downloads"],
            cwd=ROOT, env={"HOME": folder.name, "PATH": os.environ["PATH"]}, stderr=log)
        self.addCleanup(self.process.wait, 30)
        self.addCleanup(self.process.terminate)
        self.url = self.address()

    def address(self):
        """Where the server listens: it says so in its log."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in (self.home / "log").read_text().splitlines(keepends=True):
                if line.endswith("\n") and json.loads(line).get("message") == "listening":
                    return json.loads(line)["url"].rstrip("/")
            time.sleep(0.05)
        raise AssertionError(f"the server did not start: {(self.home / 'log').read_text()}")

    def test_description_has_every_address(self):
        request = urllib.request.Request(
            f"{self.url}/api/v1/openapi.json", headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request) as answer:
            description = json.load(answer)
        self.assertTrue(description["openapi"].startswith("3.1"))
        self.assertGreaterEqual(
            set(description["paths"]), {"/images", "/images/events", "/providers", "/details", "/downloads"})

    def test_answers_are_as_described(self):
        run = subprocess.run(
            [Path(sys.executable).with_name("schemathesis"), "run", f"{self.url}/api/v1/openapi.json",
             "--url", f"{self.url}/api/v1", "--header", f"Authorization: Bearer {self.token}",
             "--max-examples", os.environ.get("SCHEMATHESIS_EXAMPLES", "40"), "--checks", ",".join(CHECKS),
             "--phases", "examples,coverage,fuzzing", "--generation-database", "none", "--seed", "1", "--no-color"],
            capture_output=True, text=True, timeout=900, cwd=self.home)
        self.assertEqual(run.returncode, 0, run.stdout[-8000:] + run.stderr[-2000:])
        self.assertIsNone(self.process.poll(), "the server has ended")


if __name__ == "__main__":
    unittest.main()
