import Testing

/// CSS selectors, what each finds, and the XPath that selectors.js makes of it.
struct SelectorCase: Sendable, CustomTestStringConvertible {
    let page: SelectorPage
    let selector: String
    /// The ids of the elements found, in document order.
    let ids: [String]
    let xpath: String

    init(_ page: SelectorPage, _ selector: String, _ ids: [String], xpath: String) {
        self.page = page
        self.selector = selector
        self.ids = ids
        self.xpath = xpath
    }

    var testDescription: String { "\(page) \(selector)" }

    static let all: [SelectorCase] = [
        .init(
            .gallery, "li", ["i1", "i2", "i3", "i4", "i5"],
            xpath: "descendant::li"),
        .init(
            .gallery, "LI", ["i1", "i2", "i3", "i4", "i5"],
            xpath: "descendant::li"),
        .init(
            .gallery, "#i3", ["i3"],
            xpath: "descendant::*[@id='i3']"),
        .init(
            .gallery, "li#i3", ["i3"],
            xpath: "descendant::li[@id='i3']"),
        .init(
            .gallery, "a#i3", [],
            xpath: "descendant::a[@id='i3']"),
        .init(
            .gallery, ".item", ["i1", "i2", "i3"],
            xpath: "descendant::*[contains(concat(' ', normalize-space(@class), ' '), ' item ')]"),
        .init(
            .gallery, ".item.featured", ["i2"],
            xpath:
                "descendant::*[contains(concat(' ', normalize-space(@class), ' '), ' item ')][contains(concat(' ', normalize-space(@class), ' '), ' featured ')]"
        ),
        .init(
            .gallery, ".Item", [],
            xpath: "descendant::*[contains(concat(' ', normalize-space(@class), ' '), ' Item ')]"),
        .init(
            .gallery, "ul *",
            ["i1", "a1", "p1", "i2", "a2", "p2", "i3", "a3", "p3", "b3", "i4", "s4", "i5", "e5", "e6"],
            xpath: "descendant::*[ancestor::ul[1]]"),
        .init(
            .gallery, "x-card", ["card"],
            xpath: "descendant::x-card"),
        .init(
            .gallery, #".a\.b"#, ["t3"],
            xpath: "descendant::*[contains(concat(' ', normalize-space(@class), ' '), ' a.b ')]"),
        .init(
            .gallery, #"#\69 1"#, ["i1"],
            xpath: "descendant::*[@id='i1']"),
        .init(
            .gallery, "nothing", [],
            xpath: "descendant::nothing"),
        .init(
            .gallery, "[data-kind]", ["i1", "i2", "i3", "i4"],
            xpath: "descendant::*[@data-kind]"),
        .init(
            .gallery, "[DATA-KIND=photo]", ["i1"],
            xpath: "descendant::*[@data-kind='photo']"),
        .init(
            .gallery, "[data-kind=photo i]", ["i1"],
            xpath:
                "descendant::*[translate(@data-kind, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')='photo']"
        ),
        .init(
            .gallery, #"[data-kind~="art"]"#, ["i2"],
            xpath: "descendant::*[contains(concat(' ', normalize-space(@data-kind), ' '), ' art ')]"),
        .init(
            .gallery, #"[data-kind~="photo" i]"#, ["i1", "i2"],
            xpath:
                "descendant::*[contains(concat(' ', normalize-space(translate(@data-kind, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')), ' '), ' photo ')]"
        ),
        .init(
            .gallery, #"[data-kind|="drawing"]"#, ["i3", "i4"],
            xpath: "descendant::*[(@data-kind='drawing' or starts-with(@data-kind, 'drawing-'))]"),
        .init(
            .gallery, "[lang|=en]", ["main"],
            xpath: "descendant::*[(@lang='en' or starts-with(@lang, 'en-'))]"),
        .init(
            .gallery, #"a[href^="/photo/"]"#, ["a1", "a2"],
            xpath: "descendant::a[starts-with(@href, '/photo/')]"),
        .init(
            .gallery, #"img[src$=".jpg"]"#, ["p1"],
            xpath: "descendant::img[substring(@src, string-length(@src) - string-length('.jpg') + 1)='.jpg']"),
        .init(
            .gallery, "img[src$='.jpg' i]", ["p1", "p3"],
            xpath:
                "descendant::img[substring(translate(@src, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), string-length(translate(@src, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) - string-length('.jpg') + 1)='.jpg']"
        ),
        .init(
            .gallery, #"[href*="other"]"#, ["a3"],
            xpath: "descendant::*[contains(@href, 'other')]"),
        .init(
            .gallery, #"[alt=""]"#, ["p2"],
            xpath: "descendant::*[@alt='']"),
        .init(
            .gallery, "img:not([alt])", ["p3"],
            xpath: "descendant::img[not(@alt)]"),
        .init(
            .gallery, #"[href^=""]"#, [],
            xpath: "descendant::*[false()]"),
        .init(
            .gallery, #"[data-kind~="photo art"]"#, [],
            xpath: "descendant::*[false()]"),
        .init(
            .gallery, #"[ data-kind = "photo" ]"#, ["i1"],
            xpath: "descendant::*[@data-kind='photo']"),
        .init(
            .gallery, "[disabled]", ["q"],
            xpath: "descendant::*[@disabled]"),
        .init(
            .gallery, #"input[name="tags[]"]"#, ["q"],
            xpath: "descendant::input[@name='tags[]']"),
        .init(
            .gallery, #"[title="It's \"quoted\""]"#, ["t2"],
            xpath: #"descendant::*[@title=concat('It', "'", 's "quoted"')]"#),
        .init(
            .gallery, #"[title=""]"#, ["t3"],
            xpath: "descendant::*[@title='']"),
        .init(
            .gallery, #"[title="" i]"#, ["t3"],
            xpath:
                "descendant::*[@title and translate(@title, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')='']"
        ),
        .init(
            .gallery, #"[xlink\:href]"#, ["use"],
            xpath: "descendant::*[@*[name()='xlink:href']]"),
        .init(
            .feed, "[größe=x]", ["E3"],
            xpath: "descendant::*[@*[name()='größe']='x']"),
        .init(
            .gallery, "[viewBox]", ["svg"],
            xpath: "descendant::*[@*[name()='viewbox' or name()='viewBox']]"),
        .init(
            .gallery, "ul > li > a > img", ["p1", "p2", "p3"],
            xpath: "descendant::img[parent::a[parent::li[parent::ul]]]"),
        .init(
            .gallery, "div img", ["p1", "p2", "p3"],
            xpath: "descendant::img[ancestor::div[1]]"),
        .init(
            .gallery, "div > img", [],
            xpath: "descendant::img[parent::div]"),
        .init(
            .gallery, "a + b", ["b3"],
            xpath: "descendant::b[preceding-sibling::*[1]/self::a]"),
        .init(
            .gallery, "h1 + ul", ["list"],
            xpath: "descendant::ul[preceding-sibling::*[1]/self::h1]"),
        .init(
            .gallery, "h1 ~ p", ["t1", "t2", "t3"],
            xpath: "descendant::p[preceding-sibling::h1[1]]"),
        .init(
            .gallery, "p + p", ["e6", "t3"],
            xpath: "descendant::p[preceding-sibling::*[1]/self::p]"),
        .init(
            .gallery, ".featured ~ li", ["i3", "i4", "i5"],
            xpath:
                "descendant::li[preceding-sibling::*[contains(concat(' ', normalize-space(@class), ' '), ' featured ')][1]]"
        ),
        .init(
            .gallery, ".featured + li b", ["b3"],
            xpath:
                "descendant::b[ancestor::li[preceding-sibling::*[1]/self::*[contains(concat(' ', normalize-space(@class), ' '), ' featured ')]]]"
        ),
        .init(
            .gallery, "body>div>ul>li.items span", ["s4"],
            xpath:
                "descendant::span[ancestor::li[contains(concat(' ', normalize-space(@class), ' '), ' items ')][parent::ul[parent::div[parent::body]]]]"
        ),
        .init(
            .gallery, "html body li b", ["b3"],
            xpath: "descendant::b[ancestor::li[1][ancestor::body[1][ancestor::html[1]]]]"),
        .init(
            .gallery, "li + li + li", ["i3", "i4", "i5"],
            xpath: "descendant::li[preceding-sibling::*[1]/self::li[preceding-sibling::*[1]/self::li]]"),
        .init(
            .gallery, "  h1  ,  b  ", ["h1", "b3"],
            xpath: "descendant::*[self::h1 or self::b]"),
        .init(
            .gallery, "b, h1, .item b", ["h1", "b3"],
            xpath:
                "descendant::*[self::b or self::h1 or self::b and ancestor::*[contains(concat(' ', normalize-space(@class), ' '), ' item ')][1]]"
        ),
        .init(
            .gallery, "li, li.item", ["i1", "i2", "i3", "i4", "i5"],
            xpath:
                "descendant::*[self::li or self::li and contains(concat(' ', normalize-space(@class), ' '), ' item ')]"),
        .init(
            .gallery, "li:first-child", ["i1"],
            xpath: "descendant::li[not(preceding-sibling::*[1])]"),
        .init(
            .gallery, "li:last-child", ["i5"],
            xpath: "descendant::li[not(following-sibling::*[1])]"),
        .init(
            .gallery, "img:only-child", ["p1", "p2", "p3"],
            xpath: "descendant::img[not(preceding-sibling::*[1] or following-sibling::*[1])]"),
        .init(
            .gallery, "a:only-child", ["a1", "a2"],
            xpath: "descendant::a[not(preceding-sibling::*[1] or following-sibling::*[1])]"),
        .init(
            .gallery, "li:nth-child(2)", ["i2"],
            xpath: "descendant::li[(count(preceding-sibling::*) + 1)=2]"),
        .init(
            .gallery, "li:nth-child(odd)", ["i1", "i3", "i5"],
            xpath: "descendant::li[(((count(preceding-sibling::*) + 1) - 1) mod 2=0)]"),
        .init(
            .gallery, "li:nth-child(even)", ["i2", "i4"],
            xpath: "descendant::li[(((count(preceding-sibling::*) + 1) - 0) mod 2=0)]"),
        .init(
            .gallery, "li:nth-child(3n+1)", ["i1", "i4"],
            xpath: "descendant::li[(((count(preceding-sibling::*) + 1) - 1) mod 3=0)]"),
        .init(
            .gallery, "li:nth-child( 2n + 1 )", ["i1", "i3", "i5"],
            xpath: "descendant::li[(((count(preceding-sibling::*) + 1) - 1) mod 2=0)]"),
        .init(
            .gallery, "li:nth-child(n+3)", ["i3", "i4", "i5"],
            xpath: "descendant::li[((count(preceding-sibling::*) + 1)>=3)]"),
        .init(
            .gallery, "li:nth-child(-n+2)", ["i1", "i2"],
            xpath: "descendant::li[((count(preceding-sibling::*) + 1)<=2)]"),
        .init(
            .gallery, "li:nth-child(n)", ["i1", "i2", "i3", "i4", "i5"],
            xpath: "descendant::li[true()]"),
        .init(
            .gallery, "li:nth-child(0)", [],
            xpath: "descendant::li[false()]"),
        .init(
            .gallery, "li:nth-child(-2n+5)", ["i1", "i3", "i5"],
            xpath:
                "descendant::li[((count(preceding-sibling::*) + 1)<=5 and ((count(preceding-sibling::*) + 1) - 5) mod 2=0)]"
        ),
        .init(
            .gallery, "li:nth-child(2n-1)", ["i1", "i3", "i5"],
            xpath: "descendant::li[(((count(preceding-sibling::*) + 1) - -1) mod 2=0)]"),
        .init(
            .gallery, "li:nth-last-child(2)", ["i4"],
            xpath: "descendant::li[(count(following-sibling::*) + 1)=2]"),
        .init(
            .gallery, "li:nth-last-child(-n+2)", ["i4", "i5"],
            xpath: "descendant::li[((count(following-sibling::*) + 1)<=2)]"),
        .init(
            .gallery, "#main > p:first-of-type", ["t1"],
            xpath: "descendant::p[preceding-of-type()=0][parent::*[@id='main']]"),
        .init(
            .gallery, "#main > p:last-of-type", ["t3"],
            xpath: "descendant::p[following-of-type()=0][parent::*[@id='main']]"),
        .init(
            .gallery, "#main > p:nth-of-type(2)", ["t2"],
            xpath: "descendant::p[(preceding-of-type() + 1)=2][parent::*[@id='main']]"),
        .init(
            .gallery, "#main > p:nth-last-of-type(2)", ["t2"],
            xpath: "descendant::p[(following-of-type() + 1)=2][parent::*[@id='main']]"),
        .init(
            .gallery, "#main > em:only-of-type", ["m1"],
            xpath: "descendant::em[(preceding-of-type()=0 and following-of-type()=0)][parent::*[@id='main']]"),
        .init(
            .gallery, "#main > :first-of-type", ["h1", "list", "t1", "m1", "q", "svg", "card"],
            xpath: "descendant::*[preceding-of-type()=0][parent::*[@id='main']]"),
        .init(
            .gallery, "p:empty", ["e5"],
            xpath: "descendant::p[not(*[1] or text()[1])]"),
        .init(
            .gallery, "span:empty", ["s4"],
            xpath: "descendant::span[not(*[1] or text()[1])]"),
        .init(
            .gallery, ":root", ["html"],
            xpath: "descendant::*[not(parent::*)]"),
        .init(
            .gallery, ":root > body", ["body"],
            xpath: "descendant::body[parent::*[not(parent::*)]]"),
        .init(
            .gallery, ":scope > body", ["body"],
            xpath: "descendant::body[parent::*[count(.|$scope)=1]]"),
        .init(
            .gallery, "li:not(.item)", ["i4", "i5"],
            xpath: "descendant::li[not(contains(concat(' ', normalize-space(@class), ' '), ' item '))]"),
        .init(
            .gallery, "li:not(.item, .items)", ["i5"],
            xpath:
                "descendant::li[not((contains(concat(' ', normalize-space(@class), ' '), ' item ') or contains(concat(' ', normalize-space(@class), ' '), ' items ')))]"
        ),
        .init(
            .gallery, "li:not([data-kind]):last-child", ["i5"],
            xpath: "descendant::li[not(@data-kind)][not(following-sibling::*[1])]"),
        .init(
            .gallery, "img:not(.featured img)", ["p1", "p3"],
            xpath:
                "descendant::img[not(self::img and ancestor::*[contains(concat(' ', normalize-space(@class), ' '), ' featured ')][1])]"
        ),
        .init(
            .gallery, "li:has(b)", ["i3"],
            xpath: "descendant::li[descendant::b]"),
        .init(
            .gallery, "li:has(> a > img[alt])", ["i1", "i2"],
            xpath: "descendant::li[child::a/child::img[@alt]]"),
        .init(
            .gallery, "li:has(+ .items)", ["i3"],
            xpath:
                "descendant::li[following-sibling::*[1]/self::*[contains(concat(' ', normalize-space(@class), ' '), ' items ')]]"
        ),
        .init(
            .gallery, "li:has(~ .items)", ["i1", "i2", "i3"],
            xpath:
                "descendant::li[following-sibling::*[contains(concat(' ', normalize-space(@class), ' '), ' items ')]]"),
        .init(
            .gallery, "li:has(span, b)", ["i3", "i4"],
            xpath: "descendant::li[(descendant::span or descendant::b)]"),
        .init(
            .gallery, "li:not(:has(img))", ["i4", "i5"],
            xpath: "descendant::li[not(descendant::img)]"),
        .init(
            .gallery, "div:has(li b)", ["main"],
            xpath: "descendant::div[descendant::li/descendant::b]"),
        .init(
            .gallery, "li:is(.items, .featured)", ["i2", "i4"],
            xpath:
                "descendant::li[(contains(concat(' ', normalize-space(@class), ' '), ' items ') or contains(concat(' ', normalize-space(@class), ' '), ' featured '))]"
        ),
        .init(
            .gallery, ":is(#nav, #list) > :is(a, li):first-child", ["n1", "i1"],
            xpath:
                "descendant::*[(self::a or self::li)][not(preceding-sibling::*[1])][parent::*[(@id='nav' or @id='list')]]"
        ),
        .init(
            .gallery, ":where(h1, h2)", ["h1"],
            xpath: "descendant::*[(self::h1 or self::h2)]"),
        .init(
            .gallery, "a:NOT(.link):First-Child", ["n1", "a1", "a2", "a3"],
            xpath:
                "descendant::a[not(contains(concat(' ', normalize-space(@class), ' '), ' link '))][not(preceding-sibling::*[1])]"
        ),
        .init(
            .feed, "entry", ["e1", "e2"],
            xpath: "descendant::*[local-name()='entry']"),
        .init(
            .feed, "Entry", ["E3"],
            xpath: "descendant::*[local-name()='Entry']"),
        .init(
            .feed, "entry > title", ["t1", "t2", "mt2"],
            xpath: "descendant::*[local-name()='title'][parent::*[local-name()='entry']]"),
        .init(
            .gallery, "div ul ~ p", ["t1", "t2", "t3"],
            xpath: "descendant::p[preceding-sibling::ul[1][ancestor::div[1]]]"),
        .init(
            .gallery, "h1 ~ ul li ~ li b", ["b3"],
            xpath: "descendant::b[ancestor::li[preceding-sibling::li[1][ancestor::ul[preceding-sibling::h1[1]]]]]"),
        .init(
            .gallery, "body > div li > a img", ["p1", "p2", "p3"],
            xpath: "descendant::img[ancestor::a[parent::li[ancestor::div[parent::body]]]]"),
        .init(
            .gallery, "li + li ~ li a", ["a3"],
            xpath: "descendant::a[ancestor::li[preceding-sibling::li[preceding-sibling::*[1]/self::li]]]"),
        .init(
            .gallery, "h1 + ul > .item ~ li a + b", ["b3"],
            xpath:
                "descendant::b[preceding-sibling::*[1]/self::a[ancestor::li[preceding-sibling::*[contains(concat(' ', normalize-space(@class), ' '), ' item ')][1][parent::ul[preceding-sibling::*[1]/self::h1]]]]]"
        ),
        .init(
            .feed, #"media\:content"#, ["c1", "c2", "c3"],
            xpath: "descendant::*[name()='media:content']"),
        .init(
            .feed, "media|content", ["c1", "c2", "c3"],
            xpath: "descendant::*[name()='media:content']"),
        .init(
            .feed, "media|content[medium=image]", ["c1", "c3"],
            xpath: "descendant::*[name()='media:content'][@medium='image']"),
        .init(
            .feed, "entry > media|content", ["c1"],
            xpath: "descendant::*[name()='media:content'][parent::*[local-name()='entry']]"),
        .init(
            .feed, "content", ["c1", "c2", "c3"],
            xpath: "descendant::*[local-name()='content']"),
        .init(
            .feed, "title", ["t", "t1", "t2", "mt2"],
            xpath: "descendant::*[local-name()='title']"),
        .init(
            .feed, "*|title", ["t", "t1", "t2", "mt2"],
            xpath: "descendant::*[local-name()='title']"),
        .init(
            .feed, "|plain", ["pl"],
            xpath: "descendant::*[local-name()='plain'][namespace-uri()='']"),
        .init(
            .feed, "|title", [],
            xpath: "descendant::*[local-name()='title'][namespace-uri()='']"),
        .init(
            .feed, "media|*", ["c1", "mt2", "g2", "c2", "c3"],
            xpath: "descendant::*[starts-with(name(), 'media:')]"),
        .init(
            .feed, "[xlink|href]", ["E3"],
            xpath: "descendant::*[@*[name()='xlink:href']]"),
        .init(
            .feed, #"[xlink\:href="/3"]"#, ["E3"],
            xpath: "descendant::*[@*[name()='xlink:href']='/3']"),
        .init(
            .feed, "[*|href]", ["l1", "E3"],
            xpath: "descendant::*[@*[local-name()='href']]"),
        .init(
            .feed, "entry:has(media|group)", ["e2"],
            xpath: "descendant::*[local-name()='entry'][descendant::*[name()='media:group']]"),
        .init(
            .feed, "entry:nth-of-type(2)", ["e2"],
            xpath: "descendant::*[local-name()='entry'][(preceding-of-type() + 1)=2]"),
        .init(
            .feed, "media|content:first-of-type", ["c1", "c2"],
            xpath: "descendant::*[name()='media:content'][preceding-of-type()=0]"),
        .init(
            .feed, "title:first-of-type", ["t", "t1", "t2", "mt2"],
            xpath: "descendant::*[local-name()='title'][preceding-of-type()=0]"),
        .init(
            .feed, #"link[rel="alternate"]"#, ["l1"],
            xpath: "descendant::*[local-name()='link'][@rel='alternate']"),
        .init(
            .feed, ":root > title", ["t"],
            xpath: "descendant::*[local-name()='title'][parent::*[not(parent::*)]]"),
    ]
}
