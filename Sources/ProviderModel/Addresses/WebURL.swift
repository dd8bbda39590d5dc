/// An absolute `http` or `https` URL, read as browsers read it (the URL Standard) and written in their one form.
///
/// The form is what is compared with a provider's hosts, and what is sent: a host in ASCII, an address in its usual
/// spelling, a path without dot segments, everything else percent-encoded. A user name is refused: it has been used
/// against lists of hosts, and it would be a secret in every log.
public struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// The schemes a source may use.
    public enum Scheme: String, Sendable {
        case http
        case https

        /// The port used when the URL names none.
        public var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// The whole URL.
    public let description: String
    /// `http` or `https`.
    public let scheme: Scheme
    /// The port, the scheme's own when the URL names none.
    public let port: UInt16
    /// Where the host ends and the path begins in `description.utf8`.
    private let hostEnd: UInt16
    private let pathStart: UInt16

    /// Parses and normalises an absolute URL.
    ///
    /// - Parameter text: at most 8,192 bytes of UTF-8. White space around it and line ends in it are dropped, a backslash is
    ///   a slash, and what has to be is percent-encoded.
    /// - Throws: ``InvalidURL`` for another scheme than `http` and `https`, a user name, an invalid host or port, or a text
    ///   that is too long.
    public init(_ text: String) throws(InvalidURL) { self.init(try WebURLParser(text)) }

    private init(_ parser: WebURLParser) {
        description = parser.normalised
        scheme = parser.scheme
        port = parser.port ?? parser.scheme.defaultPort
        // A URL is never as long as an offset can be.
        hostEnd = UInt16(parser.scheme.rawValue.utf8.count + 3 + parser.host.utf8.count)
        pathStart = UInt16(parser.pathStart)
    }

    // MARK: Parts

    /// The host in lower case; an IPv6 address keeps its brackets.
    public var host: String {
        text(from: scheme == .https ? 8 : 7, to: Int(hostEnd))
    }

    /// `host`, with the port when it is not the scheme's own.
    public var authority: String { text(from: scheme == .https ? 8 : 7, to: Int(pathStart)) }

    /// Scheme, host and port, as RFC 6454 has it.
    public var origin: String { text(from: 0, to: Int(pathStart)) }

    /// Path and query, without the fragment: what a request line carries.
    public var target: String { text(from: Int(pathStart), to: targetEnd) }

    /// The URL without its fragment: origin and target.
    package var withoutFragment: String { text(from: 0, to: targetEnd) }

    /// Origin and path.
    package var withoutQuery: String { text(from: 0, to: pathEnd) }

    /// The last part of the path that is not empty, as it stands there; empty where there is none.
    package var lastPathPart: String {
        let end = pathEnd
        return withBytes { bytes in
            let slash = UInt8(ascii: "/")
            let path = bytes[Int(pathStart)..<end]
            guard let last = path.lastIndex(where: { $0 != slash }) else { return "" }
            let start = path[...last].lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start...last]), as: UTF8.self)
        }
    }

    /// The path alone, `/` when there is none.
    public var path: String { text(from: Int(pathStart), to: pathEnd) }

    /// The query without its question mark.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The query's names and values, decoded, in order.
    public var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentEncoding.decode(parts[0]), parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
        }
    }

    // MARK: Derived URLs

    /// Adds pairs to the query; the fragment is dropped.
    ///
    /// - Parameter items: names and values, which are percent-encoded.
    /// - Returns: the URL with the pairs at the end of its query; the URL itself when `items` is empty.
    /// - Throws: ``InvalidURL`` when the result is too long.
    public func appending(query items: [(name: String, value: String)]) throws(InvalidURL) -> WebURL {
        guard !items.isEmpty else { return self }
        let encoded = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        // A query may end with a question mark of its own (RFC 3986 §3.4).
        let joint = query.map { $0.isEmpty || $0.hasSuffix("&") ? "" : "&" } ?? "?"
        return try WebURL(origin + target + joint + encoded.joined(separator: "&"))
    }

    /// Resolves a reference against this URL.
    ///
    /// - Parameter reference: an absolute URL, or a relative one such as `//host/path`, `/path`, `name`, `?query` or `#fragment`.
    /// - Returns: the absolute URL; the URL without its fragment for an empty reference.
    /// - Throws: ``InvalidURL`` when the result is not a URL that this type accepts.
    public func resolving(_ reference: String) throws(InvalidURL) -> WebURL {
        WebURL(try WebURLParser(reference, base: self))
    }

    /// Compares the origins of two URLs (RFC 6454): credentials for one may be sent to the other only if they are equal.
    ///
    /// - Parameter other: the other URL.
    /// - Returns: whether scheme, host and port are equal.
    public func isSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    // MARK: Offsets

    /// A stretch of the URL: in its normal form all parts stand in it as they are.
    private func text(from start: Int, to end: Int) -> String {
        withBytes { bytes in
            start == 0 && end == bytes.count
                ? description : String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        }
    }

    /// Where the fragment begins, else the URL's end.
    private var targetEnd: Int { place { $0 == UInt8(ascii: "#") } }

    /// Where the query begins, or the fragment, else the URL's end.
    private var pathEnd: Int { place { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } }

    private func place(where isEnd: (UInt8) -> Bool) -> Int {
        withBytes { bytes in
            var place = Int(pathStart)
            while place < bytes.count, !isEnd(bytes[place]) { place += 1 }
            return place
        }
    }

    /// The bytes where they lie: `withUTF8` is for a copy that may be changed, which counts each reference.
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        description.utf8.withContiguousStorageIfAvailable(body) ?? Array(description.utf8).withUnsafeBufferPointer(body)
    }
}

/// Why a text is no `WebURL`, as a phrase that follows "expected an absolute URL, found …".
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found.
    public let description: String

    init(_ description: String) { self.description = description }
}
