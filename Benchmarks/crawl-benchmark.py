#!/usr/bin/env python3
"""Times a crawl as whole processes: 200 pages of 20 hits at 20 ms latency, 16 in flight, `imgscript search` beside
`curl -Z | jq` and a Swift program with URLSession and Codable (built here from CrawlPeer/ where `swiftc` is installed), on
one loopback server. Runs take turns; the figure to quote is the median of neighbouring runs' ratios.

    Benchmarks/crawl-benchmark.py [IMGSCRIPT] [RUNS]
"""
import asyncio, json, os, re, shutil, statistics, subprocess, sys, tempfile, threading, time

EXECUTABLE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/imgscript")
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
PAGES, SIZE, LATENCY, IN_FLIGHT = 200, 20, 0.02, 16

PROVIDER = """
module.exports = {
  contract: 1, id: 'crawl', name: 'ResumePoint', version: '1.0.0',
  hosts: ['http://127.0.0.1'], mediaHosts: ['*'], limits: { pageSize: { max: 20, default: 20 } },
  search: {
    request: (q) => ({ url: 'http://127.0.0.1:%d/api/', query: { q: q.text, page: q.page, per_page: q.limit } }),
    parse: (res) => ({ total: res.json.totalHits, items: res.json.hits.map(image) }),
  },
};
function image(hit) {
  return {
    id: hit.id, type: 'image', page: hit.pageURL, tags: hit.tags.split(', '), author: { name: hit.user, id: hit.user_id },
    media: [
      { role: 'large', url: hit.largeImageURL },
      { role: 'regular', url: hit.webformatURL, width: hit.webformatWidth, height: hit.webformatHeight },
      { role: 'thumbnail', url: hit.previewURL },
    ],
  };
}
"""


def hit(number):
    path = f"https://images.example/get/{number:08x}a1b2c3d4e5f60718293a4b5c6d7e8f90"
    return {
        "id": number, "pageURL": f"https://images.example/photos/coffee-cup-{number}/", "tags": "coffee, cup, table",
        "previewURL": f"{path}_150.jpg", "webformatURL": f"{path}_640.jpg", "webformatWidth": 640,
        "webformatHeight": 426, "largeImageURL": f"{path}_1280.jpg", "views": 12345 + number, "downloads": 6789,
        "likes": 321, "comments": 12, "user_id": 4242, "user": "example",
    }


def answer(page):
    hits = [hit(number) for number in range((page - 1) * SIZE, page * SIZE)] if page <= PAGES else []
    body = json.dumps({"total": PAGES * SIZE, "totalHits": PAGES * SIZE, "hits": hits}).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


ANSWERS = [answer(page) for page in range(PAGES + 2)]


async def serve(reader, writer):
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            page = int(re.search(rb"[?&]page=(\d+)", head)[1])
            await asyncio.sleep(LATENCY)
            writer.write(ANSWERS[min(page, PAGES + 1)])
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    writer.close()


def start_server():
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0, backlog=256))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return server.sockets[0].getsockname()[1]


def timed(command, environment):
    """Wall time, CPU seconds and peak memory in MB."""
    note = environment["BENCHMARK_NOTE"]
    words = ["sh", "-c", command] if isinstance(command, str) else command
    start = time.perf_counter()
    result = subprocess.run(["/usr/bin/time", "-o", note, "-f", "%U %S %M", *words], capture_output=True, env=environment)
    elapsed = time.perf_counter() - start
    found = result.stdout.count(b"\n")
    if result.returncode != 0 or found != PAGES * SIZE:
        sys.exit(f"{command} ended with {result.returncode} and {found} lines: {result.stderr.decode()[:500]}")
    user, system, memory = (float(word) for word in open(note).read().split()[-3:])
    return elapsed, user + system, memory / 1024


def swift_program(folder):
    """The peer, built with optimisation; None without a compiler."""
    source = f"{os.path.dirname(os.path.abspath(__file__))}/CrawlPeer/main.swift"
    if not shutil.which("swiftc"):
        print("URLSession + Codable is left out: swiftc is not installed")
        return None
    program = f"{folder}/crawl-peer"
    subprocess.run(["swiftc", "-O", "-swift-version", "6", source, "-o", program], check=True, cwd=folder)
    return program


def main():
    port = start_server()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/crawl.js", "w") as file:
            file.write(PROVIDER % port)
        environment = {
            **os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state",
            "BENCHMARK_NOTE": f"{folder}/time"}
        base = f"http://127.0.0.1:{port}/api/"
        commands = {
            "curl -Z | jq": f"curl -sZ --parallel-max {IN_FLIGHT} '{base}?q=coffee&page=[1-{PAGES}]&per_page={SIZE}'"
            " | jq -c '.hits[] | {id, page: .pageURL, tags, author: .user, media: [.largeImageURL, .webformatURL]}'",
            "imgscript search": [
                EXECUTABLE, "search", "--provider", "crawl", "--providers-folder", folder, "--allow-host",
                f"127.0.0.1:{port}", "--format", "jsonl", "--quiet", "--limit", str(PAGES * SIZE), "--pages-in-flight",
                str(IN_FLIGHT), "--no-cache", "coffee"],
        }
        if not (shutil.which("curl") and shutil.which("jq")):
            print("curl -Z | jq is left out: curl or jq is not installed")
            del commands["curl -Z | jq"]
        if peer := swift_program(folder):
            commands["URLSession + Codable"] = [peer, base, str(PAGES), str(SIZE), str(IN_FLIGHT)]
        rounds = [{name: timed(command, environment) for name, command in commands.items()} for _ in range(RUNS + 1)][1:]
    print(f"{'200 pages of 20, 20 ms, 16 in flight':38}{'client':24}{'wall s':>9}{'ours to it':>12}{'CPU s':>8}{'MB':>7}")
    for name in commands:
        wall, cpu, memory = (statistics.median(r[name][n] for r in rounds) for n in range(3))
        ratio = statistics.median(r["imgscript search"][0] / r[name][0] for r in rounds)
        print(f"{'':38}{name:24}{wall:9.3f}{ratio:12.2f}{cpu:8.2f}{memory:7.0f}")
    print(f"{'':38}{'the latency alone':24}{PAGES / IN_FLIGHT * LATENCY:9.3f}   ({RUNS} interleaved runs; the worker's memory is its own)")


main()
