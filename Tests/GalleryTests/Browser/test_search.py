"""Searching: results of several sources, long lists, filters, the address."""
import gzip
import re

from browser_case import BrowserCase, Session, expect


class SearchTests(BrowserCase):
    def test_three_sources_answer_one_search(self):
        self.open("/")
        # The server remembers which sources another test chose.
        self.page.evaluate("""async () => {
            const { send } = await import('/assets/api.js');
            await send('PUT', '/store/sources', { root: '/page', body: { providers: [], parameters: {} } });
        }""")
        self.page.reload()
        self.page.get_by_role("searchbox", name="Search images").fill("harbour")
        self.page.keyboard.press("Enter")
        self.page.locator(".tile-image.is-loaded").nth(10).wait_for()
        expect(self.page.locator("#status")).to_have_text(re.compile(r"of about 1,000 images"))
        sources = set()

        def are_all_seen():
            sources.update(ref.split("%3A")[0] for ref in self.refs().values())
            self.page.evaluate("() => scrollBy({ top: innerHeight / 2, behavior: 'instant' })")
            return sources == {"atlas", "meadow", "quay"}

        self.wait_until(are_all_seen)
        expect(self.page).to_have_url(re.compile("q=harbour"))
        expect(self.page).to_have_title("harbour – imgscript gallery")

    def test_thousand_images_come_once_each_without_a_gap(self):
        self.search()
        seen = self.scroll_to_end()
        self.assertEqual(sorted(seen), list(range(1000)), "every place is taken")
        self.assertEqual(len(set(seen.values())), 1000, "no image comes twice")
        expect(self.page.locator(".end-line")).to_have_text("End of results: 1,000 images")
        self.assertLess(self.page.locator(".tile").count(), 200, "only what is near the window is in the page")

    def test_nothing_moves_while_pictures_come(self):
        self.page.add_init_script(
            """window.shifts = [];
            // Placeholders make way for images; that is what they are for.
            const isShift = ({ node }) => node instanceof Element && !node.closest('#skeleton, #end');
            new PerformanceObserver(list => {
                for (const entry of list.getEntries()) {
                    const moved = entry.sources.filter(isShift).map(({ node }) => node.outerHTML.slice(0, 120));
                    if (moved.length) shifts.push(moved);
                }
            }).observe({ type: 'layout-shift', buffered: true });""")
        self.search()
        boxes = "tiles => tiles.map(tile => { const { x, y, width, height } = tile.getBoundingClientRect(); return [x, y, width, height]; })"
        before = self.page.locator(".tile").evaluate_all(boxes)
        self.page.wait_for_load_state("networkidle")
        self.assertEqual(self.page.locator(".tile").evaluate_all(boxes)[:len(before)], before)
        self.assertEqual(self.page.evaluate("() => window.shifts"), [])
        ratios = self.page.locator(".tile-image.is-loaded").evaluate_all(
            "images => images.map(image => image.clientWidth / image.clientHeight / (image.naturalWidth / image.naturalHeight))")
        self.assert_proportions(ratios)

    def test_places_have_their_colours_before_the_pictures_come(self):
        self.hold("**/api/v1/pictures/**")
        self.open("/?q=harbour&provider=atlas")
        self.tile(8).wait_for()
        shown = self.page.locator(".tile").evaluate_all("""tiles => tiles.map(tile => [
            tile.querySelector('a').href.split('image=')[1].split('%3A')[1], getComputedStyle(tile).backgroundColor,
            tile.clientWidth / tile.clientHeight])""")
        self.assertGreater(len(shown), 8)
        ratios = []
        for number, color, ratio in shown:
            item = Session.source.item("atlas", int(number))
            red, green, blue = (int(item["colors"][0][place:place + 2], 16) for place in (1, 3, 5))
            self.assertEqual(color, f"rgb({red}, {green}, {blue})")
            ratios.append(ratio / (item["media"][0]["width"] / item["media"][0]["height"]))
        self.assert_proportions(ratios)

    def test_images_without_sizes_are_placed_by_their_pictures(self):
        self.search(providers=("plain",))
        expect(self.page.locator("#status")).to_have_text("60 images")
        self.page.wait_for_load_state("networkidle")
        ratios = self.page.locator(".tile-image.is-loaded").evaluate_all(
            "images => images.map(image => image.clientWidth / image.clientHeight / (image.naturalWidth / image.naturalHeight))")
        self.assert_proportions(ratios)

    def test_a_tag_filters_what_is_shown(self):
        self.search()
        chip = self.page.locator("#tag-strip button").first
        tag = chip.get_attribute("data-tag")
        chip.click()
        expect(self.page.locator(f'#tag-strip button[data-tag="{tag}"]')).to_have_attribute("aria-pressed", "true")
        expect(self.page.locator("#status")).to_have_text(re.compile(r"\d+ of [\d,]+ images found"))
        expect(self.page).to_have_url(re.compile(f"tag={tag}"))
        numbers = [ref.split("%3A") for ref in list(self.refs().values())[:30]]
        for provider, number in numbers:
            self.assertIn(tag, Session.source.item(provider, int(number))["tags"])

    def test_tags_and_filters_stay_under_the_pointer_while_more_comes(self):
        self.search()
        self.page.get_by_role("button", name="Filters").click()
        self.listed()
        keep = """() => {
            window.nodes = [...document.querySelectorAll('#tag-strip li, #filters .check, #filters .color-check')];
            window.order = [...document.querySelectorAll('#tag-strip li')].map(node => node.dataset.key);
        }"""
        expect(self.page.locator("#tag-strip li").nth(5)).to_be_attached()
        self.page.evaluate(keep)
        before = self.page.locator("#tag-strip .amount").first.inner_text()
        self.scroll_down_until("document.querySelector('#tag-strip .amount').innerText !== argument", before)
        self.assertTrue(self.page.evaluate("() => nodes.every(node => node.isConnected)"), "a press that began on one ends on it")
        self.assertTrue(self.page.evaluate("() => order.every((key, place) => document.querySelectorAll('#tag-strip li')[place].dataset.key === key)"))

    def test_every_filter_narrows_and_clears(self):
        self.search()
        self.page.get_by_role("button", name="Filters").click()
        panel = self.page.locator("#filters")
        panel.get_by_role("checkbox", name="Portrait").check()
        self.page.wait_for_url("**orientation=portrait**")
        panel.get_by_role("checkbox", name=re.compile("4,000 pixels")).check()
        panel.get_by_role("checkbox", name=re.compile("^CC BY ?[0-9]")).check()
        panel.get_by_role("textbox", name="From").fill("2005")
        panel.get_by_role("textbox", name="To").fill("2020")
        panel.get_by_role("textbox", name="To").press("Enter")
        panel.get_by_role("checkbox", name=re.compile("Atlas of Light")).check()
        self.page.wait_for_url("**source=atlas**")
        for part in ("size=huge", "license=cc-by", "from=2005", "to=2020"):
            expect(self.page).to_have_url(re.compile(part))
        expect(self.page.locator("#filter-count")).to_have_text("5")
        for ref in self.refs().values():
            provider, number = ref.split("%3A")
            item = Session.source.item(provider, int(number))
            self.assertEqual(provider, "atlas")
            self.assertGreater(item["media"][0]["height"], item["media"][0]["width"])
            self.assertEqual(item["license"]["id"], "cc-by-4.0")
            self.assertTrue(2005 <= int(item["created"][:4]) <= 2020)
        panel.get_by_role("button", name="Clear").click()
        expect(self.page.locator("#filter-count")).to_be_empty()
        expect(self.page).not_to_have_url(re.compile("size="))

    def test_dates_filter_by_year_month_and_day(self):
        created = {number: Session.source.item("atlas", number)["created"] for number in range(400)}
        self.search(providers=("atlas",))
        self.page.get_by_role("button", name="Filters").click()
        start, end = self.page.get_by_role("textbox", name="From"), self.page.get_by_role("textbox", name="To")
        for first, last in (("2008", "2011-06"), ("2015-03", ""), ("2004-02-10", "2004-09-20")):
            start.fill(first)
            start.press("Enter")
            end.fill(last)
            end.press("Enter")
            self.page.wait_for_url(re.compile(f"from={first}" + (f"&to={last}$" if last else "$")))
            expected = {number for number, date in created.items() if first <= date[:len(first)] and (not last or date[:len(last)] <= last)}
            expect(self.page.locator("#status")).to_have_text(re.compile(" of "))
            shown = {int(ref.split("%3A")[1]) for ref in self.scroll_to_end().values()}
            self.assertEqual(shown, expected)
            self.page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        start.fill("some day")
        start.press("Enter")
        self.page.wait_for_url(re.compile("^(?!.*from=)"))
        expect(self.page.get_by_role("alert")).to_contain_text("“some day” is not a date")
        for first, last, problem in (("2010", "2004", "2010 is after 2004."), ("2010-13", "", "“2010-13” has no such month.")):
            start.fill(first)
            end.fill(last)
            end.press("Enter")
            expect(self.page.locator("#date-problem")).to_have_text(problem)

    def test_a_colour_filters(self):
        self.search()
        self.page.get_by_role("button", name="Filters").click()
        swatch = self.page.locator(".color-check:not(.is-empty) input").first
        name = swatch.input_value()
        swatch.check()
        self.page.wait_for_url(f"**color={name}**")
        expect(self.page.locator("#status")).to_have_text(re.compile("images found"))

    def test_less_than_sixty_kilobytes_of_page_come_before_the_first_picture(self):
        answers = []
        self.page.on("response", lambda response: answers.append(response) if "/assets/" in response.url else None)
        held = self.hold("**/api/v1/pictures/**")
        self.open("/?q=harbour&provider=atlas")
        self.wait_until(lambda: held)
        self.assertLess(sum(len(gzip.compress(answer.body())) for answer in answers), 60_000)

    def test_a_search_without_results_says_so(self):
        self.open("/?q=nothing&provider=atlas")
        expect(self.page.get_by_role("heading", name="No images found")).to_be_visible()

    def test_parameters_of_a_provider_reach_it(self):
        self.search(providers=("atlas",))
        self.page.locator("#sources-button").click()
        row = self.page.locator(".source").filter(has_text="Atlas of Light")
        row.get_by_text("Options").click()
        row.get_by_label("Order").select_option("latest")
        row.get_by_label("Min width").fill("640")
        row.get_by_label("Photograph").check()
        self.page.get_by_role("button", name="Use 1 source").click()
        self.page.wait_for_url("**param.atlas.order=latest**")
        self.page.locator(".tile-image.is-loaded").nth(2).wait_for()
        asked = [path for path in Session.source.requests if "order=latest" in path]
        self.assertTrue(asked, "the source was asked with the parameters")
        self.assertIn("min_width=640", asked[-1])
        self.assertIn("kinds=photograph", asked[-1])


