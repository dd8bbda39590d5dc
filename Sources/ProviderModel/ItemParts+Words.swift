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
