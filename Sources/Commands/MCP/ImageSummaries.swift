import ImgScript
import ProviderModel
import Synchronization

/// Writes images as tools give them: short enough to read many, each with its licence and credit.
struct ImageSummaries {
    /// The most characters of a description, and the most tags, that are given.
    private static let textLimit = 300
    private static let tagLimit = 12

    private let engine: ImageEngine
    private var writers: [ProviderID: AttributionWriter] = [:]

    init(_ engine: ImageEngine) { self.engine = engine }

    /// The credit of an item, as downloads write it.
    mutating func credit(of item: Item) async throws -> ItemAttribution {
        if let writer = writers[item.provider] { return writer.attribution(of: item) }
        let writer = try await engine.attributionWriter(for: item.provider)
        writers[item.provider] = writer
        return writer.attribution(of: item)
    }

    mutating func json(of item: Item) async throws -> JSONValue {
        let (credit, best) = (try await credit(of: item), item.bestMedia)
        let license = item.license.map { license in
            JSONValue.members([
                ("id", .string(license.id)), ("name", .string(license.name)),
                ("url", .string(license.url?.description)),
            ])
        }
        return .members([
            ("ref", .string(item.reference)), ("title", .string(item.title)), ("author", .string(item.author?.name)),
            ("license", license), ("credit", .string(credit.text)), ("credit_markdown", .string(credit.markdown)),
            ("page", .string(item.page?.description)), ("author_url", .string(item.author?.url?.description)),
            ("alt", .string(item.alt)),
            ("description", .string(item.description.map { String($0.prefix(Self.textLimit)) })),
            ("tags", item.tags.isEmpty ? nil : .texts(Array(item.tags.prefix(Self.tagLimit)))),
            ("created", .string(item.created)), ("width", .integer(best?.width)), ("height", .integer(best?.height)),
            ("format", .string(best?.format)), ("rating", .string(item.rating?.rawValue)),
            ("ai_generated", item.isAIGenerated.map { .boolean($0) }),
            ("resource", .string(MCPResources.imageScheme + PercentEncoding.encode(item.reference))),
        ])
    }
}

/// What a call has to say beside its result, each sentence once.
final class MCPNotes: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock(\.self) }

    func add(_ text: String) { texts.withLock { if !$0.contains(text) { $0.append(text) } } }

    /// Collects the notices of a call of the engine.
    var context: EngineContext {
        EngineContext { notice in
            switch notice {
            case .warning(let text, _): self.add(text)
            case .waiting(let provider, let seconds, let reason):
                self.add("\(provider): waited \(seconds) s: \(reason)")
            case .stored(let provider, _, let age, isStale: true):
                self.add("\(provider): cached results, up to \(Duration.seconds(age).inWords) old")
            case .leftOut(let provider, let faults):
                if let first = faults.first { self.add("\(provider): left out \(first.path): \(first.message)") }
            case .request, .response, .stored, .console: break
            }
        }
    }
}

extension ItemFilter {
    /// Leaves out images whose source states no licence.
    mutating func requireLicense() throws { expression = try FilterExpression("license") }
}

extension Item {
    /// Throws where the source states no licence.
    func checkLicense() throws(MCPTool.Failure) {
        guard license == nil else { return }
        throw MCPTool.Failure(
            message: "\(reference) has no stated licence, so it may not be used without asking its author",
            hint: "include_unlicensed shows it all the same")
    }
}
