#!/usr/bin/env python3
"""Measures the gallery in headless Chromium against a source on loopback.

First pictures: from the moment at which the source's first answer has left it to the first frame in which pictures of the
grid are painted; no picture has been seen before. Scrolling: 5,000 images from top to end by four windows a second, then back
by leaps; tasks of the page's thread over 50 ms, the processor's time of the longest (the rest of a task's time it waits for a
processor that others have), and how often no frame came for 100 ms. Memory: the server's after 1,000 different thumbnails, idle.

    Benchmarks/gallery-benchmark.py [--binaries .build/release] [--runs 7]

Needs playwright of PyPI and Chromium at CHROMIUM (/usr/bin/chromium).
"""
import argparse
import functools
import json
import os
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
    const frame = now => { gaps.push(now - last); last = now; frames += 1; requestAnimationFrame(frame); };
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
    work = longest_work(page, lambda: page.evaluate(SCROLL))
    found = page.evaluate("() => ({ long, gaps, frames, count: document.querySelector('#status').textContent, tiles: document.querySelectorAll('.tile').length })")
    return found | {"seconds": time.monotonic() - start, "work": work}


def longest_work(page, action):
    """The most milliseconds of a processor that a task of the page's thread takes."""
    session = page.context.browser.new_browser_cdp_session()
    events, ended = [], []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: ended.append(True))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": ["toplevel"], "excludedCategories": ["*"]}})
    action()
    session.send("Tracing.end")
    while not ended:
        page.evaluate("() => null")
    mains = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    return max(event.get("tdur", 0) for event in events if (event["pid"], event["tid"]) in mains) / 1000


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
    lowest = min(gallery.memory() for _ in range(200))
    return lowest, again


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", default=".build/release")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    programs.BINARIES = options.binaries
    source = Source(TimedHandler)
    for number in range(30):
        for media in source.item("many", number)["media"]:
            picture_of(media["width"], media["height"])
    gallery = None
    try:
        gallery = programs.Gallery(source, "-p", "atlas", "-p", "meadow", "-p", "quay")
        with sync_playwright() as playwright:
            browser = launch(playwright)
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.goto(gallery.link)
            loaded, total = page_size(context.new_page(), gallery.origin)
            print(f"page: {loaded / 1000:.1f} kB for a search, {total / 1000:.1f} kB with all parts that load on demand")
            times = first_pictures(context.new_page(), gallery.origin, options.runs)
            print(f"first pictures after the first answer: median {statistics.median(times):.0f} ms, all {' '.join(f'{time:.0f}' for time in times)}")
            found = scrolling(context.new_page(), gallery.origin)
            missing = [gap for gap in found["gaps"] if gap > 100]
            print(f"scrolling {found['count']}: {len(found['long'])} tasks over 50 ms{', the longest %.0f ms' % max(found['long']) if found['long'] else ''}; "
                  f"the most work in one {found['work']:.0f} ms; {len(missing)} times no frame for 100 ms, longest {max(found['gaps']):.0f} ms, "
                  f"{found['frames'] / found['seconds']:.0f} frames a second, {found['tiles']} images in the page")
            memory, again = thumbnails(page, gallery.origin, gallery)
            print(f"server after 1,000 thumbnails: {memory / 1_000_000:.1f} MB; a thumbnail again: median {statistics.median(again):.2f} ms, slowest {again[-1]:.2f} ms")
            browser.close()
    finally:
        if gallery:
            gallery.close()
        source.close()


if __name__ == "__main__":
    main()
