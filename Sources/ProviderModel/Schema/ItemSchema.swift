/// The fields of an item and of its parts.
///
/// A new field is a stored property, a line here, and its description in `imgscript.d.ts` and the page of the contract.
package enum ItemSchema {
    /// An item as scripts know it: without its provider.
    package static let contract = Schema("Item", "an item", fields)

    /// An item as it is written for users, its provider first.
    static let item = Schema("Item", "an object", [.required("provider", \.provider, .provider)] + fields)

    private static let fields: [Field<Item>] = [
        .required("id", \.id, .identifier),
        .defaulted("type", \.type, .choice),
        .optional("title", \.title, .text),
        .optional("description", \.description, .text),
        .optional("alt", \.alt, .text),
        .optional("page", \.page, .url),
        .list("tags", \.tags, .array(of: .text, "an array of strings")),
        .optional("author", \.author, person),
        .list("authors", \.authors, .array(of: person, "an array of authors", atMost: 1_000)),
        .optional("credit", \.credit, .text),
        .optional("license", \.license, .object(license, from: { License(id: "") }, text: \.id)),
        .optional("created", \.created, .date),
        .optional("createdUntil", \.createdUntil, .date),
        .optional(
            "location", \.location,
            .object(location, from: Location.init, isEmpty: { $0 == Location() }, text: \.summary)),
        .optional("camera", \.camera, .object(camera, from: Camera.init, isEmpty: { $0 == Camera() }, text: \.name)),
        .list("colors", \.colors, .array(of: .color, "an array of strings")),
        .list("stats", \.stats, .statistics),
        .required("media", \.media, .array(of: file, "an array of media", atMost: 1_000), .requiredByContract),
        .optional("rating", \.rating, .choice),
        .optional("aiGenerated", \.isAIGenerated, .flag),
        Field(
            name: "extra", presence: .optional, expectation: "an object",
            // What it has is gathered with the members that the contract does not name.
            read: { reader, _ throws(ContractViolation) in try reader.takeExtra() },
            write: { item, json in
                guard let extra = item.extra else { return }
                json.name("extra")
                json.value(extra)
            },
            texts: []),
    ]

    package static let author = Schema<Author>(
        "Author", "an author",
        [
            .required("name", \.name, .nonEmptyText), .optional("id", \.id, .identifier),
            .optional("url", \.url, .url),
        ])

    private static let person = FieldType<Author>.object(author, from: { Author(name: "") }, text: \.name)

    package static let license = Schema<License>(
        "License", "a licence",
        [
            .required("id", \.id, .nonEmptyText), .optional("name", \.name, .text), .optional("url", \.url, .url),
        ])

    package static let location = Schema<Location>(
        "Location", "a location",
        [
            .optional("name", \.name, .text), .optional("city", \.city, .text), .optional("country", \.country, .text),
            .optional("latitude", \.latitude, .number(-90...90, "degrees from -90 to 90")),
            .optional("longitude", \.longitude, .number(-180...180, "degrees from -180 to 180")),
        ])

    package static let camera = Schema<Camera>(
        "Camera", "a camera",
        [
            .optional("make", \.make, .text), .optional("model", \.model, .text), .optional("lens", \.lens, .text),
            .optional("exposure", \.exposure, .text), .optional("aperture", \.aperture, .text),
            .optional("focalLength", \.focalLength, .text),
            .optional("iso", \.iso, .integer(1...10_000_000, "a whole number above 0")),
        ])

    package static let media = Schema<Media>(
        "Media", "a media entry",
        [
            .required("role", \.role, .choice, .requiredByContract), .required("url", \.url, .fileURL),
            .optional("file", \.file, .integer(1...1_000, "a whole number from 1 to 1000")),
            .optional("type", \.type, .choice),
            .list(
                "frames", \.frames,
                .array(
                    of: .object(frame, from: { Media.Frame(file: "", delay: 0) }, text: nil), "an array of frames",
                    atMost: 10_000)),
            .optional("width", \.width, .integer(1...1_000_000, "a whole number of pixels")),
            .optional("height", \.height, .integer(1...1_000_000, "a whole number of pixels")),
            .optional("bytes", \.bytes, .integer(0...(1 << 50), "a whole number of bytes")),
            .optional("format", \.format, .text), .optional("expires", \.expires, .date),
            .optional("watermarked", \.isWatermarked, .flag), .list("headers", \.headers, .namedStrings),
        ])

    package static let frame = Schema<Media.Frame>(
        "Frame", "a frame",
        [
            .required("file", \.file, .nonEmptyText),
            .required("delay", \.delay, .integer(0...3_600_000, "a whole number of milliseconds")),
        ])

    static let file = FieldType<Media>.object(media, from: { Media(role: .original, url: .unset) }, text: nil)
}

extension Page {
    /// The most items of a page.
    package static let maximumItemCount = 10_000

    /// The fields of a page.
    package static let schema = Schema<Page>(
        "Page", "a page: an object with items", onlyMembers: "items, total, received and next",
        [
            .required(
                "items", \.items, .array(of: .item, "an array of items", atMost: maximumItemCount, losing: .item)),
            .optional("total", \.total, .integer(0...(1 << 52), "a whole number of at least 0")),
            .optional("received", \.received, .integer(0...1_000_000, "a whole number of at least 0")),
            Field(
                name: "next", presence: .decisive, expectation: "a JSON value",
                read: { reader, page throws(ContractViolation) in
                    page.next = try reader.takeAbsent("a JSON value") ? .end : .cursor(reader.jsonText())
                },
                write: { page, json in
                    guard page.next != .counted else { return }
                    json.name("next")
                    if case .cursor(let cursor) = page.next { json.value(cursor) } else { json.value(JSONText.null) }
                },
                texts: []),
        ])
}

extension FieldType<Item> {
    fileprivate static let item = FieldType(
        expectation: "an item", read: { reader throws(ContractViolation) in try Item(&reader) },
        write: { $1.value($0.contractJSON) }, text: nil)
}

extension WebURL {
    /// Stands in until all of an object has been read.
    package static let unset: WebURL = {
        do { return try WebURL("https://unset.invalid/") } catch { preconditionFailure("a valid URL: \(error)") }
    }()
}

extension ProviderID {
    /// Stands in until it is known whose an item is.
    package static let unset = ProviderID("unset") ?? { preconditionFailure("a valid id") }()
}

extension ItemSchema {
    /// The shapes of an item and of its parts: the interface in `imgscript.d.ts`, and the fields' names.
    package static var shapes: [(interface: String, names: [String])] {
        [
            (contract.interface, contract.names), (author.interface, author.names), (license.interface, license.names),
            (location.interface, location.names), (camera.interface, camera.names), (media.interface, media.names),
            (frame.interface, frame.names),
        ]
    }
}
