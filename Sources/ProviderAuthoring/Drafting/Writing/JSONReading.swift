import ProviderModel

/// The items of a JSON answer, read from the fields that were found.
struct JSONReading: DraftedReading {
    let list: AnswerList
    let mapping: ItemMapping
    /// Where the JSON stands.
    let source: Source

    /// Where JSON stands in a response.
    enum Source: Hashable, Sendable {
        /// It is the response.
        case response
        /// It is the argument of a function call.
        case call
        /// It is the text of an element of a web page, which the expression gives.
        case page(String)
    }

    init(_ list: AnswerList, in source: Source) {
        self.list = list
        self.source = source
        mapping = ItemMapping(of: list.form == .urls ? [] : list.items, at: list.base)
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
        if let template = mapping.media.templates.first {
            notes.append("\(template.path) has URLs with gaps (\(template.texts[0].quoted)): fill them in by hand")
        }
        if !hasFiles, let link = detailsLink {
            notes.append(
                "no field of the items is an image URL, but \(link.path) leads to each item's details: draft a provider "
                    + "from one of these, and move its request and parse into details: { media: true, … }")
        } else if !hasFiles {
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

    var accept: String? {
        switch source {
        case .response: nil
        case .call: "'text'"
        case .page: "'html'"
        }
    }

    var root: String {
        switch source {
        case .response: "res.json"
        case .call: "unwrapped(res)"
        case .page: "embedded(res)"
        }
    }

    var helpers: Set<String> { if case .page = source { mapping.helpers.union(["fail"]) } else { mapping.helpers } }
    var site: String? { mapping.relativePaths.isEmpty ? nil : list.base.origin }

    var items: String {
        let items = "\(list.expression(from: root))\(mapping.media.list == nil ? ".map(image)" : ".flatMap(images)")"
        return keepsAll || list.form == .urls ? items : items + ".filter((found) => found.media.length > 0)"
    }

    var hasFiles: Bool { list.form == .urls || !mapping.media.files.isEmpty }

    /// Whether every recorded item becomes one of the page.
    private var keepsAll: Bool {
        mapping.media.files.isEmpty
            || mapping.media.files.contains { file in
                let field = placed(file.url).field
                return field.isCertain && field.isURL
            }
    }

    func expectations(total: AnswerTotal?) -> [String] {
        guard list.form != .urls else { return Self.someItems }
        let isWhole = keepsAll && mapping.media.list == nil
        var lines = isWhole ? ["expect(page.items).toHaveLength(\(count));"] : Self.someItems
        if let total { lines.append("expect(page.total).toBeGreaterThan(0); // \(total.path)") }
        lines += ["for (const item of page.items) {", "  expect(item).toMatchObject({"]
        lines += shape.map { "    \($0)," } + ["  });", "}"]
        return lines
    }

    /// What every item of the page has, whichever fields it is read from.
    private var shape: [String] {
        ["id: expect.any(String)"]
            + mapping.entries.compactMap { entry -> String? in
                guard let field = entry.paths.first.flatMap({ mapping.fields[$0] }), field.isCertain, field.isText
                else {
                    return nil
                }
                switch entry.member {
                case "title", "description": return "\(entry.member): expect.any(String)"
                case "page": return "page: expect.stringMatching(/^https?:/)"
                case "author": return "author: { name: expect.any(String) }"
                default: return nil
                }
            }
    }

    /// A URL of the API's in every item that names its id.
    private var detailsLink: ItemField? {
        guard let id = mapping.paths(of: "id").first.flatMap({ mapping.fields[$0] }) else { return nil }
        return mapping.fields.all.first { field in
            field.isURL && field.isCertain && LinkKind(field) == .other
                && zip(field.texts, id.values).allSatisfy { $0.contains($1.textValue ?? $1.compact) }
        }
    }

    // MARK: The item

    var function: String {
        reader + (list.form == .urls ? Self.urlFunction : itemFunction)
    }

    /// The function that takes the JSON out of the response.
    private var reader: String {
        switch source {
        case .response: ""
        case .call: Self.unwrapping
        case .page(let expression):
            """
            /** The data that the page is made of. @param {import('imgscript').Response} res */
            function embedded(res) {
              return JSON.parse(\(expression) ?? 'null') ?? fail('changed', 'The page has no data.');
            }


            """ + (expression.hasPrefix("assigned(") ? Self.assigning : "")
        }
    }

    private static let assigning = """
        /** What a script assigns to a variable. @param {string} text @param {string} name */
        function assigned(text, name) {
          const start = text.search(new RegExp(`\\\\b${name}\\\\s*=\\\\s*[{[]`));
          const end = text.indexOf('</script>', start);
          return start < 0 ? null : text.slice(start, end).replace(/^[^=]*=\\s*/, '').replace(/;?\\s*$/, '');
        }


        """

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
        let several = mapping.media.list
        var lines =
            several.map(imagesFunction) ?? [
                "/** @param {any} item @returns {import('imgscript').Item} */", "function image(item) {",
            ]
        lines.append("  return {")
        for (index, entry) in mapping.entries.enumerated() {
            let isListed = index == 0 && several != nil
            let id = isListed ? "index ? `${\(entry.expression)}/${index}` : \(entry.expression)" : entry.expression
            lines.append("    \(entry.member): \(id),")
            if index == 0 { lines.append("    type: 'image',") }
        }
        lines += mediaLines + ["  };", "}", ""]
        return lines.joined(separator: "\n")
    }

    /// The functions' heads where items have several images.
    private func imagesFunction(_ list: MediaMapping.ImageList) -> [String] {
        var place = mapping.fields.expression(list.element.parent, from: ItemMapping.root)
        let isCertain = mapping.fields.isCertain(list.element.parent)
        if case .matching(let name, let value) = list.element.steps.last {
            place += (isCertain ? "." : "?.") + FieldPath.condition("filter", name, value)
        }
        if !isCertain { place = "(\(place) ?? [])" }
        return [
            "/** Every image of an item; the first goes by the item's own id. @param {any} item */",
            "function images(item) {",
            "  return \(place).map((/** @type {any} */ file, /** @type {number} */ index) => image(item, file, index));",
            "}", "",
            "/** @param {any} item @param {any} file @param {number} index @returns {import('imgscript').Item} */",
            "function image(item, file, index) {",
        ]
    }

    private var mediaLines: [String] {
        let files = mapping.media.files
        guard !files.isEmpty else { return ["    media: [], // the source makes the URLs of ids or paths"] }
        let fields = files.map { placed($0.url).field }
        let areCertain = fields.allSatisfy { $0.isCertain && $0.isURL }
        let test = fields.allSatisfy(\.isURL) ? "file.url" : "URL.canParse(file.url)"
        return [areCertain ? "    media: [" : "    media: /** @type {import('imgscript').Media[]} */ (["]
            + files.map { "      \(literal(of: $0))," }
            + [areCertain ? "    ]," : "    ]).filter((file) => \(test)),"]
    }

    /// A field as it is read: of the item, or of one of its images.
    private func placed(_ field: ItemField) -> (fields: ItemFields, field: ItemField, root: String) {
        guard let list = mapping.media.list, field.path.steps.starts(with: list.element.steps),
            let own = list.fields[FieldPath(Array(field.path.steps.dropFirst(list.element.steps.count)))]
        else { return (mapping.fields, field, ItemMapping.root) }
        return (list.fields, own, "file")
    }

    private func literal(of file: MediaMapping.File) -> String {
        let (fields, field, root) = placed(file.url)
        var url = fields.url(field, from: root)
        if file.isInformation {
            url += "\(field.isCertain ? "." : "?.")replace(/info\\.json$/, 'full/max/0/default.jpg')"
        }
        var members = ["role: '\(file.role.rawValue)'", "url: \(url)"]
        for (name, field) in [("width", file.width), ("height", file.height), ("bytes", file.bytes)] {
            guard let field else { continue }
            let (fields, own, root) = placed(field)
            let value = fields.expression(own.path, from: root)
            members.append("\(name): \(own.holdsText ? "Number(\(value)) || null" : value)")
        }
        return "{ \(members.joined(separator: ", ")) }"
    }
}
