"""Every view: on a phone, in the dark, on a wall, and with axe."""
import re

from browser_case import BrowserCase, expect


class PhoneTests(BrowserCase):
    viewport = {"width": 320, "height": 640}
    options = {"has_touch": True, "is_mobile": True}

    def test_everything_fits_320_pixels(self):
        self.open("/")
        expect(self.page.get_by_role("heading", name="Find images")).to_be_visible()
        self.assert_no_sideways_scroll()
        self.search(providers=("atlas", "broken"))
        self.assert_no_sideways_scroll()
        self.page.get_by_role("button", name="Filters").tap()
        expect(self.page.locator("#filters")).to_be_visible()
        self.assert_no_sideways_scroll()
        self.page.get_by_role("button", name="Close filters").tap()
        self.page.locator("#sources-button").tap()
        expect(self.page.get_by_role("heading", name="Sources")).to_be_visible()
        self.assert_no_sideways_scroll()
        self.page.keyboard.press("Escape")
        expect(self.tile(0).locator(".tile-check")).to_be_hidden()
        choose = self.page.get_by_role("button", name="Select", exact=True)
        choose.tap()
        expect(choose).to_have_attribute("aria-pressed", "true")
        self.tile(0).locator(".tile-link").tap()
        expect(self.page.locator("#selection-bar")).to_be_in_viewport(ratio=1)
        self.page.get_by_role("button", name="Clear selection").tap()
        expect(choose).to_have_attribute("aria-pressed", "false")
        self.tile(0).locator(".tile-link").tap()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.assert_no_sideways_scroll()
        small = self.page.locator("button:visible").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect()).filter(box => box.width < 24 || box.height < 24).length")
        self.assertEqual(small, 0, "every button is large enough for a finger")

    def test_two_images_stand_beside_each_other(self):
        self.search()
        tops = self.page.locator(".row").evaluate_all("rows => rows.map(row => row.childElementCount)")
        self.assertGreaterEqual(max(tops), 2)


class FocusTests(BrowserCase):
    def test_filters_of_an_address_stand_open_and_take_no_focus(self):
        self.search(more="&tag=night")
        expect(self.page.locator("#filters")).to_be_visible()
        self.assertEqual(self.page.evaluate("() => document.activeElement.tagName"), "BODY")

    def test_a_first_link_leads_to_the_images(self):
        self.search()
        self.page.keyboard.press("Tab")
        expect(self.page.get_by_role("link", name="Skip to the images")).to_be_focused()
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Tab")
        expect(self.tile(0).locator(".tile-link")).to_be_focused()


class SchemeTests(BrowserCase):
    def test_dark_and_light_follow_the_system(self):
        for scheme, is_dark in (("dark", True), ("light", False)):
            page = self.window(color_scheme=scheme)
            self.search(page=page)
            red, green, blue = (int(part) for part in re.findall(r"\d+", page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor"))[:3])
            self.assertEqual(red + green + blue < 200, is_dark)

    def test_a_wide_window_is_filled(self):
        page = self.window(viewport={"width": 3840, "height": 2160})
        self.search(page=page)
        expect(page.locator(".row").nth(1)).to_be_attached()
        box = page.locator(".row").first.locator(".tile").last.bounding_box()
        self.assertGreater(box["x"] + box["width"], 3700)

    def test_the_head_of_the_page_is_whole_before_it_is_drawn(self):
        self.open("/")
        is_awaited = """() => {
            const link = document.querySelector('link[rel=expect][blocking=render]');
            const awaited = document.getElementById(link.getAttribute('href').slice(1));
            return Boolean(awaited.compareDocumentPosition(document.querySelector('.top-bar')) & Node.DOCUMENT_POSITION_PRECEDING);
        }"""
        self.assertTrue(self.page.evaluate(is_awaited))

    def test_reduced_motion_moves_nothing(self):
        self.search()
        running = self.page.evaluate("() => document.getAnimations().filter(animation => animation.playState === 'running').length")
        self.assertEqual(running, 0)


class AccessibilityTests(BrowserCase):
    # axe is put into the page, which the page's own policy rightly refuses.
    options = {"bypass_csp": True}
    scheme = "light"

    def test_every_view_passes_axe_in_both_schemes(self):
        for scheme in ("light", "dark"):
            for width, height, is_phone in ((1280, 800, False), (360, 740, True)):
                with self.subTest(scheme=scheme, width=width):
                    page = self.window(
                        color_scheme=scheme, viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone)
                    self.views(page, f"{scheme} {width}")

    def views(self, page, name):
        self.open("/", page)
        expect(page.get_by_role("heading", name="Find images")).to_be_visible()
        self.assert_accessible(page, f"{name} start")
        self.search(providers=("atlas", "broken", "locked"), page=page)
        expect(page.locator("#notices > summary")).to_have_text("2 sources failed")
        self.open_notices(page)
        page.get_by_text("Enter a key").click()
        self.assert_accessible(page, f"{name} search with notices")
        page.locator("#notices > summary").click()
        page.locator(".tile-link").first.focus()
        page.keyboard.press("Space")
        self.assert_accessible(page, f"{name} selection")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Filters").click()
        expect(page.locator("#filters")).to_be_visible()
        self.assert_accessible(page, f"{name} filters")
        page.get_by_role("button", name="Close filters").click()
        page.locator("#sources-button").click()
        page.get_by_text("Options").first.click()
        self.assert_accessible(page, f"{name} sources")
        page.keyboard.press("Escape")
        page.locator(".tile-link").first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.locator(".stage-image.is-loaded").first.wait_for()
        self.assert_accessible(page, f"{name} detail")
        self.open("/?q=nothing&provider=atlas", page)
        expect(page.get_by_role("heading", name="No images found")).to_be_visible()
        self.assert_accessible(page, f"{name} nothing found")
