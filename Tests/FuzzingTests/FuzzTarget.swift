/// A parser that is given any bytes, and the promises it is held to.
///
/// `make fuzz` looks for bytes that break them; `CorpusTests` holds the targets to those known so far.
enum FuzzTarget: String, CaseIterable {
    case hostMessages = "host-messages"
    case workerMessages = "worker-messages"
    case urls
    case responseHeads = "response-heads"
    case bodies
    case cacheControl = "cache-control"
    case vary
    case dates
    case ranges
    case cacheDecisions = "cache-decisions"
    case templates
    case pagePatterns = "page-patterns"
    case filePatterns = "file-patterns"
    case json
    case har
    case cassettes
    case packuments
    case versions
    case gzip
    case tar
    case minisign
    case curlCommands = "curl-commands"
    case cookies
    case setCookies = "set-cookies"
    case cookieFiles = "cookie-files"
    case browserCookies = "browser-cookies"
    case images
    case rateLimits = "rate-limits"
    case filters
    case cursors
    case inputs
    case lockfiles

    /// Gives bytes to the parser.
    func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .hostMessages: try Self.readHostMessage(bytes)
        case .workerMessages: try Self.readWorkerMessage(bytes)
        case .urls: try Self.readURL(bytes)
        case .responseHeads: try Self.readResponseHead(bytes)
        case .bodies: try Self.decodeBody(bytes)
        case .cacheControl: try Self.readCacheControl(bytes)
        case .vary: try Self.matchVary(bytes)
        case .dates: try Self.readDates(bytes)
        case .ranges: try Self.readRanges(bytes)
        case .cacheDecisions: try Self.decideOnCaching(bytes)
        case .templates: try Self.readTemplate(bytes)
        case .pagePatterns: try Self.matchPage(bytes)
        case .filePatterns: try Self.matchFile(bytes)
        case .json: try Self.readJSON(bytes)
        case .har: try Self.readHAR(bytes)
        case .cassettes: try Self.readCassette(bytes)
        case .packuments: try Self.readPackument(bytes)
        case .versions: try Self.readVersions(bytes)
        case .gzip: try Self.readGzip(bytes)
        case .tar: try Self.readTar(bytes)
        case .minisign: try Self.readMinisign(bytes)
        case .curlCommands: try Self.readCurlCommand(bytes)
        case .cookies: try Self.readCookies(bytes)
        case .setCookies: try Self.readSetCookies(bytes)
        case .cookieFiles: try Self.readCookieFile(bytes)
        case .browserCookies: try Self.readBrowserCookies(bytes)
        case .images: try Self.readImage(bytes)
        case .rateLimits: try Self.readRateLimits(bytes)
        case .filters: try Self.readFilter(bytes)
        case .cursors: try Self.readCursor(bytes)
        case .inputs: try Self.readInput(bytes)
        case .lockfiles: try Self.readLockfile(bytes)
        }
    }
}

/// What a parser did not keep to.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Fails where a promise is not kept.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(description: promise()) }
}

extension [UInt8] {
    /// The bytes as text, with the replacement character for what is not UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The text's lines, of which the last has all that is left.
    func lines(atMost count: Int = .max) -> [String] {
        split(separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
