"""Sources that fail, lack a key or mean harm; the network gone; the server gone."""
import re

from browser_case import BrowserCase, Session, expect
from gallery import Gallery
from source import HOSTILE, KEY


class FailureTests(BrowserCase):
    def test_a_failing_provider_is_a_quiet_notice_and_the_others_go_on(self):
        self.search(providers=("atlas", "broken"))
        notice = self.open_notices().locator('.notice[data-provider="broken"]')
        expect(notice).to_contain_text("Broken Mirror failed")
        self.assertGreater(len(notice.inner_text()), len("Broken Mirror failed: "), "with its reason")
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 400 images"))
        notice.get_by_role("button", name=re.compile("Dismiss")).click()
        expect(notice).to_have_count(0)

    def test_where_no_source_answers_the_page_says_so(self):
        self.open("/?q=harbour&provider=broken")
        expect(self.page.get_by_role("heading", name="No source answered")).to_be_visible()
        self.page.get_by_role("button", name="Choose sources").click()
        expect(self.page.get_by_role("heading", name="Sources")).to_be_visible()

    def test_a_provider_without_a_key_says_where_to_get_it_and_takes_it(self):
        self.search(providers=("atlas", "locked"))
        notice = self.open_notices().locator('.notice[data-provider="locked"]')
        expect(notice).to_contain_text("Locked Vault needs a key")
        notice.get_by_text("Enter a key").click()
        expect(notice.get_by_role("link", name=re.compile("Get a key"))).to_have_attribute("href", "https://keys.example/locked")
        field = notice.get_by_label("Key for Locked Vault")
        self.assertEqual(field.get_attribute("type"), "password")
        field.fill("a wrong key")
        notice.get_by_role("button", name="Store key").click()
        expect(self.page.locator("#notices > summary")).to_have_text("Locked Vault refused the key")
        notice = self.open_notices().locator('.notice[data-provider="locked"]')
        notice.get_by_text("Enter another key").click()
        notice.get_by_label("Key for Locked Vault").fill(KEY)
        notice.get_by_role("button", name="Store key").click()
        expect(self.page.locator('.notice[data-provider="locked"]')).to_have_count(0)
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 460 images"))
        self.page.locator("#sources-button").click()
        row = self.page.locator(".source").filter(has_text="Locked Vault")
        expect(row).to_contain_text("Key stored")
        row.get_by_role("button", name="Remove stored key").click()
        expect(row.get_by_text("Needs a key")).to_be_visible()

    def test_what_is_typed_into_one_notice_stays_when_another_goes(self):
        self.search(providers=("atlas", "broken", "locked"))
        expect(self.page.locator("#notices > summary")).to_have_text("2 sources failed")
        notice = self.open_notices().locator('.notice[data-provider="locked"]')
        notice.get_by_text("Enter a key").click()
        notice.get_by_label("Key for Locked Vault").fill("half a k")
        self.page.get_by_role("button", name="Dismiss the notice about Broken Mirror").click()
        expect(self.page.locator('.notice[data-provider="broken"]')).to_have_count(0)
        expect(notice.get_by_label("Key for Locked Vault")).to_have_value("half a k")

    def test_notices_are_counted_right_and_never_move_the_grid(self):
        self.open("/?q=harbour&provider=atlas&provider=broken&provider=locked&provider=nobody&provider=noone")
        self.tile(0).wait_for()
        summary = self.page.locator("#notices > summary")
        expect(summary).to_have_text("4 sources failed")
        expect(self.page.locator(".notice").first).to_be_hidden()
        before = self.tile(0).bounding_box()
        self.open_notices()
        expect(self.page.locator(".notice")).to_have_count(4)
        self.assertEqual(self.tile(0).bounding_box(), before)
        self.page.get_by_role("button", name="Dismiss the notice about nobody").click()
        self.page.get_by_role("button", name="Dismiss the notice about noone").click()
        expect(summary).to_have_text("2 sources failed")

    def test_sources_that_found_nothing_have_not_failed(self):
        self.open("/?q=nothing&provider=atlas&provider=broken&provider=nobody")
        expect(self.page.locator("#notices > summary")).to_have_text("2 sources failed; 1 found nothing")

    def test_what_is_left_out_of_images_is_one_sentence_for_viewers(self):
        self.search(providers=("changed",))
        notices = self.open_notices()
        expect(notices.locator(".notice")).to_have_count(1)
        expect(notices).to_contain_text("Changed Source: some details of its images were not valid, and are left out.")
        self.assertNotIn("items[", notices.inner_text())

    def test_a_source_that_answers_otherwise_may_have_changed(self):
        self.search(providers=("atlas", "broken"))
        expect(self.open_notices()).to_contain_text("The source may have changed since version 1.0.0 of broken was written.")

    def test_a_source_that_sends_no_pictures_holds_up_nobody_else(self):
        Session.source.gate.clear()
        self.addCleanup(Session.source.gate.set)
        self.open("/?q=slow&provider=held&provider=atlas")
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 440"))
        in_window = """() => [...document.querySelectorAll('.tile')].filter(tile => {
            const { top, bottom } = tile.getBoundingClientRect();
            return bottom > 0 && top < innerHeight && tile.querySelector('a').href.includes('image=atlas');
        }).every(tile => tile.querySelector('.is-loaded'))"""
        self.page.wait_for_function(in_window)
        self.page.get_by_role("searchbox", name="Search images").fill("other")
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 440"))
        # What waited comes as soon as the source sends it.
        Session.source.gate.set()
        self.page.wait_for_function(in_window.replace("&& tile.querySelector('a').href.includes('image=atlas')", ""))

    def test_a_server_that_is_gone_is_told_of_and_asked_again(self):
        self.search()
        self.page.route("**/api/v1/images/events*", lambda route: route.abort())
        self.scroll_down_until("document.querySelector('#end h2') !== null")
        expect(self.page.get_by_role("heading", name="More images could not be loaded")).to_be_visible()
        self.page.unroute("**/api/v1/images/events*")
        before = self.listed()
        self.page.locator("#end").get_by_role("button", name="Try again").click()
        self.wait_until(lambda: self.listed() > before)

    def test_without_the_link_a_page_says_how_to_get_in(self):
        page = self.window(storage_state=None)
        response = page.goto(Session.gallery.origin + "/")
        self.assertIn(response.status, (200, 401, 403))
        expect(page.locator("body")).to_contain_text(re.compile("imgscript gallery"))


