/// The author of an item.
public struct Author: Hashable, Sendable {
    /// The name to credit.
    public var name: String
    /// The source's id for the author.
    public var id: String?
    /// The author's page.
    public var url: WebURL?

    /// Creates an author.
    ///
    /// - Parameters:
    ///   - name: the name to credit.
    ///   - id: the source's id for the author.
    ///   - url: the author's page.
    public init(name: String, id: String? = nil, url: WebURL? = nil) {
        self.name = name
        self.id = id
        self.url = url
    }
}

/// The licence of an item.
public struct License: Hashable, Sendable {
    /// A short stable id, SPDX-like where one exists: `cc-by-4.0`, `cc0-1.0`, `unsplash`.
    public var id: String
    /// The licence's full name.
    public var name: String?
    /// The URL of the licence's text.
    public var url: WebURL?

    /// Creates a licence.
    ///
    /// - Parameters:
    ///   - id: a short stable id, SPDX-like where one exists: `cc-by-4.0`.
    ///   - name: the full name.
    ///   - url: the licence's text.
    public init(id: String, name: String? = nil, url: WebURL? = nil) {
        self.id = id
        self.name = name
        self.url = url
    }
}

/// The place where an item was made.
public struct Location: Hashable, Sendable {
    /// The name of the place.
    public var name: String?
    /// The city.
    public var city: String?
    /// The country.
    public var country: String?
    /// Degrees north, -90 to 90.
    public var latitude: Double?
    /// Degrees east, -180 to 180.
    public var longitude: Double?

    /// Creates a location without any fields.
    public init() {}
}

/// The camera that an item was made with.
public struct Camera: Hashable, Sendable {
    /// The maker.
    public var make: String?
    /// The model.
    public var model: String?
    /// The lens.
    public var lens: String?
    /// The exposure time in seconds as text: `1/250`.
    public var exposure: String?
    /// The f-number as text: `4.5`.
    public var aperture: String?
    /// The focal length in millimetres as text.
    public var focalLength: String?
    /// The ISO speed.
    public var iso: Int?

    /// Creates a camera without any fields.
    public init() {}
}

extension Location {
    /// The place in words: name, town and country, each once; else its coordinates.
    package var summary: String? {
        var words: [String] = []
        for word in [name, city, country].compactMap(\.self) where !words.contains(where: { $0.holds(word) }) {
            words.append(word)
        }
        if !words.isEmpty { return words.joined(separator: ", ") }
        guard let latitude, let longitude else { return nil }
        return "\(latitude.shortest), \(longitude.shortest)"
    }
}

extension Camera {
    /// Maker and model, the maker once where the model's name begins with it.
    package var name: String? {
        guard let make, let model else { return model ?? make }
        return model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
    }
}

extension WebURL {
    /// The last part of the path, decoded.
    private var fileName: String { PercentEncoding.decode(lastPathPart) }

    /// The last part of the path without its ending; the host where the path is empty.
    package var fileStem: String {
        let name = fileName
        guard !name.isEmpty else { return host }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The ending of the path's last part in lower case, where it looks like one.
    package var fileEnding: String? {
        let name = fileName
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        let isPlain = ending.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
        return isPlain && (1...5).contains(ending.utf8.count) ? ending : nil
    }
}

extension License {
    /// The licence in a word or two: `CC BY-SA 4.0` for `cc-by-sa-4.0`, else the name, else the id.
    package var shortName: String {
        let parts = id.lowercased().split(separator: "-")
        guard let family = parts.first, ["cc", "cc0", "pdm"].contains(family) else {
            return (name ?? id).withoutLicenseWord
        }
        if family == "pdm" { return "Public domain" }
        let version = parts.last.flatMap { $0.first?.isNumber == true ? String($0) : nil }
        let terms = parts.dropFirst().dropLast(version == nil ? 0 : 1).joined(separator: "-")
        return [family.uppercased(), terms.uppercased(), version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension String {
    /// `Pixabay Content` for `Pixabay Content License`.
    fileprivate var withoutLicenseWord: String {
        for word in [" License", " Licence", " license", " licence"] where hasSuffix(word) && count > word.count {
            return String(dropLast(word.count))
        }
        return self
    }
}
