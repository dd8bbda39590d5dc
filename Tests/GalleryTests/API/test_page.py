"""The files of the gallery's page are HTML and CSS as their standards have them: no parser has to mend anything."""
import unittest
from pathlib import Path

import html5lib
import tinycss2

PAGE = Path(__file__).resolve().parents[3] / "Sources/Gallery/Page"
REFERENCES = ("for", "list", "popovertarget", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns",
              "aria-activedescendant", "aria-details")


class PageTests(unittest.TestCase):
    def test_html_has_no_parse_errors(self):
        for file in sorted(PAGE.glob("*.html")):
            with self.subTest(file.name):
                parser = html5lib.HTMLParser(namespaceHTMLElements=False)
                parser.parse(file.read_bytes(), transport_encoding="utf-8")
                self.assertEqual([(place, code) for place, code, _ in parser.errors], [])

    def test_ids_are_unique_and_references_lead_to_one(self):
        for file in sorted(PAGE.glob("*.html")):
            with self.subTest(file.name):
                page = html5lib.parse(file.read_bytes(), transport_encoding="utf-8", namespaceHTMLElements=False)
                ids = [element.get("id") for element in page.iter() if element.get("id")]
                self.assertEqual(sorted(ids), sorted(set(ids)))
                wanted = {name for element in page.iter() for attribute in REFERENCES
                          for name in (element.get(attribute) or "").split()}
                self.assertEqual(wanted - set(ids), set())

    def test_css_has_no_parse_errors(self):
        for file in sorted(PAGE.glob("*.css")):
            with self.subTest(file.name):
                rules, _ = tinycss2.parse_stylesheet_bytes(
                    file.read_bytes(), protocol_encoding="utf-8", skip_comments=True, skip_whitespace=True)
                self.assertGreater(len(rules), 0)
                self.assertEqual(list(errors_in(rules)), [])


def errors_in(nodes):
    """The parse errors in rules and declarations, and in what is nested in them."""
    for node in nodes:
        if node.type == "error":
            yield node.source_line, node.kind, node.message
        elif node.type in ("qualified-rule", "at-rule") and node.content is not None:
            yield from errors_in(tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True))
        elif node.type == "declaration":
            yield from errors_in(node.value)


if __name__ == "__main__":
    unittest.main()
