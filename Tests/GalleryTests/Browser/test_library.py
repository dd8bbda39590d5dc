"""What was downloaded, in the same grid."""
import os
import re

from playwright.sync_api import expect

from browser_case import BrowserCase, Session


class LibraryTests(BrowserCase):
    def download(self, text, number, provider="meadow"):
        """Downloads the first images of a search; returns their titles."""
        self.search(text, providers=(provider,))
        self.page.locator(".tile-link").first.focus()
        self.page.keyboard.press("Space")
        for _ in range(number - 1):
            self.page.keyboard.press("Shift+ArrowRight")
        self.page.get_by_role("button", name="Download").click()
        card = self.page.get_by_role("region", name="Downloads")
        expect(card).to_contain_text(re.compile("saved|already there"))
        card.get_by_role("button", name="Dismiss").click()

    def open_library(self, more=""):
        self.open(f"/?library=true{more}")
        self.page.locator(".tile-image.is-loaded").first.wait_for()

    def test_downloads_are_found_from_the_start_page_and_among_the_sources(self):
        self.download("library", 3)
        self.open("/")
        section = self.page.get_by_role("region", name="Your downloads")
        section.locator(".strip-tile").first.wait_for()
        section.get_by_role("link", name=re.compile("^All ")).click()
        expect(self.page.locator("#listing-title")).to_have_text("Your downloads")
        self.page.locator(".tile-image.is-loaded").nth(2).wait_for()
        self.assert_accessible(view="library")
        # Among the sources, with the words that were searched for.
        self.search("harbour", providers=("meadow",))
        self.page.get_by_role("button", name=re.compile("^Sources")).click()
        self.page.get_by_role("link", name=re.compile("Your downloads")).click()
        expect(self.page).to_have_url(re.compile(r"/\?library=true&q=harbour$"))

    def test_the_library_is_searched_and_sorted(self):
        self.download("library", 3)
        self.open_library("&order=title")
        titles = self.page.locator(".tile-link").evaluate_all("links => links.map(link => link.getAttribute('aria-label'))")
        names = [title.split(",")[0].lower() for title in titles]
        self.assertEqual(names, sorted(names), "by title")
        self.page.locator("#search-text").fill(names[0])
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#listing-title")).to_contain_text("your downloads")
        expect(self.page.locator(".tile-link").first).to_have_attribute("aria-label", re.compile(f"^{names[0]}", re.I))
        self.page.get_by_role("combobox", name="Order").select_option("oldest")
        expect(self.page).to_have_url(re.compile("order=oldest"))

    def test_an_image_is_deleted_with_its_file(self):
        self.download("library", 3)
        self.open_library()
        tile = self.tile(0)
        label = tile.locator(".tile-link").get_attribute("href")
        before = set(Session.gallery.files())
        tile.locator(".tile-link").focus()
        self.page.keyboard.press("Space")
        self.page.get_by_role("button", name="Remove", exact=True).click()
        self.page.get_by_role("button", name="Delete files").click()
        expect(self.page.locator(".tile-link").first).not_to_have_attribute("href", label)
        gone = before - set(Session.gallery.files())
        self.assertEqual(len(gone), 1)
        with open(os.path.join(Session.gallery.downloads, "credits.json")) as credits:
            self.assertNotIn(os.path.basename(gone.pop()), credits.read())

    def test_an_image_tells_where_its_file_is_and_whose_it_is(self):
        self.download("library", 1)
        self.open_library()
        self.tile(0).locator(".tile-link").click()
        panel = self.page.locator(".viewer-panel")
        expect(panel).to_contain_text(re.compile(r"\.png"))
        expect(panel.locator("#credit-text")).not_to_be_empty()
        # Its address holds after a reload.
        self.page.reload()
        expect(self.page.locator(".viewer-panel .viewer-title")).to_be_visible()
