#!/usr/bin/env python3
"""Checks docs/scale for real: workers share a list, one is killed half way, and nothing is missing or fetched twice.

    python3 Benchmarks/scale-check.py --imgscript .build/release/imgscript [--images 2000] [--parts 4] [--keep FOLDER]

Needs pyspark and Java 17 for the first run, GNU parallel for the second, webdataset for the third; what is missing is
left out, and said. The server runs in this process, on loopback.
"""
import argparse
import collections
import functools
import hashlib
import http.server
import importlib.util
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
SPARK_JOB = HERE.parent / "docs/scale/spark.py"


@functools.cache
def image(number):
    """A PNG of its own for each number, 20 to 60 KB."""
    random_bytes = random.Random(number).randbytes
    height = 40 + number % 80
    rows = b"".join(b"\0" + random_bytes(170 * 3) for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 170, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.delivered = collections.Counter()
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        pass  # a killed client is what this is about


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        number = int(self.path.strip("/").removesuffix(".png"))
        body = image(number)
        time.sleep(0.005)  # so that there is a half way to kill a worker at
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        with self.server.lock:
            self.server.delivered[number] += 1

    def log_message(self, *_):
        pass


def part_of(url, count):
    """The part of an address, as docs/scale.md says it is found."""
    return int.from_bytes(hashlib.sha256(f"url:{url}".encode()).digest()[:8], "big") % count or count


def processes():
    """Process ids with their parents and command lines."""
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            yield int(entry.name), parent, command


def kill_half_way(server, folder, numbers, part, count, with_parent, outcome):
    """Kills the process that downloads a part, and the worker it belongs to, when half of the part was delivered."""
    while not outcome.get("done"):
        with server.lock:
            ready = sum(1 for number in numbers if server.delivered[number])
        if ready >= len(numbers) // 2:
            for process, parent, command in processes():
                arguments = [word.decode(errors="replace") for word in command]
                if "download" in arguments and f"{part}/{count}" in arguments and str(folder) in arguments:
                    if "imgscript" not in arguments[0]:
                        continue
                    victims = [process, parent] if with_parent else [process]
                    for victim in victims:
                        os.kill(victim, signal.SIGKILL)
                    outcome["killed"] = f"kill -9 of part {part}/{count} with {ready} of its {len(numbers)} images delivered"
                    if with_parent:
                        outcome["killed"] += ", and of the Python worker that had started it"
                    return
        time.sleep(0.002)


class Check:
    def __init__(self, arguments, work):
        self.arguments = arguments
        self.work = work
        self.images = range(arguments.images)

    def run(self, name, command, with_parent, extra_runs=0):
        server = Server()
        folder = self.work / name
        urls = {number: f"{server.origin}/{number}.png" for number in self.images}
        list_file = self.work / f"{name}.txt"
        list_file.write_text("".join(url + "\n" for url in urls.values()))
        count = self.arguments.parts
        parts = collections.defaultdict(list)
        for number, url in urls.items():
            parts[part_of(url, count)].append(number)
        victim = 2 if count > 1 else 1
        outcome = {}
        killer = threading.Thread(
            target=kill_half_way, args=(server, folder, parts[victim], victim, count, with_parent, outcome))
        killer.start()
        start = time.monotonic()
        line = command(list_file, folder, server)
        done = subprocess.run(line, capture_output=True, text=True)
        elapsed = time.monotonic() - start
        outcome["done"] = True
        killer.join()
        print(f"\n== {name}: {' '.join(map(str, line))}")
        print(f"   parts of {', '.join(str(len(parts[part])) for part in sorted(parts))} images; {elapsed:.1f} s")
        print(f"   {outcome.get('killed', 'no process was killed')}")
        for text in (done.stdout + done.stderr).splitlines():
            if "parts are done" in text or "Lost task" in text:
                print("   " + text[:150])
        failed = done.returncode != 0 or "killed" not in outcome
        if done.returncode != 0:
            print(done.stderr[-3000:])
        return server, folder, failed

    def compare(self, server, found):
        """Says what is there against what should be; False where something is missing, wrong or twice."""
        missing = [number for number in self.images if number not in found]
        wrong = [number for number, data in found.items() if data != image(number)]
        delivered = server.delivered
        again = {number: times for number, times in delivered.items() if times > 1}
        print(
            f"   {len(found)} of {len(self.images)} images there, {len(missing)} missing, {len(wrong)} with wrong bytes; "
            f"{sum(delivered.values())} answers, {len(again)} images delivered twice (in flight at the kill)")
        return not missing and not wrong and len(again) <= 64 and max(delivered.values()) <= 2

    def files(self, folder):
        found, doubles = {}, 0
        for path in folder.rglob("*.png"):
            number = int(path.stem)
            doubles += number in found
            found[number] = path.read_bytes()
        left = [str(path) for path in folder.rglob("*.part")]
        print(f"   {doubles} files twice, {len(left)} unfinished files left")
        return found, not doubles and not left

    def credits(self, folder):
        credited = json.loads((folder / "credits.json").read_text())["credits"]
        print(f"   credits.json names {len(credited)} files")
        return len(credited) == len(self.images)

    def spark(self):
        def command(list_file, folder, server):
            return [
                sys.executable, SPARK_JOB, "--master", "local[2,4]", "--list", list_file, "--directory", folder,
                "--parts", str(self.arguments.parts), "--imgscript", self.arguments.imgscript,
                "--", "--allow-host", f"127.0.0.1:{server.server_address[1]}", "--name", "{name}.{ext}", "-j", "4"]

        server, folder, failed = self.run("spark", command, with_parent=True)
        found, is_single = self.files(folder)
        return not failed and self.compare(server, found) and is_single and self.credits(folder)

    def parallel(self):
        def command(list_file, folder, server):
            count = self.arguments.parts
            return [
                "parallel", "--jobs", "2", "--retries", "3", self.arguments.imgscript, "download", "--input", list_file,
                "--directory", folder, "--allow-host", f"127.0.0.1:{server.server_address[1]}", "--name", "{name}.{ext}",
                "-j", "4", "--progress", "none", "--shard", "{}/" + str(count), ":::", *map(str, range(1, count + 1))]

        server, folder, failed = self.run("parallel", command, with_parent=False)
        found, is_single = self.files(folder)
        return not failed and self.compare(server, found) and is_single and self.credits(folder)

    def webdataset(self):
        def command(list_file, folder, server):
            return [
                sys.executable, SPARK_JOB, "--master", "local[2,4]", "--list", list_file, "--directory", folder,
                "--parts", str(self.arguments.parts), "--imgscript", self.arguments.imgscript,
                "--", "--allow-host", f"127.0.0.1:{server.server_address[1]}", "--name", "{name}.{ext}", "-j", "4",
                "--output-format", "webdataset", "--shard-size", "5MB"]

        server, folder, failed = self.run("webdataset", command, with_parent=True)
        import webdataset

        shards = sorted(str(path) for path in folder.glob("*.tar"))
        found, doubles = {}, 0
        for sample in webdataset.WebDataset(shards, shardshuffle=False):
            number = int(sample["__key__"])
            said = json.loads(sample["json"])["fetched"]
            doubles += number in found
            found[number] = sample["png"]
            assert said["sha256"] == hashlib.sha256(sample["png"]).hexdigest()
        left = [str(path) for path in folder.rglob("*.part")]
        print(f"   {len(shards)} shards read by webdataset, {doubles} samples twice, {len(left)} unfinished files left")
        return not failed and self.compare(server, found) and not doubles and not left


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--imgscript", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    reader.add_argument("--images", type=int, default=2000)
    reader.add_argument("--parts", type=int, default=4)
    reader.add_argument("--keep", help="do the work in this folder, and leave it")
    arguments = reader.parse_args()
    work = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="imgscript-scale-")).resolve()
    work.mkdir(parents=True, exist_ok=True)
    check = Check(arguments, work)
    has_spark = importlib.util.find_spec("pyspark") and shutil.which("java")
    results = {}
    try:
        if has_spark:
            results["spark"] = check.spark()
        if shutil.which("parallel"):
            results["parallel"] = check.parallel()
        if has_spark and importlib.util.find_spec("webdataset"):
            results["webdataset"] = check.webdataset()
    finally:
        if not arguments.keep:
            shutil.rmtree(work)
    print()
    for name in ["spark", "parallel", "webdataset"]:
        print(f"{name}: {'left out, it is not installed' if name not in results else 'ok' if results[name] else 'FAILED'}")
    sys.exit(0 if results and all(results.values()) else 1)


if __name__ == "__main__":
    main()
