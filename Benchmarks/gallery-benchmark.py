#!/usr/bin/env python3
"""Measures the gallery in headless Chromium against a source on loopback.

First pictures: from the moment at which the source's first answer has left it to the first frame in which pictures of the
grid are painted; no picture has been seen before. Scrolling: 5,000 images from top to end by four windows a second, then
leaps. Memory: the server's after 1,000 different thumbnails, idle. Health: asked over new connections while 200 searches are
under way, of which 100 are dropped in the middle.

Prints every limit with what was measured, and ends with 1 where one is missed. Limits are of the clock, so other work on the
machine counts against them; beside tasks and frames stands the processor's time that the page's thread itself took.

    make gallery-benchmark
    Benchmarks/gallery-benchmark.py [--binaries .build/release] [--runs 7]

Needs playwright of PyPI and Chromium at CHROMIUM (/usr/bin/chromium).
"""
import argparse
import functools
import json
import multiprocessing
import os
import socket
import statistics
import sys
import time
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Tests", "GalleryTests", "Browser"))

import gallery as programs  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from run import launch  # noqa: E402
from source import Handler, Source, png  # noqa: E402

PAINTED = """
window.painted = null;
new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
        if (window.painted === null) window.painted = performance.timeOrigin + entry.renderTime;
    }
}).observe({ type: 'element', buffered: true });
// Pictures of the grid say when they are painted.
new MutationObserver(changes => {
    for (const change of changes) for (const node of change.addedNodes) {
        if (node instanceof Element) for (const image of node.querySelectorAll('.tile-image')) image.setAttribute('elementtiming', 'tile');
    }
}).observe(document, { childList: true, subtree: true });
"""

WATCH = """() => {
    window.long = []; window.gaps = []; window.frames = 0;
    new PerformanceObserver(list => long.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask' });
    let last = performance.now();
    const frame = now => {
        if (now - last > 100) performance.mark('frame gap', { detail: now - last });
        gaps.push(now - last); last = now; frames += 1; requestAnimationFrame(frame);
    };
    requestAnimationFrame(now => { last = now; requestAnimationFrame(frame); });
}"""

SCROLL = """async () => {
    const done = () => document.querySelector('.end-line') && scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    let last = performance.now();
    await new Promise(resolve => {
        const step = now => {
            scrollBy({ top: Math.min(innerHeight, (now - last) * innerHeight * 4 / 1000), behavior: 'instant' });
            last = now;
            if (done()) resolve(null); else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });
    for (const part of [0, 0.7, 0.2, 1, 0.5]) {
        scrollTo({ top: part * document.documentElement.scrollHeight, behavior: 'instant' });
        for (let frame = 0; frame < 20; frame += 1) await new Promise(resolve => requestAnimationFrame(resolve));
    }
}"""


@functools.cache
def picture_of(width, height):
    return png("any", width, height)


class TimedHandler(Handler):
    """Notes when the first answer has been sent; its pictures are others for every search, and cost it nothing."""

    answered = None

    def picture(self, seed, width, height):
        return picture_of(width, height)

    def reply(self, body, *arguments, **options):
        if isinstance(body, dict):
            text = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("q", [""])[0]
            body = json.dumps(body).replace("/pictures/", f"/pictures/{text}-").encode()
        super().reply(body, *arguments, **options)
        if self.path.startswith("/api/") and TimedHandler.answered is None:
            TimedHandler.answered = time.time() * 1000


def first_pictures(page, origin, runs):
    times = []
    page.add_init_script(PAINTED)
    for run in range(runs):
        TimedHandler.answered = None
        page.goto(f"{origin}/?q=first{run}&provider=atlas&provider=meadow&provider=quay")
        page.locator(".tile-image.is-loaded").first.wait_for()
        while (painted := page.evaluate("() => window.painted")) is None:
            pass
        times.append(painted - TimedHandler.answered)
    return times


def scrolling(page, origin):
    page.goto(f"{origin}/?q=scroll&provider=many")
    page.locator(".tile-image.is-loaded").nth(5).wait_for()
    page.evaluate(WATCH)
    start = time.monotonic()
    work, gap_work = page_work(page, lambda: page.evaluate(SCROLL))
    found = page.evaluate("() => ({ long, gaps, frames, count: document.querySelector('#status').textContent, tiles: document.querySelectorAll('.tile').length })")
    return found | {"seconds": time.monotonic() - start, "work": work, "gap_work": gap_work}


def page_work(page, action):
    """The most milliseconds of a processor that a task of the page's thread takes, and those within the longest gap of frames."""
    session = page.context.browser.new_browser_cdp_session()
    events, ended = [], []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: ended.append(True))
    categories = {"includedCategories": ["toplevel", "blink.user_timing"], "excludedCategories": ["*"]}
    session.send("Tracing.start", {"traceConfig": categories})
    action()
    session.send("Tracing.end")
    while not ended:
        page.evaluate("() => null")
    mains = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    tasks = [event for event in events if (event["pid"], event["tid"]) in mains and "tdur" in event]
    gaps = [(json.loads(event["args"]["data"]["detail"]) * 1000, event["ts"]) for event in events if event["name"] == "frame gap"]
    length, end = max(gaps, default=(0, 0))
    within = sum(task["tdur"] for task in tasks if end - length <= task["ts"] < end)
    return max(task["tdur"] for task in tasks) / 1000, within / 1000


