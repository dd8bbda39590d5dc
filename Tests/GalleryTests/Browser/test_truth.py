"""The page says what is so: of its server, of what is downloaded, of who is waited for, of what failed."""
import os
import re

from browser_case import BrowserCase, Session, expect
from gallery import Gallery


class ServerTests(BrowserCase):
    """A gallery of its own, which ends while its page is open."""

    def begin(self, *options, home=None):
        gallery = Gallery(Session.source, "-p", "atlas", *options, home=home)
        self.addCleanup(gallery.close)
        return gallery

    def enter(self, gallery):
        page = self.window(storage_state=None)
        # This server is another origin than the one of the other tests.
        page.on("request", lambda request: self.remote.clear() if request.url.startswith(gallery.origin) else None)
        page.goto(gallery.link)
        return page

    def test_a_server_that_is_gone_is_told_of_and_the_page_goes_on_when_it_is_back(self):
        gallery = self.begin()
        page = self.enter(gallery)
        page.goto(f"{gallery.origin}/?q=harbour")
        page.locator(".tile-image.is-loaded").nth(2).wait_for()
        gallery.stop()
        # A part of the page that is not there yet cannot come any more.
        page.get_by_role("button", name="Filters").click()
        state = page.get_by_role("alert")
        expect(state).to_contain_text("server is gone")
        expect(state).to_contain_text("imgscript gallery")
        expect(page.locator("#status")).not_to_have_text("0 images")
        port = gallery.origin.rsplit(":", 1)[1]
        again = self.begin("--port", port, home=gallery.home)
        self.assertEqual(again.origin, gallery.origin)
        state.get_by_role("button", name="Try again").click()
        # Another port than the one that was asked for is another gallery: its page says how to get in.
        expect(state).to_contain_text("not signed in")
        self.window_of(page).goto(again.link)
        expect(state).to_be_hidden()
        page.locator(".tile-image.is-loaded").nth(2).wait_for()

    def window_of(self, page):
        return page.context.new_page()

    def test_a_search_of_a_server_that_is_gone_has_failed(self):
        gallery = self.begin()
        page = self.enter(gallery)
        expect(page.get_by_role("heading", name="Find images")).to_be_visible()
        page.get_by_role("region", name="Feeds").wait_for()
        gallery.stop()
        page.get_by_role("searchbox", name="Search images").fill("harbour")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("server is gone")
        expect(page.locator("#status")).to_have_text("")

    def test_a_running_gallery_gives_another_link(self):
        gallery = self.begin()
        self.enter(gallery)
        link = gallery.another_link()
        self.assertTrue(link.startswith(gallery.origin), link)
        page = self.window(storage_state=None)
        page.on("request", lambda request: self.remote.clear() if request.url.startswith(gallery.origin) else None)
        page.goto(link)
        expect(page.get_by_role("heading", name="Find images")).to_be_visible()

    def test_a_page_that_is_signed_out_is_a_page(self):
        page = self.window(storage_state=None)
        self.assertEqual(page.goto(Session.gallery.origin + "/").status, 401)
        expect(page.get_by_role("heading", name="This browser is not signed in")).to_be_visible()
        expect(page.locator("code")).to_have_text("imgscript gallery")
        self.assertNotEqual(page.evaluate("() => getComputedStyle(document.querySelector('main')).display"), "block", "with its style")

    def test_what_people_keep_outlasts_the_port(self):
        gallery = self.begin()
        page = self.enter(gallery)
        page.goto(f"{gallery.origin}/?q=kept&tag=night")
        page.locator(".tile-image.is-loaded").first.wait_for()
        page.get_by_role("button", name="Save this search").click()
        with page.expect_response("**/page/store/saved"):
            page.get_by_label("Mark images that are new next time").check()
        page.keyboard.press("Escape")
        gallery.stop()
        again = self.begin(home=gallery.home)
        self.assertNotEqual(again.origin, gallery.origin)
        page = self.enter(again)
        link = page.get_by_role("region", name="Saved searches").get_by_role("link", name="kept")
        expect(link).to_have_attribute("href", "/?q=kept&tag=night")
        expect(link).to_contain_text("marks new")
        expect(page.get_by_role("region", name="Recent searches").get_by_role("link", name="kept")).to_be_visible()


