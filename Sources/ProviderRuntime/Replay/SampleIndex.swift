import Glibc
import HTTPTransport
import ProviderModel

/// All cassettes of one provider.
package struct SampleIndex: Sendable {
    private let cassettes: [Cassette]

    /// Cassettes that have been read.
    package init(_ cassettes: [Cassette]) { self.cassettes = cassettes }

    /// Answers that are neither errors nor empty.
    package var good: [Cassette.Entry] {
        cassettes.filter { !["empty", "errors"].contains($0.name) }.flatMap(\.entries)
            .filter { (200..<300).contains($0.status) }
    }

    /// Reads every cassette of a folder, in alphabetical order.
    init(folder: String) throws(CassetteError) {
        guard let directory = opendir(folder) else {
            throw CassetteError(path: folder, reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".json") { names.append(name) }
        }
        var cassettes: [Cassette] = []
        for name in names.sorted() { cassettes.append(try Cassette(contentsOf: "\(folder)/\(name)")) }
        self.cassettes = cassettes
    }

    /// The entry of the very same request, else the good answer to the most similar one.
    package func entry(for request: TransportRequest) -> Cassette.Entry? {
        let wanted = RequestLikeness(request)
        var best: (score: Int, entry: Cassette.Entry)?
        for cassette in cassettes {
            for entry in cassette.entries where wanted.isComparable(to: entry) {
                if wanted.isSame(as: entry) { return entry }
                // An error or an empty answer is only given to the one request it was recorded for.
                guard (200..<300).contains(entry.status), !["empty", "errors"].contains(cassette.name) else { continue }
                let score = wanted.score(of: entry)
                if score > best?.score ?? -1 { best = (score, entry) }
            }
        }
        return best?.entry
    }

    /// The server of the first answer.
    var origin: WebURL? {
        cassettes.first { !$0.entries.isEmpty }.flatMap { try? WebURL($0.entries[0].url.origin) }  // an origin is a URL
    }

    /// Recorded paths on the same host, for an error message.
    func paths(like request: TransportRequest) -> [String] {
        let entries = cassettes.flatMap(\.entries).filter { $0.url.host == request.url.host && $0.status == 200 }
        var paths: [String] = []
        for entry in entries where !paths.contains(entry.url.path) { paths.append(entry.url.path) }
        return paths
    }
}

/// How alike a request and a recorded one are.
private struct RequestLikeness {
    private let request: TransportRequest
    private let pairs: Set<NamedValue>
    private let body: RequestBody

    init(_ request: TransportRequest) {
        self.request = request
        body = RequestBody(request.body)
        pairs = Set(request.url.queryItems.map { NamedValue($0.name, $0.value) })
    }

    func isComparable(to entry: Cassette.Entry) -> Bool {
        entry.method == request.method.rawValue && entry.url.origin == request.url.origin
            && entry.url.path == request.url.path
    }

    func isSame(as entry: Cassette.Entry) -> Bool {
        pairs == Set(entry.url.queryItems.map { NamedValue($0.name, $0.value) })
            && (request.body == entry.body || RequestBody(entry.body).differences(to: body).isEmpty)
    }

    /// How many query pairs agree, less the names that only one side has, and less what differs in the body.
    ///
    /// Another word is searched for with the same names: a list that is asked for without a word is further away.
    func score(of entry: Cassette.Entry) -> Int {
        let recorded = Set(entry.url.queryItems.map { NamedValue($0.name, $0.value) })
        let names = Set(pairs.map(\.name)).symmetricDifference(recorded.map(\.name))
        return 100 + 2 * pairs.intersection(recorded).count - names.count
            - (request.body == entry.body ? 0 : min(50, RequestBody(entry.body).differences(to: body).count))
    }
}
