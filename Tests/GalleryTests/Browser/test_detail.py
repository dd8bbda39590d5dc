"""Looking at one image: by keyboard alone, by pointer, with everything that is known of it."""
import re

from browser_case import BrowserCase, Session, expect


class KeyboardTests(BrowserCase):
    def test_an_image_is_found_looked_at_and_left_by_keyboard_alone(self):
        keyboard = self.page.keyboard
        self.open("/")
        field = self.page.get_by_role("searchbox", name="Search images")
        expect(field).to_be_focused()
        keyboard.type("harbour")
        keyboard.press("Enter")
        self.page.locator(".tile-image.is-loaded").nth(5).wait_for()
        self.press_until("Tab", ".tile-link")
        expect(self.tile(0).locator(".tile-link")).to_be_focused()
        keyboard.press("ArrowRight")
        keyboard.press("ArrowRight")
        expect(self.tile(2).locator(".tile-link")).to_be_focused()
        keyboard.press("ArrowDown")
        self.assertGreater(self.focused_position(), 2)
        keyboard.press("ArrowUp")
        self.assertLess(self.focused_position(), 5)
        keyboard.press("Home")
        keyboard.press("Enter")
        viewer = self.page.get_by_role("dialog")
        expect(viewer).to_be_visible()
        first = self.title()
        keyboard.press("ArrowRight")
        expect(self.page.locator("#viewer-title")).not_to_have_text(first)
        expect(self.page.locator(".stage-place")).to_have_text(re.compile("^2 of "))
        keyboard.press("ArrowLeft")
        expect(self.page.locator("#viewer-title")).to_have_text(first)
        keyboard.press("+")
        expect(self.page.locator(".stage")).to_have_class(re.compile("is-zoomed"))
        keyboard.press("0")
        expect(self.page.locator(".stage")).not_to_have_class(re.compile("is-zoomed"))
        keyboard.press("s")
        expect(viewer.get_by_role("button", name="Selected")).to_have_attribute("aria-pressed", "true")
        self.press_until("Tab", ".credit-bar button")
        keyboard.press("Escape")
        expect(viewer).to_be_hidden()
        expect(self.tile(0).locator(".tile-link")).to_be_focused()
        expect(self.tile(0)).to_have_attribute("aria-selected", "true")
        keyboard.press("/")
        expect(field).to_be_focused()

    def test_keys_select(self):
        self.search()
        number = self.listed()
        self.press_until("Tab", ".tile-link")
        self.page.keyboard.press("Space")
        expect(self.tile(0)).to_have_attribute("aria-selected", "true")
        self.page.keyboard.press("Shift+ArrowRight")
        self.page.keyboard.press("Shift+ArrowRight")
        expect(self.page.locator("#selection-count")).to_have_text("3 selected")
        self.page.keyboard.press("Control+a")
        expect(self.page.locator("#selection-count")).to_have_text(f"{number} selected")
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#selection-bar")).to_be_hidden()

    def test_the_end_key_walks_to_what_is_there(self):
        self.search()
        self.listed()
        self.press_until("Tab", ".tile-link")
        self.page.keyboard.press("PageDown")
        below = self.focused_position()
        self.assertGreater(below, 3)
        self.page.keyboard.press("End")
        self.assertGreater(self.focused_position(), below)
        self.page.keyboard.press("Home")
        self.assertEqual(self.focused_position(), 0)

    def title(self):
        return self.page.locator("#viewer-title").inner_text()

    def focused_position(self):
        return self.page.evaluate("() => Number(document.activeElement.closest('.tile').dataset.position)")

    def press_until(self, key, selector):
        for _ in range(60):
            self.page.keyboard.press(key)
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        self.fail(f"{key} never reached {selector}")


