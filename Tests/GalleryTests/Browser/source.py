"""An image source on loopback with invented content, and provider files for it.

Every provider of `PROVIDERS` is the same script with another name; what a source does that others do not, the server
decides by that name. Nothing is random: a picture is made from its provider's name and its number.
"""
import colorsys
import http.server
import json
import os
import struct
import threading
import urllib.parse
import zlib

# Name, images, page size.
PROVIDERS = {
    "atlas": ("Atlas of Light", 400, 30),
    "meadow": ("Meadow Commons", 330, 30),
    "quay": ("Quay Archive", 270, 30),
    "many": ("Many Pictures", 5000, 100),
    "broken": ("Broken Mirror", 0, 30),
    "locked": ("Locked Vault", 60, 30),
    "hostile": ("Hostile Host", 33, 30),
    "held": ("Held Pictures", 40, 40),
    "plain": ("Plain Museum", 60, 30),
    "uneven": ("Uneven Museum", 40, 40),
    "slow": ("Slow Source", 60, 30),
    "moving": ("Moving Pictures", 12, 30),
    "gone": ("Gone Pictures", 12, 30),
    "changed": ("Changed Source", 30, 30),
}
# The others are a user's own files.
CATEGORIES = {"atlas": "science", "meadow": "photographs", "quay": "museums", "plain": "museums", "held": "boards"}
SHAPES = [(3, 2), (2, 3), (4, 3), (16, 9), (1, 1), (4, 5), (21, 9), (3, 4), (5, 4), (9, 16)]
WORDS = (
    "morning harbour river valley forest bridge market street night autumn snow mountain lake boat window garden train "
    "station light rain coast cliff field barn tower roof moss fern copper clay glass"
).split()
TAGS = "nature water city night winter autumn architecture people animal plant sky travel street vintage".split()
AUTHORS = ["Mara Lindqvist", "J. Okafor", "Tomás Rivera", "Ana-Lucía Benedetti", "Wei Zhang", "P. Novák"]
LICENSES = [
    ("cc-by-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("cc0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("cc-by-sa-4.0", "CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
]
KEY = "key-of-the-vault"
HOSTILE = [
    "<script>window.attacked = 1</script>", "<img src=x onerror=\"window.attacked = 1\">", "\"><svg onload=window.attacked=1>",
    "\u202egnp.exe\u202c evil \u2066abc", "A" * 10_000, "javascript:window.attacked=1", "a\u0007b\nnew line\u2028end",
    "\U0001F3F3\uFE0F\u200D\U0001F308" * 500, "{{7*7}} ${window.attacked=1}", "שלום עולם — mixed", "' onmouseover='window.attacked=1",
]

SCRIPT = """
const origin = 'http://127.0.0.1:%(port)d';
module.exports = {
  contract: 1, id: '%(id)s', name: '%(name)s', version: '1.0.0', summary: 'Invented pictures for tests.',
  homepage: origin + '/', hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1'], %(auth)s
  limits: { pageSize: { max: %(page)d, default: %(page)d } },
  terms: { attribution: '“{title}” by {author.name}' },
  search: {
    params: {
      order: { type: 'choice', values: ['relevance', 'latest'], default: 'relevance', help: 'How results are ordered.' },
      kinds: { type: 'list', values: ['photograph', 'illustration'] },
      min_width: { type: 'integer', min: 0, max: 10000, help: 'Pixels the original has at least.' },
      mature: { type: 'boolean' },
      creator: { type: 'string' },
    },
    request: (q) => ({ url: origin + '/api/%(id)s', query: { q: q.text, page: q.page, per_page: q.limit, ...q.params } }),
    parse: (res) => res.json,
  },
  feed: {
    request: (q) => ({ url: origin + '/api/%(id)s', query: { page: q.page, per_page: q.limit } }),
    parse: (res) => res.json,
  },
  collection: {
    request: (item, q) => ({ url: origin + '/api/%(id)s', query: { user: item.id, page: q.page, per_page: q.limit } }),
    parse: (res) => res.json,
  },
  details: {
    request: (item) => ({ url: origin + '/api/%(id)s/' + encodeURIComponent(item.id) }),
    parse: (res) => res.json,
  },
  match: [{ pattern: origin + '/by/{name}', item: { id: 'by-{name}', type: 'collection' } }],
};
"""


def shape(number):
    width, height = SHAPES[number * 7 % len(SHAPES)]
    scale = (300, 600, 1200)[number % 3]
    return width * scale // 3, height * scale // 3


def png(seed, width, height):
    """A landscape of few colours, quickly: its lines are runs of the same pixel."""
    value = zlib.crc32(seed.encode())
    hue, strength = (value % 360) / 360, 0.15 + (value >> 9) % 40 / 100

    def color(turn, saturation, brightness):
        return bytes(round(255 * part) for part in colorsys.hsv_to_rgb((hue + turn) % 1, saturation, brightness))

    far, near = color(0.03, strength, 0.55), color(0.06, min(1, strength * 1.3), 0.32)
    peak, foot = (value >> 4) % 100 / 100 * width, height * (0.35 + (value >> 13) % 20 / 100)
    sun, radius = ((value >> 6) % 80 / 100 + 0.1) * width, height * 0.09
    lines = []
    for y in range(height):
        sky = color(-0.04, strength * 0.5, 0.97 - 0.25 * y / height)
        line = bytearray(sky * width)

        def fill(left, right, pixel):
            left, right = max(0, round(left)), min(width, round(right))
            if right > left:
                line[left * 3:right * 3] = pixel * (right - left)

        away = abs(y - height * 0.22)
        if away < radius:
            half = (radius**2 - away**2) ** 0.5
            fill(sun - half, sun + half, color(0.5, 0.2, 1))
        fill(peak - (y - foot) * 1.6, peak + (y - foot) * 1.9, far) if y > foot else None
        low = y - height * 0.62
        fill(width - peak - low * 4, width - peak + low * 4.5, near) if low > 0 else None
        lines.append(b"\0" + bytes(line))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(lines), 1)) + chunk(b"IEND", b"")