class AddressTests(BrowserCase):
    def test_going_back_returns_to_the_search_before_at_its_place(self):
        self.search("first")
        self.listed()
        self.page.evaluate("() => scrollTo({ top: 2500, behavior: 'instant' })")
        self.wait_until(lambda: self.place() > 20)
        field = self.page.get_by_role("searchbox", name="Search images")
        field.fill("second")
        field.press("Enter")
        self.page.wait_for_url("**q=second**")
        expect(self.tile(0)).to_be_in_viewport()
        self.page.go_back()
        self.page.wait_for_url("**q=first**")
        expect(field).to_have_value("first")
        self.wait_until(lambda: abs(self.page.evaluate("() => scrollY") - 2500) < 2)
        self.page.go_forward()
        self.page.wait_for_url("**q=second**")

    def place(self):
        return self.page.evaluate("() => history.state?.anchor?.position ?? 0")

    def test_a_reload_shows_the_same_place(self):
        self.search()
        self.listed()
        self.page.evaluate("() => scrollTo({ top: 3000, behavior: 'instant' })")
        self.wait_until(lambda: self.place() > 20)
        ref = self.page.evaluate("() => history.state.anchor.ref")
        self.page.reload()
        expect(self.page.locator(f'.tile-link[href$="{ref.replace(":", "%3A")}"]')).to_be_in_viewport()
        expect(self.page.get_by_role("searchbox", name="Search images")).to_have_value("harbour")

    def test_a_link_to_an_image_opens_it(self):
        self.open("/?q=harbour&provider=atlas&provider=meadow&image=meadow%3A7")
        title = Session.source.item("meadow", 7)["title"]
        expect(self.page.get_by_role("heading", name=title, level=2)).to_be_visible()
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog.viewer")).to_be_hidden()
        expect(self.page).not_to_have_url(re.compile("image="))

    def test_an_image_that_is_not_listed_is_asked_for_by_itself_and_waited_for(self):
        held = self.hold("**/api/v1/details*")
        self.open("/?q=harbour&provider=atlas&image=quay%3A200")
        expect(self.page.get_by_role("dialog").get_by_role("heading", name="Loading…")).to_be_visible()
        self.let_on(held)
        expect(self.page.get_by_role("heading", name=Session.source.item("quay", 200)["title"], level=2)).to_be_visible()

    def test_filters_are_part_of_the_address(self):
        self.search(more="&orientation=portrait&tag=night")
        expect(self.page.locator("#filter-count")).to_have_text("2")
        for ref in self.refs().values():
            provider, number = ref.split("%3A")
            self.assertIn("night", Session.source.item(provider, int(number))["tags"])

    def test_searches_are_kept_and_can_be_removed(self):
        self.search("kept")
        self.page.get_by_role("button", name="Save this search").click()
        self.page.get_by_role("dialog", name="Saved search").wait_for()
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("button", name="Saved search")).to_have_attribute("aria-pressed", "true")
        self.page.locator("#home-link").click()
        saved = self.page.get_by_role("region", name="Saved searches")
        expect(saved.get_by_role("link", name="kept")).to_be_visible()
        expect(self.page.get_by_role("region", name="Recent searches").get_by_role("link", name="kept")).to_be_visible()
        saved.get_by_role("button", name="Remove kept").click()
        expect(saved).to_have_count(0)
        self.page.get_by_role("region", name="Recent searches").get_by_role("link", name="kept").click()
        self.page.wait_for_url("**q=kept**")

    def test_feeds_and_collections_are_starting_points(self):
        self.open("/")
        self.page.get_by_role("region", name="Feeds").get_by_role("link", name=re.compile("Quay Archive")).click()
        self.page.wait_for_url("**feed=true**")
        self.page.locator(".tile-image.is-loaded").first.wait_for()
        expect(self.page.get_by_role("heading", name="Images from Quay Archive")).to_be_visible()
        self.page.locator("#home-link").click()
        self.page.get_by_label("Source of the collection").select_option("meadow")
        self.page.get_by_label("Name or id of the collection").fill("spring")
        self.page.get_by_role("button", name="Open").click()
        self.page.wait_for_url("**collection=meadow%3Aspring**")
        self.page.locator(".tile-image.is-loaded").first.wait_for()