class WaitingTests(BrowserCase):
    def setUp(self):
        super().setUp()
        Session.source.gate.clear()
        self.addCleanup(Session.source.gate.set)

    def test_a_slow_source_holds_up_nobody_is_named_and_can_be_left_out(self):
        self.open("/?q=waiting&provider=atlas&provider=slow")
        self.tile(8).wait_for()
        awaited = self.page.locator("#awaited")
        expect(awaited).to_contain_text("Waiting for Slow Source")
        # The next parts of the others come meanwhile.
        self.scroll_down_until("Number(document.querySelector('#status').innerText.split(' ')[0]) > 60")
        awaited.get_by_role("button", name="Leave out").click()
        expect(awaited).to_be_empty()
        notice = self.open_notices().locator('.notice[data-provider="slow"]')
        expect(notice).to_contain_text("Slow Source was left out.")
        Session.source.gate.set()
        notice.get_by_role("button", name="Try again").click()
        self.page.keyboard.press("Escape")
        self.scroll_down_until("[...document.querySelectorAll('.tile-link')].some(link => link.href.includes('image=slow'))")

    def test_images_without_sizes_keep_the_order_of_their_source(self):
        # Every third picture does not come: its place has a default shape.
        self.open("/?q=order&provider=uneven")
        self.tile(11).wait_for()
        refs = self.refs()
        self.assertEqual([refs[position] for position in range(12)], [f"uneven%3A{number}" for number in range(12)])


class FacetTests(BrowserCase):
    def amount(self, name):
        return self.page.locator("#filters .check").filter(has_text=name).locator(".amount")

    def test_counts_take_the_other_filters_into_account(self):
        self.search(more="&orientation=portrait")
        expect(self.page.locator("#filters")).to_be_visible()
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^\d+ of \d+ images found"))
        self.page.wait_for_load_state("networkidle")
        entries = self.page.evaluate("() => Number(document.querySelector('#status').innerText.split(' of ')[1].split(' ')[0])")
        shown = self.page.evaluate("() => Number(document.querySelector('#status').innerText.split(' ')[0])")
        of_sources = [int(self.amount(name).inner_text()) for name in ("Atlas of Light", "Meadow Commons", "Quay Archive")]
        self.assertEqual(sum(of_sources), shown, "sources count what is portrait")
        of_shapes = [int(self.amount(name).inner_text()) for name in ("Landscape", "Portrait", "Square")]
        self.assertEqual(sum(of_shapes), entries, "shapes count what each of them would show")

    def test_colours_that_were_seen_are_offered(self):
        self.search("colours", providers=("plain",))
        self.page.get_by_role("button", name="Filters").click()
        swatch = self.page.locator(".color-check:not(.is-empty) input").first
        swatch.check()
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^[1-9]\d* of \d+ images found"))

    def test_a_filter_without_anything_to_choose_is_not_offered(self):
        self.hold("**/api/v1/pictures/**")
        self.open("/?q=blank&provider=atlas")
        self.tile(3).wait_for()
        self.page.get_by_role("button", name="Filters").click()
        expect(self.page.locator(".filter-group legend", has_text="Orientation")).to_be_visible()
        for name in ("Kind", "AI"):
            expect(self.page.locator(".filter-group legend", has_text=re.compile(f"^{name}$"))).to_be_hidden()

    def test_kinds_are_told_apart(self):
        self.search(providers=("moving",))
        self.page.get_by_role("button", name="Filters").click()
        self.page.get_by_role("checkbox", name="Animations").check()
        expect(self.page.locator("#status")).to_have_text("4 of 12 images found")


class TitleTests(BrowserCase):
    def test_a_collection_is_called_by_its_author(self):
        self.search(providers=("atlas",))
        self.page.locator('.tile-link[href$="atlas%3A7"]').click()
        author = Session.source.item("atlas", 7)["author"]["name"]
        self.page.get_by_role("link", name=re.compile("^More by")).click()
        expect(self.page).to_have_title(f"{author} – Atlas of Light – imgscript gallery")
        expect(self.page.get_by_role("heading", name=f"{author} – Atlas of Light")).to_be_visible()

    def test_a_tab_is_called_by_the_name_of_its_source(self):
        self.open("/?feed=true&provider=quay")
        expect(self.page).to_have_title("Images from Quay Archive – imgscript gallery")


