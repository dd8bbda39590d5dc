import FoundationEssentials
import ImgScriptKit
import ProviderTesting

/// Where the answer comes from that a provider is begun with: a file, a URL, a copied request.
struct RecordedSource {
    let from: String?
    let curl: String?
    let id: ProviderID
    let engine: ImgScript

    /// The request with its answer; it is sent where no file holds the answer.
    func exchange() async throws -> ProviderDraft.Exchange {
        let command = try curl.map { line throws(DraftError) in try CurlCommand(parsing: line) }
        guard let from else {
            guard let command else { throw DraftError("expected --from or --curl, found neither") }
            return try await send(command)
        }
        if from.hasPrefix("http://") || from.hasPrefix("https://") {
            guard command == nil else {
                throw DraftError("--from is a URL to ask, and --curl another request; give one of them")
            }
            return try await send(CurlCommand(url: try WebURL(from)))
        }
        let content: Data
        do { content = try Data(contentsOf: URL(filePath: from)) } catch {
            throw DraftError("the file \(from) cannot be read; --from takes a file with an answer, or a URL")
        }
        return try ProviderDraft.Exchange(recorded: Array(content), request: command, id: id)
    }

    private func send(_ command: CurlCommand) async throws -> ProviderDraft.Exchange {
        try await ProviderDraft.Exchange(sending: command, for: id, through: engine.liveService())
    }
}
