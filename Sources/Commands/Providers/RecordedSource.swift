import FoundationEssentials
import ImgScript
import ProviderAuthoring
import ProviderModel
import ProviderTesting

/// Where the answer comes from that a provider is begun with: a file, a URL, a copied request.
struct RecordedSource {
    let from: String?
    let curl: String?
    let id: ProviderID
    let engine: ImageEngine

    /// The request with its answer; it is sent where no file holds the answer.
    func exchange() async throws -> ProviderDraft.Exchange {
        let command: CurlCommand?
        do { command = try curl.map { line throws(DraftError) in try CurlCommand(parsing: line) } } catch {
            throw Self.slip(error.description)
        }
        guard let from else {
            guard let command else { throw Self.slip("expected --from or --curl, found neither") }
            return try await send(command)
        }
        if from.isWebAddress {
            guard command == nil else {
                throw Self.slip("--from is a URL to ask, and --curl another request; give one of them")
            }
            let url: WebURL
            do throws(InvalidURL) { url = try WebURL(from) } catch {
                throw Self.slip("--from takes a URL to ask, without user name and password, found \(error)")
            }
            return try await send(CurlCommand(url: url))
        }
        if let scheme = from.foreignScheme {
            throw Self.slip(
                "--from is an address of \(scheme), expected https or http; fetch the answer with another program, and "
                    + "name the file it writes")
        }
        let content: Data
        do { content = try Data(contentsOf: URL(filePath: from)) } catch {
            throw Self.slip(
                "the file \(from) cannot be read: \(error.systemReason); --from takes a file with an answer, or a URL")
        }
        return try ProviderDraft.Exchange(recorded: Array(content), request: command, id: id)
    }

    /// What was written on the command line and cannot be meant so.
    private static func slip(_ message: String) -> ProviderError {
        ProviderError(.unsupported, provider: "", message: message)
    }

    private func send(_ command: CurlCommand) async throws -> ProviderDraft.Exchange {
        try await ProviderDraft.Exchange(sending: command, for: id, through: LiveService(engine))
    }
}