class PictureTests(BrowserCase):
    def test_a_picture_that_does_not_come_says_why_and_is_asked_for_again(self):
        self.addCleanup(setattr, Session.source, "has_all", False)
        self.open("/?q=lost&provider=gone")
        tile = self.tile(0)
        expect(tile).to_contain_text(re.compile("410|gone", re.I))
        Session.source.has_all = True
        tile.get_by_text("Try again").click()
        tile.locator(".tile-image.is-loaded").wait_for()


class KindTests(BrowserCase):
    def test_animations_are_downloaded_and_collections_that_are_left_out_are_named(self):
        self.search(providers=("moving",))
        expect(self.page.locator("#status")).to_have_text("12 images")
        before = set(Session.gallery.files())
        self.page.keyboard.press("Control+a")
        expect(self.page.locator("#selection-count")).to_have_text("12 selected")
        self.page.get_by_role("button", name="Download").click()
        panel = self.page.get_by_role("region", name="Downloads")
        expect(panel).to_contain_text("8 images saved")
        expect(panel).to_contain_text("4 collections left out")
        self.assertEqual(len(set(Session.gallery.files()) - before), 8)

    def test_a_download_is_there_after_a_reload_and_can_be_begun_again(self):
        Session.source.gate.clear()
        self.addCleanup(Session.source.gate.set)
        self.search("reload", providers=("held",))
        self.page.locator(".tile-link").first.focus()
        self.page.keyboard.press("Space")
        self.page.get_by_role("button", name="Download").click()
        panel = self.page.get_by_role("region", name="Downloads")
        expect(panel.get_by_role("progressbar", name="Download progress")).to_be_visible()
        self.page.reload()
        panel.get_by_role("button", name="Cancel").click()
        expect(panel).to_contain_text("Download cancelled")
        Session.source.gate.set()
        panel.get_by_role("button", name="Download again").click()
        expect(panel).to_contain_text("1 image saved")

    def test_what_a_filter_hides_of_a_selection_is_told(self):
        self.search()
        number = self.listed()
        self.page.keyboard.press("Control+a")
        expect(self.page.locator("#selection-count")).to_have_text(f"{number} selected")
        self.page.locator("#tag-strip button").first.click()
        expect(self.page.locator("#selection-count")).to_have_text(re.compile(rf"^{number} selected, \d+ hidden by filters$"))
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#selection-bar")).to_be_hidden()

    def test_shift_shrinks_a_range(self):
        self.search()
        self.tile(2).locator(".tile-link").click(modifiers=["Control"])
        for last, number in ((8, 7), (4, 3), (1, 2)):
            self.tile(last).locator(".tile-link").click(modifiers=["Shift"])
            expect(self.page.locator("#selection-count")).to_have_text(f"{number} selected")


class EnvironmentTests(BrowserCase):
    def test_a_key_of_the_environment_says_so(self):
        gallery = Gallery(Session.source, "-p", "locked", environment={"IMGSCRIPT_LOCKED_KEY": "not the key"})
        self.addCleanup(gallery.close)
        page = self.window(storage_state=None)
        page.on("request", lambda request: self.remote.clear() if request.url.startswith(gallery.origin) else None)
        page.goto(gallery.link)
        page.goto(f"{gallery.origin}/?q=harbour")
        expect(page.locator("#notices > summary")).to_have_text("Locked Vault refused the key")
        expect(self.open_notices(page)).to_contain_text("set by the environment")
        page.locator("#sources-button").click()
        expect(page.locator(".source").filter(has_text="Locked Vault")).to_contain_text("Key of the environment")