class OfflineTests(BrowserCase):
    def test_what_was_seen_before_is_there_with_the_network_gone(self):
        self.search("remembered", providers=("quay",))
        expect(self.page.locator("#status")).to_have_text(re.compile("of about 270"))
        self.page.wait_for_load_state("networkidle")
        self.page.close()
        offline = Gallery(Session.source, "--offline", home=Session.gallery.home)
        self.addCleanup(offline.close)
        page = self.window(storage_state=None)
        page.on("request", lambda request: self.remote.clear() if request.url.startswith(offline.origin) else None)
        page.goto(offline.link)
        asked = len(Session.source.requests)
        page.goto(f"{offline.origin}/?q=remembered&provider=quay")
        page.locator(".tile-image.is-loaded").nth(5).wait_for()
        expect(page.locator("#offline")).to_be_visible()
        self.assertEqual(len(Session.source.requests), asked, "the source is not asked")


class HostileTests(BrowserCase):
    def test_remote_text_is_only_ever_text(self):
        self.search(providers=("hostile",))
        expect(self.page.locator("#status")).to_have_text("33 images")
        self.page.wait_for_load_state("networkidle")
        for position in range(len(HOSTILE)):
            self.tile(position).locator(".tile-link").click()
            expect(self.page.locator(".stage-place")).to_have_text(re.compile(f"^{position + 1} of"))
            for form in ("HTML", "Markdown"):
                self.page.get_by_role("radio", name=form).check()
            for link in self.page.locator(".viewer-panel a").all():
                self.assertRegex(link.get_attribute("href"), r"^(https?://|/\?)")
            self.assertNotIn("\u202e", self.page.locator(".viewer-panel").inner_text(), "no text turns around what stands beside it")
            self.assert_no_sideways_scroll()
            self.page.keyboard.press("Escape")
            expect(self.page.get_by_role("dialog")).to_be_hidden()
        self.assertIsNone(self.page.evaluate("() => window.attacked ?? null"))
        self.assertEqual(self.page.locator(".grid script, .viewer script, .grid svg[onload], [onclick], [onmouseover]").count(), 0)
        expect(self.page.locator(".tile-title").filter(has_text="<script>").first).to_be_attached()

    def test_hostile_tags_filter_as_text(self):
        self.search(providers=("hostile",))
        chip = self.page.locator("#tag-strip button").filter(has_text="<script>")
        chip.click()
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^3 of"))
        self.page.reload()
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^3 of"))
        self.assertIsNone(self.page.evaluate("() => window.attacked ?? null"))

    def test_hostile_addresses_change_nothing(self):
        for address in (
            "/?q=<script>window.attacked=1</script>&provider=atlas", "/?q=x&provider=<img src=x onerror=window.attacked=1>",
            "/?collection=javascript:window.attacked=1", "/?q=x&provider=atlas&image=%22%3E%3Cscript%3Ewindow.attacked=1%3C/script%3E",
            "/?q=" + "A" * 4000 + "&provider=atlas",
        ):
            self.open(address)
            self.page.wait_for_load_state("networkidle")
            self.assertIsNone(self.page.evaluate("() => window.attacked ?? null"))
            self.assert_no_sideways_scroll()

    def test_the_policy_allows_no_inline_code(self):
        response = self.page.goto(Session.gallery.origin + "/")
        policy = response.headers["content-security-policy"]
        self.assertNotIn("unsafe", policy)
        self.assertIn("default-src 'none'", policy)
        self.assertEqual(response.headers["x-content-type-options"], "nosniff")