def page_size(page, origin):
    """The bytes of the page's own files that a search loads, and those of all its files."""
    sizes = {}
    page.on("response", lambda response: sizes.update({response.url: response}) if "/api/" not in response.url else None)
    page.goto(f"{origin}/?q=size&provider=atlas")
    page.locator(".tile-image.is-loaded").nth(5).wait_for()
    page.wait_for_load_state("networkidle")
    loaded = sum(len(response.body()) for response in sizes.values())
    folder = os.path.join(HERE, "..", "Sources", "Gallery", "Page")
    return loaded, sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if not name.endswith((".d.ts", ".json")))


def thumbnails(page, origin, gallery):
    """Loads 1,000 thumbnails as a browser would, then some of them again."""
    addresses = page.evaluate("""async () => {
        const found = [];
        let cursor = '';
        while (found.length < 1000) {
            const answer = await (await fetch(`/api/v1/images?q=memory&provider=many&limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).json();
            found.push(...answer.images.map(image => image.pictures.thumbnail.url));
            cursor = answer.next;
        }
        return found.slice(0, 1000);
    }""")
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in page.context.cookies())

    def load(address):
        request = urllib.request.Request(origin + address, headers={"Cookie": cookie, "Sec-Fetch-Site": "same-origin"})
        start = time.perf_counter()
        with urllib.request.urlopen(request) as answer:
            answer.read()
        return (time.perf_counter() - start) * 1000

    for address in addresses:
        load(address)
    again = sorted(load(address) for address in addresses[::10])
    page.goto("about:blank")
    # Idle is what it is once it has given back what it needed.
    lowest, end = gallery.memory(), time.monotonic() + 12
    while time.monotonic() < end:
        lowest = min(lowest, gallery.memory())
        time.sleep(0.1)
    return lowest, again


def health(host, cookie):
    """How long the server takes to answer while 200 clients search and 100 of them vanish, in milliseconds, sorted."""

    def connect(path):
        connection = socket.create_connection(host.split(":"))
        head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        return connection

    searches = [connect(f"/api/v1/images/events?q=health{number}&provider=many&limit=500") for number in range(200)]
    times = []
    for number in range(100):
        start = time.perf_counter()
        answer = connect("/api/v1/health").recv(100)
        times.append((time.perf_counter() - start) * 1000)
        assert answer.startswith(b"HTTP/1.1 200"), answer
        searches.pop().close()
    started = {search.recv(100)[:12] for search in searches}
    assert started == {b"HTTP/1.1 200"}, started
    for search in searches:
        search.close()
    return sorted(times)


class Report:
    """Prints each figure beside its limit."""

    missed = 0

    def add(self, name, value, limit, unit, more=""):
        is_met = value <= limit
        self.missed += not is_met
        print(f"{'met   ' if is_met else 'MISSED'} {name:<52} {value:7.1f} {unit} (limit {limit:g}){'; ' + more if more else ''}", flush=True)


def measure(page, gallery, runs):
    report = Report()
    context = page.context
    loaded, total = page_size(context.new_page(), gallery.origin)
    report.add("page of a search, uncompressed", loaded / 1000, 100, "kB", f"{total / 1000:.0f} kB with all that loads on demand")
    times = first_pictures(context.new_page(), gallery.origin, runs)
    report.add("first pictures after the source's first answer", statistics.median(times), 150, "ms",
               f"median of {' '.join(f'{time:.0f}' for time in times)}")
    found = scrolling(context.new_page(), gallery.origin)
    longest = max(found["long"], default=0)
    report.add("scrolling 5,000 images: longest task", longest, 50, "ms",
               f"{found['work']:.0f} ms of CPU in any, {len(found['long'])} over 50 ms by the clock")
    gap = max(found["gaps"])
    report.add("scrolling 5,000 images: longest time without frame", gap, 100, "ms",
               f"{found['frames'] / found['seconds']:.0f} frames a second" + (f", the page worked for {found['gap_work']:.0f} ms of it" if gap > 100 else ""))
    memory, again = thumbnails(page, gallery.origin, gallery)
    report.add("server after 1,000 thumbnails, idle", memory / 1_000_000, 60, "MB")
    report.add("a thumbnail seen before, 95 of 100", again[len(again) * 95 // 100], 5, "ms", f"median {statistics.median(again):.2f}, slowest {again[-1]:.2f}")
    cookie = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in context.cookies())
    # In a process of its own: the source's threads share an interpreter with whoever measures here.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        times = pool.apply(health, (gallery.origin.removeprefix("http://"), cookie))
    report.add("health under 200 searches, 95 of 100", times[94], 50, "ms", f"median {statistics.median(times):.1f}, slowest {times[-1]:.1f}")
    return report.missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default=".build/release")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    programs.BINARIES = options.binaries
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    source = Source(TimedHandler)
    for number in range(30):
        for media in source.item("many", number)["media"]:
            picture_of(media["width"], media["height"])
    gallery = None
    try:
        gallery = programs.Gallery(source, "-p", "atlas", "-p", "meadow", "-p", "quay")
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(gallery.link)
            missed = measure(page, gallery, options.runs)
            browser.close()
    finally:
        if gallery:
            gallery.close()
        source.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
