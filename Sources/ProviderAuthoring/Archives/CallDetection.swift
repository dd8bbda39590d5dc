import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// Finds out which calls an archive's requests were made for, which a browser does not say.
///
/// The provider makes its requests with a mark in place of a text; what stands there in a recorded request is the text.
struct CallDetection {
    private let subject: ConformanceSubject
    private var templates: [(request: RequestTemplate, call: @Sendable (String) -> RecordedCall)] = []
    private var feeds: [(request: TransportRequest, call: RecordedCall)] = []

    /// A word and a number that no recording holds; some providers take only numbers for ids.
    private static let marks = ["imgscriptmark", "9876543219"]
    /// Sizes of a page that are tried, where the usual one was not recorded.
    private static let mostSizes = 6

    /// Learns what the provider asks, with the page sizes that these entries may have asked for.
    init(_ subject: ConformanceSubject, for entries: [Cassette.Entry]) async {
        self.subject = subject
        for limit in Self.limits(subject.manifest, entries) {
            let feed = RecordedCall(.feed, limit: limit)
            feeds += await requests(of: feed).map { ($0, feed) }
            for mark in Self.marks { await add(mark) { RecordedCall(.search, text: $0, limit: limit) } }
        }
        let collections = Set(subject.manifest.matches.filter { $0.type == .collection }.map(\.id) + ["{id}"])
        for mark in Self.marks {
            await add(mark) { RecordedCall(.details, item: $0) }
            for id in collections.sorted() {
                await add(mark) { text in RecordedCall(.collection, item: Template(id).filled { _ in text }) }
            }
        }
    }

    /// The call that an entry answers first; nil when no call is known to begin so.
    func call(of entry: Cassette.Entry) -> RecordedCall? {
        for template in templates {
            if let text = template.request.text(in: entry), !text.isEmpty { return template.call(text) }
        }
        return feeds.first { RequestDifference(of: $0.request, from: entry).isNone }?.call
    }

    private mutating func add(_ mark: String, _ call: @escaping @Sendable (String) -> RecordedCall) async {
        templates += await requests(of: call(mark)).map { (RequestTemplate($0, mark: mark), call) }
    }

    private func requests(of call: RecordedCall) async -> [TransportRequest] {
        guard subject.manifest.description(of: call.operation) != nil,
            let call = ProviderCall(call, of: subject.manifest),
            case .success(let requests) = await subject.firstRequests(of: call)
        else { return [] }
        return requests
    }

    /// The usual size, then sizes that recorded requests may have asked for.
    private static func limits(_ manifest: ProviderManifest, _ entries: [Cassette.Entry]) -> [Int] {
        let size = manifest.limits.pageSize
        let numbers = entries.flatMap(\.url.queryItems).compactMap { Int($0.value) }
        let sizes = Set(numbers).filter { $0 >= size.minimum && $0 <= size.maximum && $0 != size.default }
        return [size.default] + sizes.sorted().prefix(mostSizes)
    }
}