class StartTests(BrowserCase):
    def test_the_head_is_there_before_the_sources_are_known(self):
        self.hold("**/api/v1/providers")
        self.open("/")
        expect(self.page.get_by_role("heading", name="Find images")).to_be_visible()
        expect(self.page.get_by_role("link", name="lighthouse")).to_be_visible()
        expect(self.page.get_by_role("searchbox", name="Search images")).to_be_focused()

    def test_pictures_of_the_day_open_and_can_be_put_away(self):
        self.open("/")
        section = self.page.get_by_role("region", name="Pictures of the day")
        section.get_by_role("link").nth(3).wait_for()
        with self.page.expect_response("**/page/store/settings"):
            section.get_by_role("button", name="Hide pictures on this page").click()
        expect(section.get_by_role("link")).to_have_count(0)
        self.page.reload()
        with self.page.expect_response("**/page/store/settings"):
            section.get_by_role("button", name="Show pictures on this page").click()
        section.get_by_role("link").first.click()
        expect(self.page.get_by_role("dialog")).to_be_visible()

    def test_everything_stands_on_one_line(self):
        self.open("/")
        self.page.get_by_role("region", name="Feeds").wait_for()
        lefts = self.page.locator(".brand, .hero h1, .search-form, #start .chips, #start h2").evaluate_all(
            "nodes => nodes.map(node => Math.round(node.getBoundingClientRect().left))")
        self.assertEqual(len(set(lefts)), 1, lefts)
        title, field = (self.page.locator(name).bounding_box() for name in (".hero h1", ".search-form"))
        self.assertGreater(field["y"], title["y"] + title["height"])
        self.search()
        self.assertLess(self.page.locator(".search-form").bounding_box()["y"], 30, "at the top after the first search")

    def test_sources_are_grouped_by_kind_and_those_for_adults_are_a_setting(self):
        self.open("/")
        feeds = self.page.get_by_role("region", name="Feeds")
        expect(feeds.get_by_role("heading", level=3)).to_have_text(
            ["Museums, libraries and archives", "Photographs", "Science and space", "Your own"])
        expect(feeds).not_to_contain_text("Held Pictures")
        self.page.locator("#sources-button").click()
        museums = self.page.get_by_role("region", name="Museums, libraries and archives")
        expect(museums.locator(".source-name")).to_have_text(["Plain Museum", re.compile("^Quay Archive")])
        boards = self.page.get_by_role("region", name="Boards")
        expect(boards).to_have_count(0)
        box = self.page.get_by_label("List sources for adults")
        with self.page.expect_response("**/page/store/settings"):
            box.check()
        expect(boards).to_contain_text("Held Pictures")
        expect(feeds).to_contain_text("Held Pictures")
        with self.page.expect_response("**/page/store/settings"):
            box.uncheck()

    def test_the_choice_of_sources_is_kept(self):
        self.addCleanup(self.choose, "Default")
        self.choose("None", "Quay Archive")
        self.open("/")
        expect(self.page.locator("#sources-text")).to_have_text("Quay Archive")
        self.page.get_by_role("searchbox", name="Search images").fill("chosen")
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**provider=quay**")

    def choose(self, *names):
        page = self.open("/", self.window())
        page.locator("#sources-button").click()
        page.get_by_role("region", name="Your own").wait_for()
        page.get_by_role("button", name=names[0]).click()
        for name in names[1:]:
            page.locator(".source").filter(has_text=name).get_by_role("checkbox").first.check()
        with page.expect_response("**/page/store/sources"):
            page.get_by_role("button", name=re.compile("^Use ")).click()


class StripTests(BrowserCase):
    def test_the_tags_are_one_stop_with_arrows(self):
        self.search()
        chips = self.page.locator("#tag-strip button")
        expect(chips.nth(5)).to_be_attached()
        self.assertEqual(self.page.locator('#tag-strip button[tabindex="0"]').count(), 1)
        chips.first.focus()
        self.page.keyboard.press("ArrowRight")
        expect(chips.nth(1)).to_be_focused()
        self.page.keyboard.press("End")
        expect(chips.last).to_be_focused()
        self.assertEqual(self.page.locator('#tag-strip button[tabindex="0"]').count(), 1)

    def test_the_wheel_and_buttons_scroll_the_tags(self):
        page = self.window(viewport={"width": 700, "height": 700})
        self.search(page=page)
        page.locator("#tags-forth").click()
        page.wait_for_function("() => document.querySelector('#tag-strip').scrollLeft > 50")
        expect(page.locator("#tags-back")).to_be_visible()
        page.locator("#tag-strip").hover()
        page.mouse.wheel(0, -2000)
        page.wait_for_function("() => document.querySelector('#tag-strip').scrollLeft === 0")


class FormTests(BrowserCase):
    FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Sources", "Gallery", "Page")

    def test_no_line_of_the_page_is_long(self):
        for name in sorted(os.listdir(self.FOLDER)):
            if name.endswith(".svg"):
                continue
            with open(os.path.join(self.FOLDER, name)) as file:
                for number, line in enumerate(file, 1):
                    self.assertLessEqual(len(line.rstrip("\n")), 120, f"{name}:{number}")
                    self.assertTrue(not name.endswith(".css") or line.count("{") <= 2, f"{name}:{number}: a rule a line")
