import HTTPTransport
import ImgScript
import ProviderModel
import Synchronization

/// Reads one part of a listing, and writes what happens as events.
struct ListingReader: Sendable {
    /// Where notices go, which come beside the results.
    final class NoticeListener: Sendable {
        private let send = Mutex<(@Sendable (ServerSentEvent) -> Void)?>(nil)

        func set(_ send: @escaping @Sendable (ServerSentEvent) -> Void) { self.send.withLock { $0 = send } }

        func post(_ event: ServerSentEvent) { send.withLock(\.self)?(event) }
    }

    let onNotice = NoticeListener()
    private let engine: ImageEngine
    private let presenter: ItemPresenter
    private let part: ListingPart

    init(
        engine: ImageEngine, pictures: PictureAddresses, listing: Listing, providers: [String],
        _ request: ListingRequest
    ) throws(APIError) {
        self.engine = engine
        presenter = ItemPresenter(engine: engine, pictures: pictures)
        let listener = onNotice
        let context = EngineContext { notice in
            if let event = ServerSentEvent(notice) { listener.post(event) }
        }
        do throws(ProviderError) {
            part = try engine.part(
                of: listing, in: providers, after: request.cursor, request.options, context: context)
        } catch { throw .invalid(error.message) }
    }

    /// Reads to the end and returns the JSON of the next cursor.
    func read(_ send: (ServerSentEvent) -> Void) async throws -> JSONText {
        var failed: Set<String> = []
        send(
            ServerSentEvent("start") { json in
                json.name("providers")
                json.array(part.providers) { $0.value($1) }
            })
        let events = part.events.makeAsyncIterator()
        while let event = await events.next() {
            switch event {
            case .image(let item): send(ServerSentEvent("image", await presenter.json(item)))
            case .failure(let provider, let error):
                failed.insert(provider)
                send(await failure(of: provider, error))
            case .finished(let summary):
                send(
                    ServerSentEvent("provider") { json in
                        json.member("provider", summary.provider)
                        json.member("count", summary.count)
                        json.member("total", summary.total)
                        json.member("filtered", summary.filtered)
                        if !summary.emptyPages.isEmpty { json.member("emptyPages", summary.emptyPages.count) }
                        json.member("next", part.retry(of: summary.provider)?.description)
                    })
            }
        }
        try Task.checkCancellation()
        return part.next(leavingOut: failed).map { .init(text: $0.description) } ?? .null
    }

    private func failure(of provider: String, _ error: any Error) async -> ServerSentEvent {
        let failure = ProviderFailure(error)
        // A provider that cannot be loaded has no place to get a key at either.
        let manifest = failure.needsKey ? try? await engine.manifest(of: provider) : nil
        let retry = failure.mayPass ? part.retry(of: provider) : nil
        return ServerSentEvent("failure") { json in
            json.member("provider", provider)
            json.member("code", failure.code)
            json.member("message", failure.message)
            json.member("hint", failure.hint)
            if let manifest, !manifest.secretNames.isEmpty {
                json.name("needsKey")
                json.value(true)
                json.member("keyPage", manifest.keyPage)
            }
            json.member("retry", retry?.description)
        }
    }
}

/// A provider's failure, as a client sees it.
struct ProviderFailure {
    let code: String
    let message: String
    var hint: String?
    /// Whether the same may succeed a moment later.
    var mayPass = true
    /// Whether a key is missing or was refused.
    var needsKey: Bool { code == "auth" }

    init(_ error: any Error) {
        switch error {
        case let error as ProviderError:
            code = error.code.rawValue
            message = error.message
            hint = error.hint?.description
            mayPass = ![.unsupported, .notFound, .provider].contains(error.code)
        case let error as TransportError:
            code = error.code == .notStored ? "notStored" : "transport"
            message = error.message
            hint = error.hint?.description
        case let error as EngineError:
            code = error.code == .skipped(.key) ? "auth" : "skipped"
            message = error.description
            mayPass = false
        default:
            code = "internal"
            message = "\(error)"
        }
    }
}

extension ServerSentEvent {
    /// The event of a notice; nil for what only a log has.
    fileprivate init?(_ notice: ImageEngine.Notice) {
        switch notice {
        case .waiting(let provider, let seconds, let reason):
            self.init("notice") { json in
                json.member("code", "waiting")
                json.member("provider", provider)
                json.member("message", "waiting \(seconds) s: \(reason)")
            }
        case .warning(let text, let hint):
            self.init("notice") { json in
                json.member("code", "warning")
                json.member("message", text)
                json.member("hint", hint?.description)
            }
        case .stored(let provider, _, let age, isStale: true):
            self.init("notice") { json in
                json.member("code", "stale")
                json.member("provider", provider)
                json.member("message", "cached results, up to \(Duration.seconds(age).inWords) old")
            }
        case .leftOut(let provider, let faults):
            guard let first = faults.first else { return nil }
            self.init("notice") { json in
                json.member("code", "leftOut")
                json.member("provider", provider)
                json.member("message", "left out \(first.path): \(first.message)")
                json.member("count", faults.reduce(0) { $0 + $1.count })
            }
        case .request, .response, .stored, .console: return nil
        }
    }
}

extension ProviderManifest {
    /// Where keys are issued.
    var keyPage: String? {
        authentication.lazy.filter { !$0.secretNames.isEmpty }.compactMap(\.help).first
            .flatMap { text in
                text.split(separator: " ").map(String.init).first(where: \.isWebAddress)
                    ?? WebURL.withScheme(text)?.description
            }
    }
}

extension WebURL {
    /// `example.com/keys` as people write it, with the scheme it lacks.
    fileprivate static func withScheme(_ text: String) -> WebURL? {
        guard text.contains("."), !text.contains(" ") else { return nil }
        return try? WebURL("https://\(text)")  // else it is a sentence
    }
}

extension JSONText {
    /// A text as a JSON string.
    init(text: String) {
        var json = JSONWriter()
        json.value(text)
        self.init(validated: json.text)
    }
}
