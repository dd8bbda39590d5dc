import HTTPTypes

/// What the lines of a request that a response depends on said, as keyed hashes (RFC 9111 §4.1).
///
/// Hashes, because such a line may be `Authorization` or `Cookie`.
struct VarySelection: Hashable, Sendable {
    /// One nominated line.
    struct Line: Hashable, Sendable {
        let name: String
        /// The hash of the normalised value; nil when the request had no such line.
        let hash: [UInt8]?
    }

    let lines: [Line]

    init(lines: [Line] = []) { self.lines = lines }

    /// The selection a response makes for the request that led to it.
    init(_ vary: Vary, request: HTTPFields, hash: KeyedHash) {
        lines = vary.names.map { Line(name: $0, hash: Self.hash(of: $0, in: request, with: hash)) }
    }

    /// Whether a request would be answered by the same response (RFC 9111 §4.1).
    func matches(_ request: HTTPFields, response: HTTPFields, hash: KeyedHash) -> Bool {
        lines.allSatisfy { line in
            if Self.hash(of: line.name, in: request, with: hash) == line.hash { return true }
            return line.name == "accept-language" && LanguageRange.isBest(response, for: request)
        }
    }

    private static func hash(of name: String, in request: HTTPFields, with hash: KeyedHash) -> [UInt8]? {
        Vary.normalisedValue(of: name, in: request).map { hash.hash(Array("\(name):\($0)".utf8)) }
    }
}