class Source:
    """The server; `port` once it runs. Answers are held back while `gate` is clear."""

    def __init__(self, handler=None):
        self.requests = []
        self.gate = threading.Event()
        # Whether the pictures of the provider `gone` are there.
        self.has_all = False
        self.held = threading.Semaphore(0)
        handler = type("BoundHandler", (handler or Handler,), {"source": self})
        self.server = Server(("127.0.0.1", 0), handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write_providers(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, (title, _, page) in PROVIDERS.items():
            kind = f"category: '{CATEGORIES[name]}'," if name in CATEGORIES else ""
            kind += " adult: true," if name == "held" else ""
            auth = kind + f"auth: {{ type: 'header', name: 'X-Key', help: 'https://keys.example/{name}' }}," if name == "locked" else kind
            with open(os.path.join(folder, f"{name}.js"), "w") as file:
                file.write(SCRIPT % {"port": self.port, "id": name, "name": title, "page": page, "auth": auth})

    def close(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()

    def item(self, provider, number):
        seed = zlib.crc32(f"{provider} {number}".encode())
        width, height = shape(number)
        author = AUTHORS[seed % len(AUTHORS)]
        license_id, license_name, license_url = LICENSES[seed // 7 % len(LICENSES)]
        origin = f"http://127.0.0.1:{self.port}"
        media = []
        for role, longest in (("original", 4800), ("large", 1400), ("small", 400)):
            part = min(1, longest / max(width, height))
            size = round(width * part), round(height * part)
            is_held = provider == "held" and role == "original" or provider == "uneven" and number % 3 == 0
            folder = "held" if is_held else "missing" if provider == "gone" else "pictures"
            entry = {"role": role, "url": f"{origin}/{folder}/{provider}-{number}/{size[0]}x{size[1]}.png"}
            media.append(entry if provider in ("plain", "uneven") else entry | {"width": size[0], "height": size[1]})
        item = {
            "id": f"{number}", "type": "image", "title": " ".join(WORDS[(seed >> shift) % len(WORDS)] for shift in (0, 5, 9)).capitalize(),
            "page": f"{origin}/page/{provider}/{number}", "tags": sorted({TAGS[(seed >> shift) % len(TAGS)] for shift in (1, 4, 8)}),
            "author": {"name": author, "id": author, "url": f"{origin}/by/{urllib.parse.quote(author)}"},
            "license": {"id": license_id, "name": license_name, "url": license_url},
            "created": f"{2000 + seed % 26}-{1 + seed % 12:02}-{1 + seed % 28:02}", "stats": {"views": seed % 90_000, "likes": seed % 900},
            "location": {"city": "Porto", "country": "Portugal", "latitude": 41.15, "longitude": -8.61},
            "camera": {"make": "Fuji", "model": "X-T5", "lens": "XF 23mm", "aperture": "2.8", "exposure": "1/250", "focalLength": "23", "iso": 400},
            "media": media,
        }
        if provider == "moving":
            item["type"] = ("image", "animation", "collection")[number % 3]
        if provider == "changed":
            item["author"]["url"] = "no address"
        if provider not in ("plain", "uneven"):
            item["colors"] = [f"#{seed & 0xFFFFFF:06x}"]
        if provider == "hostile":
            text = HOSTILE[number % len(HOSTILE)]
            item |= {
                "id": f"{number}-{text[:60]}", "title": text, "description": text * 2, "tags": [text, "ok"],
                "author": {"name": text, "url": f"{origin}/by/%22%3E%3Cscript%3Ewindow.attacked=1%3C/script%3E"},
                "page": f"{origin}/page/%22onclick=%22window.attacked=1?a=<script>&number={number}", "extra": {text[:40]: text[:200]},
            }
        return item


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        pass  # A client that goes away is no error of the source.


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A body that follows its head waits for nothing.
    disable_nagle_algorithm = True
    source: Source

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        parts = [urllib.parse.unquote(part) for part in url.path.split("/")[1:]]
        self.source.requests.append(self.path)
        if parts[0] == "api" and len(parts) == 2:
            self.listing(parts[1], urllib.parse.parse_qs(url.query))
        elif parts[0] == "api":
            number = int(parts[2].split("-")[0])
            self.reply(self.source.item(parts[1], number) | {"description": "All that is known."})
        elif parts[0] == "missing" and not self.source.has_all:
            self.send_error(410)
        elif parts[0] in ("pictures", "held", "missing"):
            if parts[0] == "held":
                self.source.held.release()
                self.source.gate.wait()
            width, height = parts[2].removesuffix(".png").split("x")
            self.reply(self.picture(parts[1], int(width), int(height)), "image/png")
        else:
            self.send_error(404)

    def picture(self, seed, width, height):
        return png(seed, width, height)

    def listing(self, provider, query):
        if provider == "broken":
            return self.reply(b"<html>We are being rebuilt.</html>", "text/html")
        if provider == "locked" and self.headers.get("X-Key") != KEY:
            return self.reply({"error": "wrong key"}, status=401)
        if provider == "slow":
            self.source.gate.wait()
        page, size = int(query.get("page", ["1"])[0]), int(query.get("per_page", ["30"])[0])
        total = PROVIDERS[provider][1]
        text = query.get("q", [""])[0]
        if text == "nothing":
            total = 0
        numbers = range((page - 1) * size, min(page * size, total))
        self.reply({"total": total, "items": [self.source.item(provider, number) for number in numbers]})

    def reply(self, body, kind="application/json", status=200):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=86400")
        self.end_headers()
        self.wfile.write(data)
