"""A source of the tests' own on this machine, and the options that let the program use it."""

from __future__ import annotations

import http.server
import json
import struct
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

PROVIDER = """
const origin = '%s';
module.exports = {
  contract: 1, id: 'lakes', name: 'Lakes', version: '1.0.0', hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1'],
  limits: { pageSize: { max: 20, default: 20 } },
  search: {
    request: (q) => ({ url: origin + '/search', query: { q: q.text, page: q.page, n: q.limit } }),
    parse: (res) => res.json,
  },
  details: { request: (item) => ({ url: origin + '/item', query: { id: item.id } }), parse: (res) => res.json },
};
"""


def png(number: int) -> bytes:
    """A picture of one colour, another one for each number."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    pixels = zlib.compress((b"\0" + number.to_bytes(3, "big") * 64) * 64)
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class Source(http.server.BaseHTTPRequestHandler):
    """45 images, and the search `nothing`."""

    def item(self, number: int) -> dict[str, object]:
        origin = f"http://{self.headers['Host']}"
        return {
            "id": str(number), "type": "image", "title": f"Lake <{number}>", "author": {"name": "Ana"},
            # Every ninth says nothing of its licence.
            "license": None if number % 9 == 0 else {"id": "cc0-1.0", "name": "CC0"}, "page": f"https://lakes.example/{number}",
            "media": [{"role": "original", "url": f"{origin}/{number}.png", "format": "png"}],
        }

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        status, kind, body = 200, "application/json", b""
        if url.path == "/ruins" or query.get("q") == "broken":
            status, body = 500, b"{}"
        elif url.path == "/search":
            first = (int(query["page"]) - 1) * int(query["n"])
            count = 0 if query["q"] == "nothing" else 45
            items = [self.item(number + 1) for number in range(first, min(first + int(query["n"]), count))]
            body = json.dumps({"total": count, "items": items}).encode()
        elif url.path == "/item":
            body = json.dumps(self.item(int(query["id"]))).encode()
        else:
            kind, body = "image/png", png(int(Path(url.path).stem))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    folder = tmp_path_factory.mktemp("providers")
    host = f"127.0.0.1:{server.server_address[1]}"
    (folder / "lakes.js").write_text(PROVIDER % f"http://{host}")
    (folder / "ruins.js").write_text((PROVIDER % f"http://{host}").replace("lakes", "ruins").replace("/search", "/ruins"))
    yield ["--providers-folder", str(folder), "--allow-host", host, "-p", "lakes", "--no-cache", "--retries", "0"]
    server.shutdown()
    server.server_close()
