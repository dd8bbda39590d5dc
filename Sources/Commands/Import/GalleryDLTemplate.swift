import ImgScript

/// Format strings of gallery-dl as templates of names: `{category}_{id}.{extension}` as `{provider}_{id}.{ext}`.
enum GalleryDLTemplate {
    /// A reason for which a format string has no template.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// gallery-dl's names of fields; those that a site alone has are not among them.
    private static let fields: [String: String] = [
        "category": "provider", "id": "id", "index": "id", "title": "title", "filename": "name", "num": "file",
        "date": "created", "created_at": "created", "extension": "ext", "width": "width", "height": "height",
        "description": "description", "rating": "rating", "tags": "tags", "username": "author.name",
        "author": "author.name", "author[name]": "author.name", "user": "author.name", "user[name]": "author.name",
        "artist": "author.name", "uploader": "author.name", "blog_name": "author.name", "user[username]": "author.name",
        "author[username]": "author.name", "account[username]": "author.name", "file_url": "url",
    ]

    private static let dateParts = ["%Y": "yyyy", "%m": "MM", "%d": "dd", "%H": "HH", "%M": "mm", "%S": "ss"]

    /// The template of a folder's parts and a file's name.
    static func name(directory: [String], filename: String) throws(Fault) -> String {
        var parts: [String] = []
        for part in directory + [filename] {
            let converted = try convert(part)
            // A folder that is empty is no folder.
            if !converted.isEmpty { parts.append(converted) }
        }
        var name = parts.joined(separator: "/")
        if !name.hasSuffix(".{ext}") { name += ".{ext}" }
        if let fault = fault(of: name) { throw Fault(description: fault) }
        return name
    }

    private static func convert(_ format: String) throws(Fault) -> String {
        var text = ""
        var rest = format[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw Fault(description: "a \"{\" without \"}\"")
            }
            text += try replacement(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// The braces of a template for what stands in those of a format string.
    private static func replacement(_ inside: Substring) throws(Fault) -> String {
        guard let match = inside.wholeMatch(of: /([^:!\[]+(?:\[[a-z_]+\])?)(?:\[:([0-9]+)\])?(?:!([a-z]))?(?::(.*))?/)
        else { throw unknown(inside) }
        var filters: [String] = []
        switch match.3 {
        case nil: break
        case "l": filters.append("lower")
        case "u": filters.append("upper")
        default: throw unknown(inside)
        }
        var names: [String] = []
        for name in match.1.split(separator: "|") {
            guard let field = fields[String(name)] else { throw unknown(name) }
            names.append(field)
        }
        if let length = match.2 { filters.append(String(length)) }
        if let specification = match.4, !specification.isEmpty {
            guard let filter = filter(specification) else { throw unknown(inside) }
            filters.append(filter)
        }
        return "{\(([names.joined(separator: "|")] + filters).joined(separator: ":"))}"
    }

    private static func filter(_ specification: Substring) -> String? {
        if specification.contains("%") {
            let pattern = dateParts.reduce(String(specification)) { $0.replacing($1.key, with: $1.value) }
            return pattern.contains("%") ? nil : pattern
        }
        if let digits = specification.wholeMatch(of: />?0?>?([1-9])/) { return "0\(digits.1)" }
        if let length = specification.wholeMatch(of: /L([0-9]+)\/.*/) { return String(length.1) }
        return nil
    }

    private static func unknown(_ part: Substring) -> Fault {
        Fault(description: "{\(part)} has no equal; imgscript help download shows the fields of --name")
    }

    private static func fault(of name: String) -> String? {
        var options = DownloadOptions()
        options.name = name
        do {
            try options.validate()
            return nil
        } catch { return "\(error)" }
    }
}
