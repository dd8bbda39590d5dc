import ProviderModel

/// The items of a JSON answer, read from the fields that were found.
struct JSONReading: DraftedReading {
    let list: AnswerList
    let mapping: ItemMapping
    /// Whether the JSON is the argument of a function call.
    let isScript: Bool

    init(_ list: AnswerList, isScript: Bool) {
        self.list = list
        self.isScript = isScript
        mapping = ItemMapping(of: ItemFields(of: list.form == .urls ? [] : list.items, at: list.base))
    }

    var count: Int { list.items.count }

    var mediaHosts: [String] {
        list.form == .urls ? MediaMapping.patterns(for: list.items.compactMap(\.webURL)) : mapping.media.hosts
    }

    var notes: [String] {
        var notes: [String] = []
        if let path = mapping.relativePaths.first {
            notes.append(
                "\(path) is a path, which is resolved against \(list.base.origin): check that this is the right server, "
                    + "or else change `site`")
        }
        if !hasFiles {
            notes.append(
                "no field of the items is a complete image URL: build media from ids or paths by hand"
            )
        }
        return notes
    }

    var findings: [ProviderDraft.Finding] {
        var findings = [ProviderDraft.Finding(subject: "items", detail: "\(count) in \(list.path)")]
        if list.form == .urls {
            findings.append(ProviderDraft.Finding(subject: "original", detail: "the URLs themselves"))
        }
        findings += mapping.entries.filter { !$0.paths.isEmpty }.map { entry in
            ProviderDraft.Finding(
                subject: entry.member, detail: entry.paths.map(\.description).joined(separator: ", "))
        }
        return findings
            + mapping.media.files.map { file in
                let size = [file.width, file.height].compactMap { $0?.path.description }.joined(separator: " × ")
                return ProviderDraft.Finding(
                    subject: file.role.rawValue, detail: file.url.path.description + (size.isEmpty ? "" : ", \(size)"))
            }
    }

    // MARK: The page

    var accept: String? { isScript ? "'text'" : nil }
    var root: String { isScript ? "unwrapped(res)" : "res.json" }
    var helpers: Set<String> { mapping.helpers }
    var site: String? { mapping.relativePaths.isEmpty ? nil : list.base.origin }

    var items: String {
        let items = "\(list.expression(from: root)).map(image)"
        return keepsAll || list.form == .urls ? items : items + ".filter((found) => found.media.length > 0)"
    }

    var hasFiles: Bool { list.form == .urls || !mapping.media.files.isEmpty }

    /// Whether every recorded item becomes one of the page.
    private var keepsAll: Bool {
        mapping.media.files.isEmpty || mapping.media.files.contains { $0.url.isCertain && $0.url.isURL }
    }

    func expectations(total: AnswerTotal?) -> [String] {
        guard list.form != .urls, keepsAll else { return Self.someItems }
        var lines = ["expect(page.items).toHaveLength(\(count));"]
        if let total { lines.append("expect(page.total).toBeGreaterThan(0); // \(total.path)") }
        let members = firstItem
        if !members.isEmpty {
            lines.append("expect(page.items[0]).toMatchObject({ \(members.joined(separator: ", ")) });")
        }
        return lines
    }

    /// What the first item of the page is known by.
    private var firstItem: [String] {
        var members: [String] = []
        if let path = mapping.paths(of: "id").first, let id = path.value(in: list.items[0]),
            mapping.entries[0].expression.hasPrefix("\(ItemMapping.root).")
        {
            members.append("id: \((id.textValue ?? id.compact).asJavaScript)")
        }
        // Text that is not a URL is no page.
        if let page = mapping.paths(of: "page").first?.value(in: list.items[0])?.textValue, page.hasPrefix("https://"),
            (try? WebURL(page))?.description == page
        {
            members.append("page: \(page.asJavaScript)")
        }
        return members
    }

    // MARK: The item

    var function: String {
        (isScript ? Self.unwrapping : "") + (list.form == .urls ? Self.urlFunction : itemFunction)
    }

    private static let unwrapping = """
        /** The response is JSON as the argument of a call (JSONP). @param {import('imgscript').Response} res */
        function unwrapped(res) {
          return JSON.parse(res.text.slice(res.text.indexOf('(') + 1, res.text.lastIndexOf(')')));
        }


        """

    private static let urlFunction = """
        /** @param {string} url @returns {import('imgscript').Item} */
        function image(url) {
          return { id: new URL(url).pathname.slice(1), type: 'image', media: [{ role: 'original', url }] };
        }

        """

    private var itemFunction: String {
        var lines = [
            "/** @param {any} item @returns {import('imgscript').Item} */", "function image(item) {", "  return {",
        ]
        for (index, entry) in mapping.entries.enumerated() {
            lines.append("    \(entry.member): \(entry.expression),")
            if index == 0 { lines.append("    type: 'image',") }
        }
        let files = mapping.media.files
        let areCertain = files.allSatisfy { $0.url.isCertain && $0.url.isURL }
        if files.isEmpty {
            lines.append("    media: [], // the source makes the URLs of ids or paths")
        } else {
            lines.append(areCertain ? "    media: [" : "    media: /** @type {import('imgscript').Media[]} */ ([")
            lines += files.map { "      \(literal(of: $0))," }
            let areURLs = files.allSatisfy(\.url.isURL)
            lines.append(
                areCertain ? "    ]," : "    ]).filter((file) => \(areURLs ? "file.url" : "URL.canParse(file.url)")),")
        }
        lines += ["  };", "}", ""]
        return lines.joined(separator: "\n")
    }

    private func literal(of file: MediaMapping.File) -> String {
        var members = [
            "role: '\(file.role.rawValue)'", "url: \(mapping.fields.url(file.url, from: ItemMapping.root))",
        ]
        for (name, field) in [("width", file.width), ("height", file.height), ("bytes", file.bytes)] {
            guard let field else { continue }
            let value = mapping.fields.expression(field.path, from: ItemMapping.root)
            members.append("\(name): \(field.holdsText ? "Number(\(value)) || null" : value)")
        }
        return "{ \(members.joined(separator: ", ")) }"
    }
}
