/// Reads a URL as browsers do (URL Standard §4.4), as far as `http` and `https` go, and writes it in its one form.
struct WebURLParser {
    private(set) var scheme = WebURL.Scheme.https
    private(set) var host = ""
    private(set) var port: UInt16?
    private(set) var normalised = ""
    private(set) var pathStart = 0

    /// The text as it came, for errors.
    private let text: String
    private let base: WebURL?
    private var path: [[UInt8]] = []
    private var query: ArraySlice<UInt8>?
    private var fragment: ArraySlice<UInt8>?

    /// The most bytes of a URL, as it came and in its normal form.
    private static let maximumLength = 8_192

    /// Reads an absolute URL, or a reference where there is a base.
    init(_ text: String, base: WebURL? = nil) throws(InvalidURL) {
        (self.text, self.base) = (text, base)
        try check(length: text.utf8.count)
        if base == nil, takeNormalForm() { return }
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        if bytes.contains(where: \.isTabOrLineEnd) { bytes = bytes.filter { !$0.isTabOrLineEnd }[...] }
        if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
            fragment = bytes[(hash + 1)...]
            bytes = bytes[..<hash]
        }
        if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
            query = bytes[(mark + 1)...]
            bytes = bytes[..<mark]
        }
        try parse(bytes)
        write()
        // Else what was accepted here would be refused where it is read again.
        try check(length: normalised.utf8.count)
    }

    private func check(length: Int) throws(InvalidURL) {
        guard length <= Self.maximumLength else {
            throw InvalidURL("a URL of \(length) bytes, more than \(Self.maximumLength)")
        }
    }

    // MARK: The usual case

    /// Takes a URL that is in its normal form already, without a port or an address for a host; most are.
    private mutating func takeNormalForm() -> Bool {
        let bytes = text.utf8
        scheme = bytes.starts(with: "http:".utf8) ? .http : .https
        let head = "\(scheme.rawValue)://"
        guard bytes.starts(with: head.utf8) else { return false }
        let afterHead = bytes.dropFirst(head.utf8.count)
        let name = afterHead.prefix { $0 != UInt8(ascii: "/") }
        guard let lastDot = name.lastIndex(of: UInt8(ascii: ".")), let last = name[lastDot...].dropFirst().first,
            (0x61...0x7a).contains(last), name.count <= 255, name.endIndex < bytes.endIndex,
            name.allSatisfy({ $0.isHostByte && !(0x41...0x5a).contains($0) })
        else { return false }
        var before = UInt8(ascii: "/")
        for byte in bytes[name.endIndex...] {
            // Behind a slash, a dot may be a segment that is resolved, and `%2e` is one.
            guard byte.isPlain, before != UInt8(ascii: "/") || byte != UInt8(ascii: ".") && byte != UInt8(ascii: "%")
            else { return false }
            before = byte
        }
        (host, normalised, pathStart) = (String(Substring(name)), text, head.utf8.count + name.count)
        return true
    }

    // MARK: Scheme and authority

    private mutating func parse(_ bytes: ArraySlice<UInt8>) throws(InvalidURL) {
        guard let (name, rest) = Self.scheme(of: bytes) else { return try parseReference(bytes) }
        guard let scheme = WebURL.Scheme(rawValue: name) else { throw InvalidURL(text.quoted) }
        // `http:name` is relative to a base of this scheme.
        if let base, base.scheme == scheme, !(rest.first?.isSlash == true && rest.dropFirst().first?.isSlash == true) {
            return try parseReference(rest)
        }
        self.scheme = scheme
        try parseAuthority(rest.drop(while: \.isSlash))
    }

    /// The scheme in lower case, and what follows its colon.
    private static func scheme(of bytes: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
        guard let first = bytes.first, (0x61...0x7a).contains(first | 0x20),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[..<colon].allSatisfy(\.isSchemeByte)
        else { return nil }
        return (String(decoding: bytes[..<colon], as: UTF8.self).lowercased(), bytes[(colon + 1)...])
    }

    private mutating func parseReference(_ bytes: ArraySlice<UInt8>) throws(InvalidURL) {
        guard let base else { throw InvalidURL(text.isEmpty ? "an empty string" : text.quoted) }
        scheme = base.scheme
        if bytes.first?.isSlash == true, bytes.dropFirst().first?.isSlash == true {
            return try parseAuthority(bytes.drop(while: \.isSlash))
        }
        host = base.host
        port = base.port == base.scheme.defaultPort ? nil : base.port
        if bytes.first?.isSlash == true { return parsePath(bytes) }
        let known = Array(base.path.utf8).dropFirst().split(separator: .slash, omittingEmptySubsequences: false)
        path = known.map { Array($0) }
        if bytes.isEmpty {
            if query == nil { query = base.query.map { Array($0.utf8)[...] } }
        } else {
            path = path.dropLast()
            parsePath(bytes)
        }
    }

    private mutating func parseAuthority(_ bytes: ArraySlice<UInt8>) throws(InvalidURL) {
        var authority = bytes.prefix { !$0.isSlash }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            let user = authority[..<at]
            authority = authority[(at + 1)...]
            // Browsers drop one that is empty.
            guard user.isEmpty || user.elementsEqual(":".utf8) else {
                let shown = "\(scheme.rawValue)://***" + String(decoding: bytes[at...], as: UTF8.self)
                throw InvalidURL("\(shown.quoted), which carries a user name")
            }
        }
        let bracket = authority.first == UInt8(ascii: "[") ? authority.firstIndex(of: UInt8(ascii: "]")) : nil
        let colon = authority[(bracket ?? authority.startIndex)...].firstIndex(of: UInt8(ascii: ":"))
        let name = authority[..<(colon ?? authority.endIndex)]
        if let colon { port = try Self.port(authority[(colon + 1)...], in: text) }
        guard let host = HostParser.parse(name) else { throw InvalidURL("\(text.quoted), whose host is not valid") }
        self.host = host
        parsePath(bytes[authority.endIndex...])
    }

    private static func port(_ digits: ArraySlice<UInt8>, in text: String) throws(InvalidURL) -> UInt16? {
        guard !digits.isEmpty else { return nil }
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: digits, as: UTF8.self))
        else { throw InvalidURL("\(text.quoted), whose port is not a number up to 65535") }
        return number
    }

    // MARK: Path

    /// Adds segments, and resolves those that are dots.
    private mutating func parsePath(_ bytes: ArraySlice<UInt8>) {
        let bytes = bytes.first?.isSlash == true ? bytes.dropFirst() : bytes
        let segments = bytes.split(omittingEmptySubsequences: false, whereSeparator: \.isSlash)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch Self.dots(in: segment) {
            case 1: if isLast { path.append([]) }
            case 2:
                _ = path.popLast()
                if isLast { path.append([]) }
            default: path.append(Self.encoded(segment, where: \.isPathByte))
            }
        }
    }

    /// The number of dots that a segment consists of, `%2e` being one; 0 for a segment with anything else.
    private static func dots(in segment: ArraySlice<UInt8>) -> Int {
        var (rest, count) = (segment, 0)
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
        }
        return count > 2 ? 0 : count
    }

    private static func encoded(_ bytes: ArraySlice<UInt8>, where isKept: (UInt8) -> Bool) -> [UInt8] {
        if bytes.allSatisfy(isKept) { return Array(bytes) }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if isKept(byte) { encoded.append(byte) } else { PercentEncoding.append(byte, to: &encoded) }
        }
        return encoded
    }

    // MARK: The result

    private mutating func write() {
        if port == scheme.defaultPort { port = nil }
        let head = "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "")
        pathStart = head.utf8.count
        var bytes = Array(head.utf8)
        for segment in path {
            bytes.append(.slash)
            bytes += segment
        }
        if path.isEmpty { bytes.append(.slash) }
        if let query { bytes += [UInt8(ascii: "?")] + Self.encoded(query, where: \.isQueryByte) }
        if let fragment { bytes += [UInt8(ascii: "#")] + Self.encoded(fragment, where: \.isFragmentByte) }
        normalised = String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")

    /// Both kinds of slash part a URL of the web.
    fileprivate var isSlash: Bool { self == .slash || self == UInt8(ascii: "\\") }

    fileprivate var isTabOrLineEnd: Bool { self == 0x09 || self == 0x0a || self == 0x0d }

    fileprivate var isSchemeByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
        }
    }

    /// Whether a byte stands for itself in every part (URL Standard §1.3).
    fileprivate var isPlain: Bool { isPathByte && isQueryByte && isFragmentByte && self != UInt8(ascii: "\\") }

    fileprivate var isPathByte: Bool {
        switch self {
        case UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "`"): false
        default: self != UInt8(ascii: "#") && isVisible
        }
    }

    fileprivate var isQueryByte: Bool { self != UInt8(ascii: "'") && self != UInt8(ascii: "#") && isVisible }

    fileprivate var isFragmentByte: Bool { self != UInt8(ascii: "`") && isVisible }

    private var isVisible: Bool {
        switch self {
        case 0...0x20, 0x7f...0xff, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
        default: true
        }
    }
}
