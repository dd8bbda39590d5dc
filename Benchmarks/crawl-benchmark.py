#!/usr/bin/env python3
"""Times a crawl as whole processes: 200 pages of 20 hits at 20 ms latency, 16 in flight, `imgscript search` beside
`curl -Z | jq`, on one loopback server. Runs take turns; the figure to quote is the median of neighbouring runs' ratios.

    Benchmarks/crawl-benchmark.py [IMGSCRIPT] [RUNS]
"""
import asyncio, json, os, re, statistics, subprocess, sys, tempfile, threading, time

EXECUTABLE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/imgscript")
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
PAGES, SIZE, LATENCY, IN_FLIGHT = 200, 20, 0.02, 16

PROVIDER = """
module.exports = {
  contract: 1, id: 'crawl', name: 'Crawl', version: '1.0.0',
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
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, shell=isinstance(command, str), env=environment)
    elapsed = time.perf_counter() - start
    found = result.stdout.count(b"\n")
    if result.returncode != 0 or found != PAGES * SIZE:
        sys.exit(f"{command} ended with {result.returncode} and {found} lines: {result.stderr.decode()[:500]}")
    return elapsed


def main():
    port = start_server()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/crawl.js", "w") as file:
            file.write(PROVIDER % port)
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        ours = [
            EXECUTABLE, "search", "--provider", "crawl", "--providers-folder", folder, "--allow-host",
            f"127.0.0.1:{port}", "--format", "jsonl", "--quiet", "--limit", str(PAGES * SIZE), "--pages-in-flight",
            str(IN_FLIGHT), "--no-cache", "coffee",
        ]
        theirs = (
            f"curl -sZ --parallel-max {IN_FLIGHT} 'http://127.0.0.1:{port}/api/?q=coffee&page=[1-{PAGES}]&per_page={SIZE}'"
            " | jq -c '.hits[] | {id, page: .pageURL, tags, author: .user, media: [.largeImageURL, .webformatURL]}'"
        )
        rows = [(timed(ours, environment), timed(theirs, environment)) for _ in range(RUNS + 1)][1:]
    print(f"imgscript search   median {statistics.median(a for a, _ in rows):6.3f} s")
    print(f"curl -Z | jq       median {statistics.median(b for _, b in rows):6.3f} s")
    print(f"ratio              median {statistics.median(a / b for a, b in rows):6.2f}   ({RUNS} interleaved runs)")
    print(f"the latency alone  {PAGES / IN_FLIGHT * LATENCY:6.3f} s")


main()