class DetailTests(BrowserCase):
    options = {"permissions": ["clipboard-read", "clipboard-write"]}

    def open_image(self, number=7):
        self.search(providers=("atlas",))
        self.page.locator(f'.tile-link[href$="atlas%3A{number}"]').click()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        return Session.source.item("atlas", number)

    def test_everything_that_is_known_is_shown(self):
        item = self.open_image()
        panel = self.page.locator(".viewer-panel")
        for text in (item["title"], item["author"]["name"], item["license"]["name"], "Porto, Portugal", "Fuji X-T5", "XF 23mm", "ISO 400"):
            expect(panel).to_contain_text(text)
        for tag in item["tags"]:
            expect(panel.locator(".chip", has_text=tag).first).to_be_visible()
        expect(panel.get_by_role("link", name=re.compile("View on"))).to_have_attribute("href", item["page"])
        expect(self.page.locator('.stage-image[data-size="preview"].is-loaded')).to_be_visible()

    def test_details_of_the_source_join_what_the_listing_said(self):
        self.open_image()
        expect(self.page.locator(".viewer-panel")).to_contain_text("All that is known.")

    def test_the_credit_is_copied_as_text_html_and_markdown(self):
        item = self.open_image()
        for form, mark in (("Text", item["title"]), ("HTML", "<a href="), ("Markdown", "](")):
            self.page.get_by_role("radio", name=form).check()
            shown = self.page.locator("#credit-text").inner_text()
            self.assertIn(mark, shown)
            self.page.get_by_role("button", name="Copy credit").click()
            expect(self.page.locator(".toast")).to_have_text("Credit copied")
            # The toast may still be that of the form before.
            self.wait_until(lambda: self.page.evaluate("() => navigator.clipboard.readText()") == shown)

    def test_sharing_copies_the_link_where_the_browser_cannot_share(self):
        item = self.open_image()
        self.page.evaluate("() => Object.defineProperty(navigator, 'share', { value: undefined })")
        self.page.get_by_role("button", name="Share").click()
        expect(self.page.locator(".toast")).to_have_text("Link to the source copied")
        self.assertEqual(self.page.evaluate("() => navigator.clipboard.readText()"), item["page"])

    def test_one_image_is_saved(self):
        item = self.open_image()
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Save image").click()
        self.assertRegex(download.value.suggested_filename, r"^atlas-7-[\w-]+\.png$")
        with open(download.value.path(), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        self.assertEqual(item["media"][0]["role"], "original")

    def test_a_picture_stands_on_its_own_paper_and_fills_the_stage(self):
        item = self.open_image()
        self.page.locator('.stage-image[data-size="preview"].is-loaded').wait_for()
        stage, picture = (self.page.locator(name).last.bounding_box() for name in (".stage", ".stage-image"))
        ratio = item["media"][0]["width"] / item["media"][0]["height"]
        self.assertAlmostEqual(picture["width"] / picture["height"] / ratio, 1, delta=0.02)
        self.assertTrue(abs(picture["width"] - stage["width"]) < 1 or abs(picture["height"] - stage["height"]) < 1)
        for side, size in (("x", "width"), ("y", "height")):
            self.assertAlmostEqual(picture[side] + picture[size] / 2, stage[side] + stage[size] / 2, delta=1)

    def test_a_small_picture_is_enlarged_by_zoom_alone(self):
        item = self.open_image(0)
        width = item["media"][0]["width"]
        self.page.locator('.stage-image[data-size="preview"].is-loaded').wait_for()
        self.assertAlmostEqual(self.page.locator(".stage-image").last.bounding_box()["width"], width, delta=1)
        self.page.keyboard.press("+")
        self.wait_until(lambda: self.page.locator(".stage-image").last.bounding_box()["width"] > width * 1.5)
        expect(self.page.locator(".stage-level")).to_have_text("160 %")

    def test_proportions_and_colour_are_there_before_the_picture(self):
        self.search(providers=("atlas",))
        self.hold("**/api/v1/pictures/**")
        self.page.locator('.tile-link[href$="atlas%3A7"]').click()
        paper = self.page.locator(".stage-paper").bounding_box()
        media = Session.source.item("atlas", 7)["media"][0]
        self.assertAlmostEqual(paper["width"] / paper["height"], media["width"] / media["height"], delta=0.02)

    def test_the_form_of_the_credit_is_remembered(self):
        self.open_image()
        # The server remembers what another test chose.
        chosen = "HTML" if self.page.get_by_role("radio", name="Markdown").is_checked() else "Markdown"
        with self.page.expect_response("**/page/store/settings"):
            self.page.get_by_role("radio", name=chosen).check()
        self.page.reload()
        expect(self.page.get_by_role("radio", name=chosen)).to_be_checked()

    def test_wheel_zooms_drag_pans_and_double_click_resets(self):
        self.open_image()
        stage = self.page.locator(".stage")
        self.page.locator('.stage-image[data-size="preview"].is-loaded').wait_for()
        box = stage.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*middle)
        self.page.mouse.wheel(0, -600)
        expect(stage).to_have_class(re.compile("is-zoomed"))
        expect(self.page.locator('.stage-image[data-size="full"].is-loaded')).to_be_visible()
        before = self.page.locator(".stage-picture").evaluate("node => node.style.transform")
        self.page.mouse.down()
        self.page.mouse.move(middle[0] + 80, middle[1] + 40, steps=4)
        self.page.mouse.up()
        self.wait_until(lambda: self.page.locator(".stage-picture").evaluate("node => node.style.transform") != before)
        self.page.mouse.dblclick(*middle)
        expect(stage).not_to_have_class(re.compile("is-zoomed"))

    def test_more_by_the_author_opens_the_collection(self):
        self.open_image()
        self.page.get_by_role("link", name=re.compile("^More by")).click()
        self.page.wait_for_url("**collection=atlas%3Aby-**")
        self.page.locator(".tile-image.is-loaded").first.wait_for()

    def test_a_tag_of_the_image_filters(self):
        item = self.open_image()
        self.page.locator(".viewer-panel .chip").first.click()
        self.page.wait_for_url(f"**tag={sorted(item['tags'])[0]}**")
        expect(self.page.get_by_role("dialog")).to_be_hidden()

    def test_full_screen_and_back(self):
        self.open_image()
        self.page.get_by_role("button", name="Full screen").click()
        self.page.locator(".stage-column:fullscreen").wait_for()
        self.page.keyboard.press("f")
        expect(self.page.locator(".stage-column:fullscreen")).to_have_count(0)

    def test_closing_an_image_leaves_the_page_where_it_is(self):
        self.search(providers=("atlas", "meadow", "quay"))
        self.listed()
        self.page.evaluate("() => scrollTo({ top: 1500, behavior: 'instant' })")
        self.page.wait_for_load_state("networkidle")
        href = self.page.locator(".tile-link").nth(20).get_attribute("href")
        self.page.locator(f'.tile-link[href="{href}"]').click()
        expect(self.page.get_by_role("dialog")).to_be_visible()
        asked = len(Session.source.requests)
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_be_hidden()
        expect(self.page.locator(f'.tile-link[href="{href}"]')).to_be_focused()
        expect(self.page.locator(f'.tile-link[href="{href}"]')).to_be_in_viewport()
        self.page.wait_for_load_state("networkidle")
        listings = [path for path in Session.source.requests[asked:] if path.startswith("/api/atlas?")]
        self.assertEqual(listings, [], "nothing more is loaded by it")

    def test_back_closes_the_image(self):
        self.open_image()
        self.page.keyboard.press("ArrowRight")
        self.page.wait_for_url(lambda url: "atlas%3A7" not in url and "image=" in url)
        self.page.go_back()
        expect(self.page.get_by_role("dialog")).to_be_hidden()
        expect(self.page).not_to_have_url(re.compile("image="))


