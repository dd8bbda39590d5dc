import Foundation
import HTTPTypes
import ProviderLoading
import ProviderModel
import Testing

/// Real answers of the services, which lie outside the repository; `IMGSCRIPT_SAMPLES` names their folder.
enum RecordedSamples {
    static let folder = ProcessInfo.processInfo.environment["IMGSCRIPT_SAMPLES"]

    /// A recorded answer for the requests whose URL contains `part`.
    static func answer(_ provider: String, _ file: String, to part: String = "") throws -> ScriptedTransport.Answer {
        let folder = URL(filePath: try #require(folder)).appending(path: provider)
        var answer = ScriptedTransport.Answer(part: part)
        answer.body = Array(try Data(contentsOf: folder.appending(path: file)))
        let head = folder.appending(path: file.prefix { $0 != "." } + ".http.json")
        guard let data = try? Data(contentsOf: head) else { return answer }  // most samples have no head
        let stored = try JSONDecoder().decode(Head.self, from: data).response
        answer.status = stored.status
        answer.headers = HTTPFields(stored.headers.map { HTTPField(name: HTTPField.Name($0.key)!, value: $0.value) })
        return answer
    }

    private struct Head: Decodable {
        struct Response: Decodable {
            var status: Int
            var headers: [String: String]
        }

        var response: Response
    }
}

/// Recorded answers, what is done with them, and what comes out.
struct RecordedSample: Sendable, CustomTestStringConvertible {
    /// What a provider is asked for.
    enum Action: Sendable {
        case search
        case feed([String: String] = [:])
        case details
        case collection
    }

    var provider: String
    var action: Action
    /// Files by the part of the URL they answer.
    var files: [String: String]
    /// More answers, by the part of the URL, that no sample has.
    var texts: [String: String] = [:]
    var count = 1
    var total: Int?
    var lastID: String?
    /// The first item's `summary`.
    var first: String?

    init(
        _ provider: String, _ action: Action, _ file: String, count: Int = 1, total: Int? = nil, lastID: String? = nil,
        first: String? = nil
    ) {
        self.provider = provider
        self.action = action
        self.count = count
        self.total = total
        self.lastID = lastID
        self.first = first
        files = ["": file]
    }

    var testDescription: String { "\(provider) \(files.values.sorted().joined(separator: ", "))" }

    /// What the provider's script reads in the recorded answers.
    func page() async throws -> Page {
        var answers = texts.map { ScriptedTransport.Answer(part: $0.key, body: Array($0.value.utf8)) }
        for (part, file) in files { answers.append(try RecordedSamples.answer(provider, file, to: part)) }
        let source = try await TestProvider.shipped(provider, over: ScriptedTransport(answers))
        var query = ProviderQuery()
        switch action {
        case .search:
            query.text = "x"
            return try await source.page(of: .search, for: query)
        case .feed(let parameters):
            query.parameters = parameters.map { ProviderQuery.Parameter($0.key, .text($0.value)) }
            return try await source.page(of: .feed, for: query)
        case .details:
            return Page(items: [try await source.details(of: Item(provider: source.manifest.id, id: "x1"))])
        case .collection:
            let item = Item(provider: source.manifest.id, id: "collection:301", type: .collection)
            return try await source.page(of: .collection(item), for: query)
        }
    }
}
