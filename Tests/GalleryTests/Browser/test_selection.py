"""Selecting images, and downloading them."""
import os
import re
import zlib

from browser_case import BrowserCase, Session, expect


class SelectionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.search()
        self.listed()

    def count(self, number):
        expect(self.page.locator("#selection-count")).to_have_text(f"{number} selected")

    def check(self, position):
        self.tile(position).hover()
        self.tile(position).locator(".tile-check").click()

    def test_clicks_and_shift_select(self):
        self.check(1)
        self.count(1)
        self.tile(6).locator(".tile-link").click(modifiers=["Shift"])
        self.count(6)
        self.tile(3).locator(".tile-link").click()
        self.count(5)
        expect(self.tile(3)).to_have_attribute("aria-selected", "false")
        self.tile(8).locator(".tile-link").click(modifiers=["Control"])
        self.count(6)
        self.page.get_by_role("button", name="Clear selection").click()
        expect(self.page.locator("#selection-bar")).to_be_hidden()

    def test_a_rubber_band_selects_what_it_touches(self):
        # Its part of the page comes with the first touch of the pointer: a band may begin before.
        held = self.hold("**/rubber-band.js")
        first, last = self.tile(0).bounding_box(), self.tile(6).bounding_box()
        self.page.mouse.move(first["x"] + 30, first["y"] + 30)
        self.page.mouse.down()
        self.page.mouse.move(last["x"] + 20, last["y"] + 20, steps=8)
        expect(self.page.locator(".rubber-band")).to_have_count(0)
        self.let_on(held)
        self.move_until_there(last["x"] + 20, last["y"] + 20)
        self.page.mouse.up()
        expect(self.page.locator(".rubber-band")).to_have_count(0)
        touched = [
            position for position in range(12)
            if (box := self.tile(position).bounding_box()) and box["x"] <= last["x"] + 20 and box["x"] + box["width"] >= first["x"] + 30
            and box["y"] <= last["y"] + 20 and box["y"] + box["height"] >= first["y"] + 30
        ]
        self.count(len(touched))
        for position in touched:
            expect(self.tile(position)).to_have_attribute("aria-selected", "true")
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def move_until_there(self, x, y):
        def move():
            self.page.mouse.move(x - 1, y)
            self.page.mouse.move(x, y)
            return self.page.locator(".rubber-band").count()

        self.wait_until(move)

    def test_a_press_that_ended_before_its_part_came_draws_no_band(self):
        held = self.hold("**/rubber-band.js")
        box = self.tile(0).bounding_box()
        self.page.mouse.move(box["x"] + 30, box["y"] + box["height"] + 4)
        self.page.mouse.down()
        self.page.mouse.up()
        with self.page.expect_response("**/rubber-band.js") as answer:
            self.let_on(held)
        answer.value.finished()
        self.page.evaluate("() => import('/assets/rubber-band.js').then(() => null)")
        self.page.mouse.move(box["x"] + 300, box["y"] + 150, steps=4)
        self.assertEqual(self.page.locator(".rubber-band").count(), 0)
        expect(self.page.locator("#selection-bar")).to_be_hidden()

    def test_a_selection_stays_while_its_images_are_out_of_sight(self):
        self.check(0)
        self.check(9)  # The row that has the focus stays in the page.
        self.page.evaluate("() => scrollTo({ top: 3500, behavior: 'instant' })")
        expect(self.tile(0)).to_have_count(0)
        self.page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        expect(self.tile(0)).to_have_attribute("aria-selected", "true")
        self.count(2)


class DownloadTests(BrowserCase):
    def select(self, number):
        self.page.locator(".tile-link").first.focus()
        self.page.keyboard.press("Space")
        for _ in range(number - 1):
            self.page.keyboard.press("Shift+ArrowRight")
        expect(self.page.locator("#selection-count")).to_have_text(f"{number} selected")
        return [ref.replace("%3A", ":") for position, ref in sorted(self.refs().items()) if position < number]

    def test_twenty_images_are_downloaded(self):
        self.search("twenty", providers=("atlas",))
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 400"))
        before = set(Session.gallery.files())
        refs = self.select(20)
        self.page.get_by_role("button", name="Download").click()
        card = self.page.get_by_role("region", name="Downloads")
        expect(card).to_contain_text("20 images saved")
        expect(card).to_contain_text(Session.gallery.downloads)
        files = sorted(set(Session.gallery.files()) - before)
        self.assertEqual(len(files), 20)
        for path in files:
            with open(path, "rb") as file:
                data = file.read()
            self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(data[-8:-4], b"IEND")
            self.assertEqual(int.from_bytes(data[-4:], "big"), zlib.crc32(b"IEND"))
        with open(os.path.join(Session.gallery.downloads, "credits.json")) as credits:
            text = credits.read()
        for ref in refs:
            self.assertIn(f"/page/{ref.replace(':', '/')}\"", text, "each image has its credit")
        card.get_by_role("button", name="Dismiss").click()
        expect(card).to_be_hidden()

    def test_a_download_is_cancelled(self):
        # Pictures of the same source wait as well: they may not take all of the browser's connections.
        Session.source.gate.clear()
        self.addCleanup(Session.source.gate.set)
        self.search("held", providers=("held",))
        expect(self.page.locator("#status")).to_have_text("40 images")
        before = set(Session.gallery.files())
        self.select(5)
        self.page.get_by_role("button", name="Download").click()
        card = self.page.get_by_role("region", name="Downloads")
        expect(card.get_by_role("progressbar", name="Download progress")).to_be_visible()
        self.assertTrue(Session.source.held.acquire(timeout=60), "a file is under way")
        card.get_by_role("button", name="Cancel").click()
        expect(card).to_contain_text("Download cancelled")
        self.assertEqual(set(Session.gallery.files()) - before, set(), "nothing is left of it")