class SwipeTests(BrowserCase):
    viewport = {"width": 390, "height": 844}
    options = {"has_touch": True, "is_mobile": True}

    def test_a_swipe_shows_the_next_image(self):
        self.search(providers=("atlas",))
        self.tile(0).locator(".tile-link").tap()
        expect(self.page.locator(".stage-place")).to_have_text(re.compile("^1 of "))
        self.swipe(300, 60)
        expect(self.page.locator(".stage-place")).to_have_text(re.compile("^2 of "))
        self.swipe(60, 300)
        expect(self.page.locator(".stage-place")).to_have_text(re.compile("^1 of "))

    def test_two_fingers_zoom(self):
        self.search(providers=("atlas",))
        self.tile(0).locator(".tile-link").tap()
        self.page.locator('.stage-image[data-size="preview"].is-loaded').wait_for()
        session = self.page.context.new_cdp_session(self.page)
        for away in (30, 60, 90, 120):
            session.send("Input.dispatchTouchEvent", {
                "type": "touchStart" if away == 30 else "touchMove",
                "touchPoints": [{"x": 195 - away, "y": 300, "id": 0}, {"x": 195 + away, "y": 300, "id": 1}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(self.page.locator(".stage")).to_have_class(re.compile("is-zoomed"))
        expect(self.page.locator(".stage-place")).to_have_text(re.compile("^1 of "))

    def swipe(self, start, end):
        session = self.page.context.new_cdp_session(self.page)
        points = [start + (end - start) * step / 6 for step in range(7)]
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": points[0], "y": 300}]})
        for x in points[1:]:
            session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": 300}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
