import ProviderModel

extension Item {
    /// Reads an item from JSON with the contract's field names, as `write(to:)` writes it; fields of other names are
    /// passed over.
    init(_ json: JSONValue) throws(InvalidItem) {
        let fields = try JSONFields(json, at: "")
        let name = try fields.requiredText("provider")
        guard let provider = ProviderID(name) else {
            throw InvalidItem(description: "provider: expected a provider's name, found \(name.quoted)")
        }
        self.init(provider: provider, id: try fields.requiredText("id"), type: try fields.choice("type") ?? .image)
        title = try fields.text("title")
        description = try fields.text("description")
        page = try fields.url("page")
        tags = try fields.texts("tags")
        author = try fields.object("author").map { fields throws(InvalidItem) in try Author(fields) }
        license = try fields.object("license").map { fields throws(InvalidItem) in try License(fields) }
        created = try fields.text("created")
        location = try fields.object("location").map { fields throws(InvalidItem) in try Location(fields) }
        camera = try fields.object("camera").map { fields throws(InvalidItem) in try Camera(fields) }
        colors = try fields.texts("colors")
        rating = try fields.choice("rating")
        for stat in fields["stats"]?.members ?? [] {
            guard case .number(let literal) = stat.value, let value = Double(literal) else { continue }
            stats.append(Statistic(name: stat.name, value: value))
        }
        for file in try fields.objects("media") { media.append(try Media(file)) }
        if let rest = fields["extra"], rest.members != nil { extra = JSONText(validated: rest.compact) }
    }
}

extension Media {
    fileprivate init(_ fields: JSONFields) throws(InvalidItem) {
        guard let url = try fields.url("url") else { throw fields.missing("url", "an absolute URL") }
        self.init(role: try fields.choice("role") ?? .original, url: url)
        width = try fields.whole("width")
        height = try fields.whole("height")
        bytes = try fields.whole("bytes")
        format = try fields.text("format")
        expires = try fields.text("expires")
        if case .boolean(let flag)? = fields["watermarked"] { isWatermarked = flag }
        for header in fields["headers"]?.members ?? [] {
            if let value = header.value.textValue { headers.append(NamedValue(header.name, value)) }
        }
    }
}

extension Author {
    fileprivate init(_ fields: JSONFields) throws(InvalidItem) {
        self.init(name: try fields.requiredText("name"), id: try fields.text("id"), url: try fields.url("url"))
    }
}

extension License {
    fileprivate init(_ fields: JSONFields) throws(InvalidItem) {
        self.init(id: try fields.requiredText("id"), name: try fields.text("name"), url: try fields.url("url"))
    }
}

extension Location {
    fileprivate init(_ fields: JSONFields) throws(InvalidItem) {
        self.init()
        name = try fields.text("name")
        city = try fields.text("city")
        country = try fields.text("country")
        latitude = try fields.number("latitude")
        longitude = try fields.number("longitude")
    }
}

extension Camera {
    fileprivate init(_ fields: JSONFields) throws(InvalidItem) {
        self.init()
        make = try fields.text("make")
        model = try fields.text("model")
        lens = try fields.text("lens")
        exposure = try fields.text("exposure")
        aperture = try fields.text("aperture")
        focalLength = try fields.text("focalLength")
        iso = try fields.whole("iso")
    }
}

/// Why JSON is no item: where, what was expected, what was found.
struct InvalidItem: Error, Hashable, CustomStringConvertible {
    let description: String
}
