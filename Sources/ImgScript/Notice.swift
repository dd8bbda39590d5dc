import HTTPTransport
import Logging
import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// An event beside the results.
    public enum Notice: Sendable {
        /// A request waits for a rate limit or before a retry.
        case waiting(provider: String, seconds: Int, reason: String)
        /// A request is sent; secrets are masked.
        case request(provider: String, text: String)
        /// A response was received, or the request has failed.
        case response(provider: String, text: String)
        /// A stored response was used, with its age in seconds and whether it is stale.
        case stored(provider: String, text: String, age: Int, isStale: Bool)
        /// Something failed that the call can do without.
        case warning(String, hint: Hint? = nil)
        /// Values or whole items were left out of a page or an item's details, because they violate the contract.
        case leftOut(provider: String, faults: [ResultFault])
        /// A script wrote a line with `console`.
        case console(provider: String, level: String, text: String)
    }
}

/// Delivers notices to their call's receiver and to the log.
struct NoticeCenter: Sendable {
    private let onNotice: @Sendable (ImageEngine.Notice) -> Void
    private let logger: Logger

    init(_ configuration: ImageEngine.Configuration) {
        onNotice = configuration.onNotice
        logger = configuration.logger
    }

    /// Posts a notice of the current context, if any.
    func post(_ notice: ImageEngine.Notice, in context: EngineContext? = .current) {
        logger.log(
            level: notice.level, "\(notice.text)",
            metadata: context.map { ["request": .string($0.identifier)] })
        (context?.onNotice ?? onNotice)(notice)
    }
}

extension ImageEngine.Notice {
    fileprivate var level: Logger.Level {
        switch self {
        case .waiting: .info
        case .request, .response, .stored: .debug
        case .warning, .leftOut: .warning
        case .console(_, let level, _): Logger.Level(rawValue: level) ?? .debug
        }
    }

    fileprivate var text: String {
        switch self {
        case .waiting(let provider, let seconds, let reason): "\(provider): waiting \(seconds) s: \(reason)"
        case .request(let provider, let text): "\(provider): \(text)"
        case .response(let provider, let text): "\(provider): \(text)"
        case .stored(let provider, let text, let age, let isStale):
            "\(provider): \(isStale ? "stale" : "fresh") from the cache, \(age) s old: \(text)"
        case .warning(let text, _): text
        case .leftOut(let provider, let faults):
            "\(provider): " + faults.map { "\($0.path): \($0.message) (\($0.count))" }.joined(separator: "; ")
        case .console(let provider, let level, let text): "\(provider): console.\(level): \(text)"
        }
    }
}
