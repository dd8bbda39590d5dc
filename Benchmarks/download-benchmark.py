#!/usr/bin/env python3
"""Times whole processes that download the same files from one loopback nginx: ours beside curl, aria2c, wget2, gallery-dl.

Ours are two: a program that uses the library alone, and `imgscript download` as users run it, which keeps an
archive and credits too.

Clients take turns, so that a machine whose speed drifts treats all alike; a ratio is the median over the rounds of a
client's time to curl's in the same round. Files go to /dev/shm, so that no disk is measured. Needs nginx and time(1), for the rows
with latency its echo module (libnginx-mod-http-echo), and openssl for the rows over HTTP/2; clients that are not
installed are left out, and named.

    Benchmarks/download-benchmark.py [--program FILE] [--command FILE] [--rounds N] [--rows WORD,…]
        [--gallery-dl FILE]
"""
import argparse, os, random, shutil, signal, socket, statistics, subprocess, sys, tempfile, time

ECHO = "/usr/lib/nginx/modules/ngx_http_echo_module.so"
START = bytes.fromhex("ffd8ffc0001108001e002803012200021101031101ffda000c03010002110311003f00")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_files(www, large):
    random.seed(1)
    for folder, count, size in (("small", 2000, lambda: random.randint(20_000, 60_000)), ("medium", 200, lambda: 2 << 20)):
        os.makedirs(f"{www}/{folder}")
        for number in range(count):
            with open(f"{www}/{folder}/{number:04}.jpg", "wb") as file:
                file.write(START + os.urandom(size()).replace(b"\xff", b"\xfe") + b"\xff\xd9")
    os.makedirs(f"{www}/large")
    with open(f"{www}/large/0000.jpg", "wb") as file:
        file.write(START)
        block = os.urandom(1 << 24).replace(b"\xff", b"\xfe")
        for _ in range(large >> 24):
            file.write(block)
        file.write(b"\xff\xd9")


