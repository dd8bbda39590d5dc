"""What the tests of the gallery in a browser share."""
import json
import re
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

DESKTOP = {"width": 1280, "height": 800}
# As long as a busy machine may take: nothing waits longer than it has to.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


class Session:
    """The source, the gallery and the browser of a run; `run.py` begins and ends them."""

    source = None
    gallery = None
    browser = None
    # The browser's cookie: the link lets in once.
    storage = None


class BrowserCase(unittest.TestCase):
    """A fresh window for every test, in which nothing may go wrong unseen."""

    viewport = DESKTOP
    options: dict = {}

    def setUp(self):
        self.problems = []
        self.remote = []
        self.page = self.window()

    def window(self, **options):
        options = {"viewport": self.viewport, "storage_state": Session.storage, "reduced_motion": "reduce"} | self.options | options
        context = Session.browser.new_context(**options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text) if self.is_problem(message) else None)
        page.on("request", lambda request: self.note(request.url))
        return page

    def is_problem(self, message):
        # What a picture or a details request answers is shown in the page; the browser repeats it in its log.
        return message.type in ("error", "warning") and not message.text.startswith("Failed to load resource")

    def note(self, url):
        if not url.startswith((Session.gallery.origin, "blob:", "data:")):
            self.remote.append(url)

    def tearDown(self):
        self.assertEqual(self.problems, [], "the console is quiet, and the security policy is kept")
        self.assertEqual(self.remote, [], "nothing is fetched from elsewhere")

    # MARK: Steps

    def hold(self, pattern):
        """Holds requests back; the list that it returns has them."""
        held = []
        self.page.route(pattern, lambda route: held.append(route))
        self.addCleanup(lambda: [route.abort() for route in held])
        return held

    def let_on(self, held):
        """Lets the first request go that is held back, as soon as there is one."""
        self.wait_until(lambda: held)
        held.pop(0).continue_()

    def wait_until(self, condition):
        """Frames are awaited, not time."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not condition():
            self.assertLess(time.monotonic(), deadline, "the condition was never met")
            self.page.evaluate("() => new Promise(resolve => requestAnimationFrame(() => resolve(null)))")

    def open(self, address, page=None):
        page = page or self.page
        page.goto(Session.gallery.origin + address)
        return page

    def search(self, text="harbour", providers=("atlas", "meadow", "quay"), more="", page=None):
        """Opens a search and waits for its first pictures."""
        page = self.open(f"/?q={text}" + "".join(f"&provider={name}" for name in providers) + more, page)
        page.locator(".tile-image.is-loaded").nth(2).wait_for()
        return page

    def listed(self):
        """Waits until everything that was asked for has come; returns how many images that are."""
        # A source that takes longer than a second is not waited for: the others may have sent more than their first part.
        self.page.locator('#grid[aria-busy="false"]').wait_for()
        return int(re.match(r"[\d,]+", self.page.locator("#status").inner_text())[0].replace(",", ""))

    def tile(self, position, page=None):
        return (page or self.page).locator(f'.tile[data-position="{position}"]')

    def refs(self, page=None):
        """The images in the page by their references, with their places in the listing."""
        links = (page or self.page).locator(".tile").evaluate_all(
            "tiles => tiles.map(tile => [Number(tile.dataset.position), tile.querySelector('a').href])")
        return {position: href.split("image=")[1] for position, href in links if "image=" in href}

    def scroll_to_end(self, page=None):
        """Scrolls by windows until the listing says that it has ended; returns every image by its place."""
        page = page or self.page
        seen = {}
        while True:
            # Asked first: the last images may come while the others are read.
            is_end = page.evaluate(
                "() => document.querySelector('.end-line') !== null && scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
            for position, ref in self.refs(page).items():
                self.assertEqual(seen.setdefault(position, ref), ref, "an image keeps its place")
            if is_end:
                return seen
            before = page.evaluate("() => [scrollY, document.documentElement.scrollHeight]")
            page.evaluate("() => scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })")
            # Until the next frame is drawn, and where that was the end, until more has come.
            page.evaluate(
                """([top, height]) => new Promise(resolve => {
                    const check = () => {
                        const isEnd = document.querySelector('.end-line') !== null;
                        if (scrollY !== top || isEnd || document.documentElement.scrollHeight !== height) resolve(null);
                        else { scrollBy({ top: innerHeight, behavior: 'instant' }); requestAnimationFrame(check); }
                    };
                    requestAnimationFrame(() => requestAnimationFrame(check));
                })""", before)

    def scroll_down_until(self, condition, argument=None):
        """Keeps to the end of the page, which moves while images are laid out, until a condition holds there."""
        self.page.wait_for_function(
            f"""argument => {{
                scrollTo({{ top: document.documentElement.scrollHeight, behavior: 'instant' }});
                return {condition};
            }}""", arg=argument)

    def open_notices(self, page=None):
        """Opens what is told of sources; returns it."""
        notices = (page or self.page).locator("#notices")
        notices.wait_for()
        if notices.get_attribute("open") is None:
            notices.locator(":scope > summary").click()
        return notices

    # MARK: Checks

    def assert_proportions(self, ratios):
        """Most places have their images' proportions: a row that was shown before it was full cuts those that come later."""
        fitting = [ratio for ratio in ratios if 0.97 < ratio < 1.03]
        self.assertGreater(len(fitting), len(ratios) / 2, ratios)

    def assert_accessible(self, page=None, view=""):
        """axe finds nothing serious or critical."""
        found = Axe().run(page or self.page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [
            (rule["id"], [node["html"][:160] for node in rule["nodes"][:3]])
            for rule in found if rule["impact"] in ("serious", "critical")
        ]
        self.assertEqual(serious, [], f"{view}: {json.dumps(serious, indent=1)}")

    def assert_no_sideways_scroll(self, page=None):
        page = page or self.page
        self.assertLessEqual(
            page.evaluate("() => document.documentElement.scrollWidth"), page.evaluate("() => innerWidth"),
            "nothing is wider than the window")
