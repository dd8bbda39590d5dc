extension String {
    /// Whether the text begins as the address of something on the web; RFC 3986 §3.1 has schemes in any capitals.
    package var isWebAddress: Bool {
        if hasPrefix("http://") || hasPrefix("https://") { return true }
        return scheme.map { ["http", "https"].contains($0) } ?? false
    }

    /// The scheme of an address that is none of the web: `ftp` of `ftp://host/file`; nil for any other text.
    package var foreignScheme: String? { isWebAddress ? nil : scheme }

    private var scheme: String? {
        guard let end = utf8.firstIndex(of: UInt8(ascii: ":")), end > startIndex,
            utf8[end...].starts(with: "://".utf8)
        else { return nil }
        let name = self[..<end]
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || "+-.".utf8.contains(byte)
        }
        return isName ? name.lowercased() : nil
    }
}

extension String {
    /// A URL's text with `***` in place of user name and password, so that it may be shown.
    package var maskingUserInfo: String {
        guard let scheme = place(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let end = authority.lastIndex(of: "@") else { return self }
        return self[..<scheme.upperBound] + "***" + self[end...]
    }
}

extension String {
    /// The path of a name in this folder; `/` ends in a slash already.
    package func path(to name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }
}
