"""The program under test, with folders and a port of its own."""
import os
import shutil
import signal
import subprocess
import tempfile

BINARIES = os.environ.get("GALLERY_BINARIES", ".build/debug")


class Gallery:
    """`imgscript gallery` over providers in a folder; `link` lets one browser in."""

    def __init__(self, source, *options, home=None, environment=None):
        self.owns_home = home is None
        self.home = home or tempfile.mkdtemp(prefix="gallery-")
        self.downloads = os.path.join(self.home, "downloads")
        os.makedirs(self.downloads, exist_ok=True)
        source.write_providers(os.path.join(self.home, "providers"))
        environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8",
            **{name: value for name, value in os.environ.items() if name.startswith("IMGSCRIPT_GALLERY_")}, **(environment or {}),
        }
        command = [
            os.path.abspath(os.path.join(BINARIES, "imgscript")), "gallery", "--no-open", *([] if "--port" in options else ["--port", "0"]), "--directory", self.downloads,
            "--providers-folder", os.path.join(self.home, "providers"), "--allow-host", f"127.0.0.1:{source.port}", *options,
        ]
        self.command, self.environment = command, environment
        self.log = open(os.path.join(self.home, "log"), "a+")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, env=environment, cwd=self.home, text=True)
        self.link = self.process.stdout.readline().strip()
        if not self.link.startswith("http"):
            self.log.seek(0)
            raise RuntimeError(f"the gallery did not start: {self.link}\n{self.log.read()}")
        self.origin = self.link.split("/?")[0]

    def files(self):
        """What was downloaded, without what belongs to the program."""
        found = []
        for folder, folders, names in os.walk(self.downloads):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [os.path.join(folder, name) for name in names if name.endswith(".png")]
        return found

    def memory(self):
        """What the server keeps in memory, in bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

    def another_link(self):
        """What the same command prints while this runs."""
        run = subprocess.run(self.command, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if run.returncode:
            raise RuntimeError(run.stderr)
        return run.stdout.strip()

    def stop(self):
        """Ends the program, as Ctrl-C does; its folders stay."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
        if self.owns_home:
            shutil.rmtree(self.home, ignore_errors=True)
