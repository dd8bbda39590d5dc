/// The entries of a feed.
struct FeedReading: DraftedReading {
    let shape: FeedShape

    var count: Int { shape.count }
    var mediaHosts: [String] { shape.hosts }
    var notes: [String] { shape.hosts.isEmpty ? ["no entry of the feed has an image"] : [] }
    var accept: String? { "'xml'" }
    var helpers: Set<String> {
        var helpers: Set<String> = ["parseDate"]
        if shape.hasPictureInText { helpers.insert("parseHTML") }
        if shape.hasMarkupInTitles { helpers.insert("plainText") }
        if license != nil { helpers.insert("license") }
        return helpers
    }

    /// The expression of what names an entry's licence; nil where nothing does.
    private var license: String? {
        let names = ["cc:license", "creativecommons:license"]
        guard let name = names.first(where: { shape.names.contains($0) }) else {
            return shape.linksLicense ? "entry.querySelector('link[rel=license]')?.href" : nil
        }
        let written = name == "cc:license" ? name : "creativeCommons:license"
        let selector = written.replacing(":", with: "\\\\:")
        // RSS 1 has the address in an attribute.
        return "entry.querySelector('\(selector)')?.getAttribute('rdf:resource') ?? text('\(selector)')"
    }

    var findings: [ProviderDraft.Finding] {
        let kind = shape.entry == "entry" ? "Atom" : "RSS"
        return [.init(subject: "items", detail: "\(count) elements \(shape.entry) of \(kind)")]
    }

    var items: String {
        "res.xml.querySelectorAll('\(shape.entry)').map(image).filter((found) => found.media.length > 0)"
    }

    /// The elements that hold an entry's date, the first made before those changed.
    private static let dates = [
        "published", "pubdate", "dcterms:issued", "issued", "dc:date", "dcterms:created", "created", "updated",
        "dcterms:modified", "modified",
    ]

    /// The function that makes an item of an entry.
    var function: String {
        let isAtom = shape.entry == "entry"
        func first(_ names: [String]) -> String? { names.first { shape.names.contains($0) } }
        func selector(_ name: String) -> String { name.replacing(":", with: "\\\\:") }
        var members: [String] = []
        // Where RSS has no link, its id is one.
        let address = shape.names.contains("link") || !shape.names.contains("guid") ? "link" : "guid"
        let link =
            isAtom
            ? "(entry.querySelector('link[rel=alternate]') ?? entry.querySelector('link:not([rel])'))?.href"
            : "text('\(address)')"
        let id = first(isAtom ? ["id"] : ["guid"]).map { "text('\($0)')" }
        members.append("id: \(id.map { "\($0) ?? \(link)" } ?? link) ?? ''")
        members.append("type: 'image'")
        if let title = first(["media:title", "title"]) {
            let text = "text('\(selector(title))')"
            members.append("title: \(shape.hasMarkupInTitles ? "plainText(\(text))" : text)")
        }
        members.append("page: \(link)")
        if let keywords = first(["media:keywords"]) {
            members.append("tags: text('\(selector(keywords))')?.split(/,\\s*/)")
        } else if let subject = first(["dc:subject"]) {
            members.append("tags: entry.querySelectorAll('\(selector(subject))').map((tag) => tag.textContent.trim())")
        }
        if isAtom, shape.names.contains("author") {
            members.append("author: text('author > name') ? { name: text('author > name') ?? '' } : null")
        }
        if !isAtom, let author = first(["dc:creator", "media:credit", "author"]) {
            let way = "text('\(selector(author))')"
            members.append("author: \(way) ? { name: \(way) ?? '' } : null")
        }
        if let date = first(Self.dates) {
            members.append("created: parseDate(text('\(date == "pubdate" ? "pubDate" : selector(date))'))")
        }
        if let license { members.append("license: license(\(license))") }
        members.append("media")
        let body = members.map { "    \($0),\n" }.joined()
        return """
            /** @param {import('imgscript').Element} entry @returns {import('imgscript').Item} */
            function image(entry) {
              const text = (/** @type {string} */ name) => entry.querySelector(name)?.textContent.trim();
              /** @type {import('imgscript').Media[]} */
              const media = [];
            \(media)  return {
            \(body)  };
            }

            """
    }

