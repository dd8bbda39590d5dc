#!/usr/bin/env python3
"""Times whole processes: `imgscript search`, fresh and from its store, beside `curl | jq` for the same loopback page of 20 hits.

Runs take turns, so that a machine whose speed drifts treats both alike; the figure to quote is the median of the
ratios of neighbouring runs.

    Benchmarks/search-benchmark.py [IMGSCRIPT] [RUNS]
"""
import http.server, json, os, statistics, subprocess, sys, tempfile, threading, time

EXECUTABLE = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/imgscript")
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 60

PROVIDER = """
module.exports = {
  contract: 1, id: 'bench', name: 'Bench', version: '1.0.0',
  hosts: ['http://127.0.0.1'], mediaHosts: ['*'],
  limits: { pageSize: { min: 3, max: 200, default: 20 } },
  search: {
    request: (q) => ({ url: 'http://127.0.0.1:%d/api/', query: { q: q.text, page: q.page, per_page: q.limit } }),
    parse: (res) => ({ total: res.json.totalHits, items: res.json.hits.map(image) }),
  },
};
function image(hit) {
  return {
    id: String(hit.id), type: 'image', page: hit.pageURL, tags: hit.tags.split(', '),
    author: { name: hit.user, id: String(hit.user_id) },
    stats: { views: hit.views, downloads: hit.downloads, likes: hit.likes, comments: hit.comments },
    media: [
      { role: 'large', url: hit.largeImageURL },
      { role: 'regular', url: hit.webformatURL, width: hit.webformatWidth, height: hit.webformatHeight },
      { role: 'thumbnail', url: hit.previewURL, width: hit.previewWidth, height: hit.previewHeight },
    ],
  };
}
"""


def hit(number):
    path = f"https://images.example/get/{number:08x}a1b2c3d4e5f60718293a4b5c6d7e8f90"
    return {
        "id": 1000000 + number, "pageURL": f"https://images.example/photos/coffee-cup-{1000000 + number}/",
        "type": "photo", "tags": "coffee, cup, table, morning", "previewURL": f"{path}_150.jpg", "previewWidth": 150,
        "previewHeight": 99, "webformatURL": f"{path}_640.jpg", "webformatWidth": 640, "webformatHeight": 426,
        "largeImageURL": f"{path}_1280.jpg", "imageWidth": 6000, "imageHeight": 4000, "imageSize": 2345678,
        "views": 12345 + number, "downloads": 6789, "likes": 321, "comments": 12, "user_id": 4242, "user": "example",
        "userImageURL": "https://images.example/user/2020/01/01/00-00-00-000_250x250.jpg",
    }


PAGE = json.dumps({"total": 20, "totalHits": 20, "hits": [hit(number) for number in range(20)]}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "max-age=86400")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def timed(command, lines, environment):
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, shell=isinstance(command, str), env=environment)
    elapsed = time.perf_counter() - start
    found = result.stdout.count(b"\n")
    if result.returncode != 0 or found != lines:
        sys.exit(f"{command} ended with {result.returncode} and {found} lines: {result.stderr.decode()}")
    return elapsed


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/bench.js", "w") as file:
            file.write(PROVIDER % port)
        ours = [
            EXECUTABLE, "search", "--provider", "bench", "--providers-folder", folder, "--allow-host",
            f"127.0.0.1:{port}", "--format", "jsonl", "--quiet", "coffee",
        ]
        url = f"http://127.0.0.1:{port}/api/?q=coffee&page=1&per_page=20"
        theirs = (
            f"curl -s '{url}' | jq -c '.hits[] | {{id, page: .pageURL, tags, author: .user, "
            "media: [.largeImageURL, .webformatURL, .previewURL]}'"
        )
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache", "XDG_STATE_HOME": f"{folder}/state"}
        rows = []
        for number in range(RUNS + 5):
            fresh = timed(ours + ["--no-cache"], 20, environment)
            row = (fresh, timed(ours, 20, environment), timed(theirs, 20, environment))
            if number >= 5:  # the first runs fill the page cache, and the store
                rows.append(row)
    server.shutdown()
    names = ["imgscript search, fresh", "imgscript search, stored", "curl | jq"]
    for column, name in enumerate(names):
        median = statistics.median(row[column] for row in rows) * 1000
        ratio = statistics.median(row[column] / row[2] for row in rows)
        print(f"{name:26} median {median:6.1f} ms   ratio {ratio:5.2f}   ({RUNS} interleaved runs)")


main()
