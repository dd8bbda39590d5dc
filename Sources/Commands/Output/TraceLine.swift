import HTTPTransport
import ImgScript
import ProviderRuntime

/// A step of a trace as one line, in columns that stay what they are: `trace pixabay#1    0.9 ms  request  GET …`.
struct TraceLine: Hashable {
    /// The whole line.
    let text: String
    /// What happened, in one word: `request`.
    let word: String
    /// The rest: `GET …`.
    let detail: String

    /// The line of an event; a sample did not come from the network.
    init(_ event: TraceEvent, isSample: Bool = false) {
        switch event.step {
        case .loaded(let file, let bytes): (word, detail) = ("load", "\(file), \(Self.size(bytes))")
        case .called(let what): (word, detail) = ("call", what)
        case .request(let request, let bytes, let script):
            let body = bytes == 0 ? "" : ", \(Self.size(bytes)) of body"
            (word, detail) = ("request", "\(request)\(body); script \(Self.milliseconds(script))")
        case .answer(let response, let origin, let took):
            let type = response.headers.first { $0.name.lowercased() == "content-type" }?.value.split(separator: ";")
                .first
            let kind = type.map { " \($0)" } ?? ""
            word = "answer"
            detail =
                "\(response.status)\(kind), \(Self.size(response.body.count)) in \(Self.milliseconds(took)), "
                + (isSample ? "recorded" : origin.phrase)
        case .failedRequest(let reason, let took):
            (word, detail) = ("answer", "none after \(Self.milliseconds(took)): \(reason)")
        case .known(let result): (word, detail) = ("known", "\(result), from the last time")
        case .result(let result, let script):
            (word, detail) = ("result", "\(result); script \(Self.milliseconds(script))")
        case .failed(let error): (word, detail) = ("error", error)
        }
        let time = Self.milliseconds(event.elapsed)
        let padding = String(repeating: " ", count: max(0, 10 - time.count))
        let gap = String(repeating: " ", count: 9 - word.count)
        text = "trace \(event.provider)#\(event.call) \(padding)\(time)  \(word)\(gap)" + TerminalText.line(detail)
    }

    /// `0.9 ms`, whatever the size.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration.inSeconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    private static func size(_ bytes: Int) -> String { bytes < 1_024 ? "\(bytes) bytes" : bytes.shownAsBytes }
}

extension ResponseOrigin {
    /// How an answer was had, in a few words.
    fileprivate var phrase: String {
        switch self {
        case .network: "network"
        case .cache(let age, let isStale): "stored \(age) s ago\(isStale ? ", stale" : "")"
        case .revalidated: "stored, still good"
        }
    }
}