    private var media: String {
        if shape.hasPictureInText {
            let names = shape.entry == "entry" ? ["content", "summary"] : ["content:encoded", "description"]
            let name = (names.first { shape.names.contains($0) } ?? names[1]).replacing(":", with: "\\\\:")
            return """
                  const picture = parseHTML(text('\(name)') ?? '').querySelector('img');
                  if (picture) media.push({ role: 'large', url: picture.src });

                """
        }
        var text = ""
        let files = ["media:content", "enclosure", "media:thumbnail"].filter { shape.names.contains($0) }
        for name in files {
            let role = name == "media:thumbnail" ? "thumbnail" : "large"
            if role == "large", name != files[0] { continue }
            let variable = role == "large" ? "file" : "preview"
            text += """
                  const \(variable) = entry.querySelector('\(name.replacing(":", with: "\\\\:"))');
                  if (\(variable)?.getAttribute('url')) {
                    media.push({ role: '\(role)', url: \(variable).getAttribute('url') ?? '', ...size(\(variable)) });
                  }

                """
        }
        if text.isEmpty {
            text = """
                  const file = entry.querySelector('link[rel=enclosure]');
                  if (file) media.push({ role: 'large', url: file.href });

                """
        }
        let helper = """
              const size = (/** @type {import('imgscript').Element} */ element) => ({
                width: Number(element.getAttribute('width')) || null, height: Number(element.getAttribute('height')) || null,
              });

            """
        return (text.contains("size(") ? helper : "") + text
    }
}

/// The links of a web page that hold an image.
struct PageReading: DraftedReading {
    let shape: PageShape

    var count: Int { shape.count }
    var mediaHosts: [String] { shape.hosts }
    var notes: [String] {
        [
            "from a web page, only links that hold an image are inferred (id, title, page and thumbnail): look for the element of one result"
        ]
    }
    var accept: String? { "'html'" }
    var helpers: Set<String> { shape.sizes == nil ? [] : ["largest"] }
    var findings: [ProviderDraft.Finding] {
        [.init(subject: "items", detail: "\(count) links that hold an image")]
            + (shape.sizes.map { [.init(subject: "large", detail: "the largest of \($0)")] } ?? [])
    }
    var items: String {
        let isPlain = shape.attribute == "src" && !shape.hasPlaceholders && shape.sizes == nil
        return isPlain
            ? "distinct(res.html.querySelectorAll('a[href] img[src]').map(image))"
            : "distinct(res.html.querySelectorAll('a[href] img').map(image).filter((found) => found.media.length > 0))"
    }

    var function: String {
        if let sizes = shape.sizes {
            return Self.pageFunction
                .replacing("  return {\n    id:", with: files(of: sizes) + "  return {\n    id:")
                .replacing("media: [{ role: 'thumbnail', url: picture.src }],", with: "media,")
        }
        guard shape.attribute != "src" || shape.hasPlaceholders else { return Self.pageFunction }
        let value = "picture.getAttribute('\(shape.attribute)')"
        let file =
            shape.attribute.hasSuffix("srcset")
            ? "\(value)?.split(',').pop()?.trim().split(/\\s+/)[0]" : value
        return Self.pageFunction
            .replacing(
                "  return {\n    id:",
                with:
                    "  // The page loads its pictures late: src has a placeholder.\n  const file = \(file);\n  return {\n    id:"
            )
            .replacing(
                "media: [{ role: 'thumbnail', url: picture.src }],",
                with: "media: file && !file.startsWith('data:') ? "
                    + "[{ role: 'thumbnail', url: new URL(file, picture.baseURI).href }] : [],")
    }

    /// The files of a picture that there are in several sizes.
    private func files(of sizes: String) -> String {
        let set = sizes == "srcset" ? "picture" : "picture.getAttribute('\(sizes)') ?? '', picture.baseURI"
        let preview = shape.attribute.hasSuffix("srcset") ? nil : "picture.getAttribute('\(shape.attribute)')"
        let small = preview.map { value in
            """
              const file = \(value);
              if (file && !file.startsWith('data:')) media.push({ role: 'thumbnail', url: new URL(file, picture.baseURI).href });

            """
        }
        return """
              /** @type {import('imgscript').Media[]} */
              const media = [];
              const large = largest(\(set));
              if (large) media.push({ role: 'large', ...large });

            """ + (small ?? "")
    }

    private static let pageFunction = """
        /** Every link that holds an image. @param {import('imgscript').Element} picture @returns {import('imgscript').Item} */
        function image(picture) {
          const link = picture.closest('a');
          return {
            id: new URL(link?.href ?? '').pathname,
            type: 'image',
            title: picture.getAttribute('alt') || link?.textContent.trim() || null,
            page: link?.href,
            media: [{ role: 'thumbnail', url: picture.src }],
          };
        }

        /** A result often has several links to its page. @param {import('imgscript').Item[]} items */
        function distinct(items) {
          return [...new Map(items.map((item) => [item.id, item])).values()];
        }

        """
}
