import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads an item's files.
    mutating func mediaList(_ unknown: inout UnknownFields, below depth: Int) throws(ContractViolation) -> [Media] {
        var list: [Media] = []
        try array("an array of media", atMost: 1_000) { reader throws(ContractViolation) in
            list.append(try reader.media(&unknown, below: depth))
        }
        return list
    }

    private mutating func media(_ unknown: inout UnknownFields, below depth: Int) throws(ContractViolation) -> Media {
        var role: Media.Role?
        var url: WebURL?
        var media = Media(role: .original, url: WireItemDefaults.url)
        try fields(of: MediaField.self, "a media entry") { reader, field throws(ContractViolation) in
            switch field {
            case .role: role = try reader.choice(of: Self.roles)
            case .url:
                let found = try reader.url()
                // The path is cut out only where that may tell something.
                if Self.mayBeRemains(found.description, isURL: true) {
                    try reader.checkIsNoRemains(found.path, "a file’s URL")
                }
                url = found
            case .width: media.width = try reader.pixels()
            case .height: media.height = try reader.pixels()
            case .bytes: media.bytes = try reader.optionalInteger(in: 0...(1 << 50), "a whole number of bytes")
            case .format: media.format = try reader.optionalString()
            case .expires: media.expires = try reader.date()
            case .watermarked:
                media.isWatermarked = try reader.takeAbsent("true or false") ? nil : try reader.boolean()
            case .headers: media.headers = try reader.namedStrings()
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        guard let role else { throw missing("role", "one of original, large, regular, small, thumbnail") }
        guard let url else { throw missing("url", "an absolute URL") }
        media.role = role
        media.url = url
        return media
    }

    private static let roles = NameTable<Media.Role>()

    private mutating func pixels() throws(ContractViolation) -> Int? {
        try optionalInteger(in: 1...1_000_000, "a whole number of pixels")
    }

    /// Reads what `download` gave: the media with another URL and headers.
    mutating func download(of media: Media) throws(ContractViolation) -> Media {
        var media = media
        var url: WebURL?
        try object("an object with a url") { reader, name throws(ContractViolation) in
            switch DownloadField(rawValue: name) {
            case .url: url = try reader.url()
            case .headers: media.headers = try reader.namedStrings()
            case nil: try reader.skip()
            }
        }
        guard let url else { throw missing("url", "an absolute URL") }
        media.url = url
        return media
    }

    /// Reads an object of strings, which may be absent.
    mutating func namedStrings() throws(ContractViolation) -> [NamedValue] {
        if try takeAbsent("an object of strings") { return [] }
        var values: [NamedValue] = []
        try object("an object of strings") { reader, name throws(ContractViolation) in
            if let value = try reader.optionalString() { values.append(NamedValue(name, value)) }
        }
        return values
    }

    /// Reads what `session` gave.
    mutating func sessionValues() throws(ContractViolation) -> (values: [NamedValue], expiresIn: Int?) {
        var values: [NamedValue]?
        var expiresIn: Int?
        try object("an object with values") { reader, name throws(ContractViolation) in
            switch SessionField(rawValue: name) {
            case .values: values = try reader.namedStrings()
            case .expiresIn: expiresIn = try reader.optionalInteger(in: 1...100_000_000, "a whole number of seconds")
            case nil: throw reader.unknown(name, in: SessionField.self, "values and expiresIn")
            }
        }
        guard let values else { throw missing("values", "an object of strings") }
        return (values, expiresIn)
    }
}

/// Placeholders for what is known only after an object has been read to its end.
enum WireItemDefaults {
    static let url: WebURL = {
        do { return try WebURL("https://unset.invalid/") } catch { preconditionFailure("a valid URL") }
    }()

    static let provider = WireItem.unknownProvider
}