class Server:
    def __init__(self, base, www):
        self.base, self.has_delay = base, os.path.exists(ECHO)
        self.ports = {"plain": free_port(), "delayed": free_port(), "h2": free_port()}
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{base}/key.pem", "-out", f"{base}/cert.pem"],
            check=True, capture_output=True)
        delayed = f"""location / {{ echo_sleep 0.02; echo_exec /direct$uri; }}
            location /direct/ {{ internal; alias {www}/; }}""" if self.has_delay else ""
        with open(f"{base}/nginx.conf", "w") as file:
            file.write(f"""{f'load_module {ECHO};' if self.has_delay else ''}
            worker_processes 1; pid {base}/nginx.pid; error_log {base}/error.log; daemon off; master_process off;
            events {{ worker_connections 4096; }}
            http {{
              access_log {base}/access.log; sendfile on; tcp_nodelay on; keepalive_requests 1000000; root {www};
              client_body_temp_path {base}/t1; proxy_temp_path {base}/t2; fastcgi_temp_path {base}/t3;
              uwsgi_temp_path {base}/t4; scgi_temp_path {base}/t5;
              server {{ listen 127.0.0.1:{self.ports['plain']}; }}
              server {{ listen 127.0.0.1:{self.ports['delayed']}; {delayed} }}
              server {{ listen 127.0.0.1:{self.ports['h2']} ssl http2; http2_max_concurrent_streams 256;
                ssl_certificate {base}/cert.pem; ssl_certificate_key {base}/key.pem; {delayed} }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-c", f"{base}/nginx.conf"], stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.ports["plain"])) == 0:
                    return
            time.sleep(0.02)
        sys.exit("nginx did not start: " + open(f"{base}/error.log").read())

    def requests(self):
        with open(f"{self.base}/access.log") as file:
            return sum(1 for _ in file)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def clients(args, base):
    """For each client what its command is for a list of URLs, a folder and a number of jobs."""
    cert = f"{base}/cert.pem"

    def config(urls, out):
        with open(f"{base}/curl.conf", "w") as file:
            file.writelines(f"url = {url}\noutput = {out}/{url.rsplit('/', 1)[1]}\n" for url in urls)
        return f"{base}/curl.conf"

    def listed(urls):
        with open(f"{base}/list", "w") as file:
            file.writelines(url + "\n" for url in urls)
        return f"{base}/list"

    ours = [args.program]
    found = {
        "curl": lambda urls, out, jobs: ["curl", "-sZ", "--parallel-max", jobs, "--cacert", cert, "-K", config(urls, out)],
        "imgscript": lambda urls, out, jobs: ours + [listed(urls), out, "--jobs", jobs, "--ca-file", cert],
        "imgscript auto": lambda urls, out, jobs: ours + [listed(urls), out, "--ca-file", cert],
        "the command": lambda urls, out, jobs: [
            args.command, "download", "--quiet", "--input", listed(urls), "-d", out, "--name", "{name}.{ext}", "--jobs", jobs,
            "--ca-file", cert, "--allow-host", "127.0.0.1"],
        "aria2c": lambda urls, out, jobs: [
            "aria2c", "-q", "-j", jobs, "-x1", "--file-allocation=none", f"--ca-certificate={cert}", "-d", out, "-i", listed(urls)],
        "wget2": lambda urls, out, jobs: [
            "wget2", "-q", f"--max-threads={jobs}", f"--ca-certificate={cert}", "-P", out, "-i", listed(urls)],
        "gallery-dl": lambda urls, out, jobs: [args.gallery_dl, "-q", "-o", f"verify={cert}", "-D", out, "-i", listed(urls)],
    }
    present = {name: command for name, command in found.items() if shutil.which(command([f"{base}/u"], base, "1")[0])}
    for name in found:
        if name not in present:
            print(f"{name} is left out: it is not installed")
    return present


def timed(command, out, expected, repeat):
    if not repeat:
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
    # A process counts the memory of its parent until it runs its own program: time(1) is small.
    note = out + ".time"
    start = time.perf_counter()
    subprocess.run(["/usr/bin/time", "-o", note, "-f", "%U %S %M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elapsed = time.perf_counter() - start
    user, system, memory = (float(word) for word in open(note).read().split()[-3:])
    files = [name for name in os.listdir(out) if name.endswith(".jpg")]
    if len(files) < expected:
        return None
    return elapsed, user + system, memory / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=".build/release/download-benchmark")
    parser.add_argument("--command", default=".build/release/imgscript")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", default="")
    parser.add_argument("--gallery-dl", default="gallery-dl")
    parser.add_argument("--large", type=int, default=1 << 30)
    args = parser.parse_args()
    for needed in ("nginx", "/usr/bin/time", "openssl", "curl"):
        if not shutil.which(needed):
            print(f"the downloads are left out: {needed} is not installed")
            return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing is left behind
    args.program, args.command = os.path.abspath(args.program), os.path.abspath(args.command)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as base:
        www, out = f"{base}/www", f"{base}/out"
        os.makedirs(www)
        write_files(www, args.large)
        for kind in ("CACHE", "CONFIG", "STATE"):  # not the user's own
            os.environ[f"XDG_{kind}_HOME"] = f"{base}/{kind.lower()}"
        for name in ("CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"):  # some clients would read these besides, some not
            os.environ.pop(name, None)
        server = Server(base, www)
        try:
            run(args, server, clients(args, base), out)
        finally:
            server.stop()


def run(args, server, programs, out):
    rows = [("2,000 small, 0 ms, 16 jobs", "plain", "small", 2000, 16), ("2,000 small, 0 ms, 64 jobs", "plain", "small", 2000, 64),
            ("2,000 small, 20 ms, 16 jobs", "delayed", "small", 2000, 16), ("2,000 small, 20 ms, 64 jobs", "delayed", "small", 2000, 64),
            ("2,000 small, HTTP/2, 20 ms, 16 jobs", "h2", "small", 2000, 16), ("200 of 2 MB, 16 jobs", "plain", "medium", 200, 16),
            ("1 of 1 GB", "plain", "large", 1, 1), ("2,000 small again, all there", "plain", "small", 2000, 16)]
    wanted = [word for word in args.rows.split(",") if word]
    print(f"{'':38}{'client':16}{'wall s':>9}{'to curl':>9}{'CPU s':>8}{'MB':>7}{'requests':>10}")
    for title, port, folder, count, jobs in rows:
        if wanted and not any(word in title for word in wanted):
            continue
        if "20 ms" in title and not server.has_delay:
            continue
        repeat = "again" in title
        scheme = "https" if port == "h2" else "http"
        urls = [f"{scheme}://127.0.0.1:{server.ports[port]}/{folder}/{number:04}.jpg" for number in range(count)]
        measured = {name: [] for name in programs}
        asked = {}
        for _ in range(args.rounds):
            for name, command in programs.items():
                if name == "gallery-dl" and len(measured[name]) >= 1 and not repeat:
                    continue  # once is enough for what takes many times as long
                words = command(urls, out, str(jobs))
                if repeat:
                    if timed(words, out, count, False) is None:
                        continue
                before = server.requests()
                result = timed(words, out, count, repeat)
                asked[name] = server.requests() - before
                if result:
                    measured[name].append(result)
        for name, results in measured.items():
            if not results:
                print(f"{title:38}{name:16}   failed")
                continue
            ratios = [a[0] / b[0] for a, b in zip(results, measured["curl"])]
            wall, cpu, memory = (statistics.median(r[n] for r in results) for n in range(3))
            ratio = f"{statistics.median(ratios):9.2f}" if ratios else f"{'':9}"
            print(f"{title:38}{name:16}{wall:9.3f}{ratio}{cpu:8.2f}{memory:7.0f}{asked[name]:10}", flush=True)


if __name__ == "__main__":
    main()
