#!/usr/bin/env python3
"""Kills `imgscript download` at random moments, again and again, and looks at what is left.

    python3 Benchmarks/download-kills.py --program .build/release/imgscript

2,000 files from a server on this machine (nginx); after each kill it is seen what is complete, and from the server's log
whether anything complete was asked for again. A last run has to bring the rest, byte for byte.
"""

import argparse, importlib.util, os, random, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("download_benchmark", f"{HERE}/download-benchmark.py")
benchmark = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)


def complete(folder):
    return {name for name in os.listdir(folder) if name.endswith(".jpg")} if os.path.isdir(folder) else set()


def asked(base, first):
    """The files in the server's log from a line on."""
    with open(f"{base}/access.log") as log:
        return [line.split()[6].rsplit("/", 1)[-1] for line in log.read().splitlines()[first:]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=".build/release/imgscript")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left behind
    random.seed(args.seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as base:
        www, out = f"{base}/www", f"{base}/out"
        os.makedirs(www)
        benchmark.write_files(www, 1 << 20)
        server = benchmark.Server(base, www)
        try:
            sys.exit(0 if run(args, base, www, out, server) else 1)
        finally:
            server.stop()


def run(args, base, www, out, server):
    port = server.ports["delayed"]
    with open(f"{base}/list", "w") as file:
        file.writelines(f"http://127.0.0.1:{port}/small/{n:04}.jpg\n" for n in range(2000))
    command = [os.path.abspath(args.program), "download", "--input", f"{base}/list", "--directory", out, "--jobs", "16",
               "--name", "{name}.{ext}", "--allow-host", f"127.0.0.1:{port}", "--progress", "none"]
    environment = {"HOME": base, "PATH": os.environ["PATH"]}
    # What providers say of themselves is kept by this: the runs that are killed begin with files at once.
    subprocess.run(command + ["--dry-run"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done, again, kills, damaged = set(), 0, 0, 0
    while kills < args.kills:
        first = len(asked(base, 0))
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.08, 0.22))
        killed = process.poll() is None
        process.kill()
        process.wait()
        time.sleep(0.05)
        again += len(done & set(asked(base, first)))
        done = complete(out)
        damaged += sum(not same(www, out, name) for name in done)
        kills += killed
        if len(done) == 2000:
            break
    print(f"{kills} kills: {len(done)} files complete, {damaged} of them not byte for byte, {again} asked for again")
    first = len(asked(base, 0))
    last = subprocess.run(command, env=environment, capture_output=True, text=True)
    print(f"last run: exit {last.returncode}, {last.stderr.strip()}")
    again += len(done & set(asked(base, first)))
    equal = sum(same(www, out, f"{n:04}.jpg") for n in range(2000))
    parts = [name for name in os.listdir(out) if name.endswith(".part")]
    print(f"{equal} of 2000 byte for byte, {len(asked(base, 0))} requests in all, {again} for complete files, {len(parts)} .part left")
    return equal == 2000 and again == 0 and damaged == 0 and not parts


def same(www, out, name):
    path = f"{out}/{name}"
    return os.path.exists(path) and open(f"{www}/small/{name}", "rb").read() == open(path, "rb").read()


if __name__ == "__main__":
    main()
