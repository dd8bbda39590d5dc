import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads an item's files and writes them.
    mutating func mediaList(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        writer.write(WireField.Item.media.rawValue)
        let list = writer.openList()
        var count = 0
        try array("an array of media", atMost: 1_000) { reader throws(ContractViolation) in
            try reader.media(to: &writer, &unknown, below: depth)
            count += 1
        }
        writer.closeList(list, count: count)
    }

    /// Reads one file.
    mutating func media() throws(ContractViolation) -> Media {
        var unknown = UnknownFields()
        let depth = depth
        return try written { reader, writer throws(ContractViolation) in
            try reader.media(to: &writer, &unknown, below: depth)
        }
    }

    private mutating func media(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        var (hasRole, hasURL) = (false, false)
        try fields(of: MediaField.self, "a media entry") { reader, field throws(ContractViolation) in
            switch field {
            case .role:
                writer.write(WireField.Media.role.rawValue)
                writer.write(case: try reader.choice(of: Self.roles))
                hasRole = true
            case .url:
                writer.write(WireField.Media.url.rawValue)
                try reader.fileURL(to: &writer)
                hasURL = true
            case .width: try reader.pixels(WireField.Media.width, to: &writer)
            case .height: try reader.pixels(WireField.Media.height, to: &writer)
            case .bytes:
                try reader.integer(WireField.Media.bytes, in: 0...(1 << 50), "a whole number of bytes", to: &writer)
            case .format: try reader.text(WireField.Media.format, to: &writer)
            case .expires: try reader.date(WireField.Media.expires, to: &writer)
            case .watermarked:
                if try reader.takeAbsent("true or false") { break }
                writer.write(WireField.Media.watermarked.rawValue)
                writer.write(try reader.boolean())
            case .headers:
                writer.write(WireField.Media.headers.rawValue)
                writer.write(list: try reader.namedStrings())
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if !hasRole { try pass(missing("role", "one of original, large, regular, small, thumbnail")) }
        if !hasURL { try pass(missing("url", "an absolute URL")) }
        writer.endPart()
    }

    private mutating func fileURL(to writer: inout ByteWriter) throws(ContractViolation) {
        if let plain = takeText(where: { WebURL.isNormal($0) && !Self.mayBeRemains($0, isURL: true) }) {
            return writer.write(text: plain)
        }
        let url = try url()
        try checkIsNoRemains(url.path, "a file’s URL")
        writer.write(url)
    }

    private static let roles = NameTable<Media.Role>()

    private mutating func pixels(
        _ field: WireField.Media, to writer: inout ByteWriter
    ) throws(ContractViolation) {
        try integer(field, in: 1...1_000_000, "a whole number of pixels", to: &writer)
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
