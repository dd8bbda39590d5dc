import Glibc
import HTTPTransport
import ImgScript
import ProviderModel
import ProviderRuntime
import ProviderTesting
import Synchronization

/// The file with the responses of the first call that failed, as a cassette without secrets: for whoever mends the provider.
final class SavedResponse: Sendable {
    private let path: String
    private let status: StatusLine
    private let isSaved = Mutex(false)

    init(at path: String, status: StatusLine) {
        self.path = path
        self.status = status
    }

    /// Writes the file for a failed call that got a response, unless it was written before.
    func save(_ error: ProviderError, _ exchanges: [(TransportRequest, TransportResponse)]) {
        guard !exchanges.isEmpty, let provider = ProviderID(error.provider) else { return }
        let isFirst = isSaved.withLock { saved in
            defer { saved = true }
            return !saved
        }
        guard isFirst else { return }
        let entries = exchanges.map { request, response in
            CassetteRedaction(credentials: request.credentials).entry(
                method: request.method.rawValue, url: request.url, body: request.body, status: response.status,
                headers: response.headers, content: response.body, recorded: ImageEngine.today)
        }
        let note = CassetteRedaction(credentials: exchanges.last?.0.credentials).content(Array("\(error)".utf8))
        let cassette = Cassette(
            name: "", provider: provider, note: String(decoding: note, as: UTF8.self), entries: entries)
        let code = AtomicFile.write(Array(cassette.text.utf8), to: path, mode: 0o600)
        guard code == 0 else {
            status.error("could not write \(path): \(String(cString: strerror(code)))")
            return
        }
        let count = entries.count.counted("response")
        status.note(
            "saved \(count) of \(error.provider) to \(path), secrets masked; look through it before you share it")
    }
}

/// A folder that every response is kept in, as cassettes without secrets: the script runs over them again and again.
final class SavedResponses: Sendable {
    private let folder: String
    private let cassettes = Mutex<[ProviderID: Cassette]>([:])

    init(in folder: String) { self.folder = folder }

    /// Keeps a response; one to the same request takes the place of the former.
    func add(_ request: TransportRequest, _ response: TransportResponse) {
        let provider = request.scope.provider
        let entry = CassetteRedaction(credentials: request.credentials).entry(
            method: request.method.rawValue, url: request.url, body: request.body, status: response.status,
            headers: response.headers, content: response.body, recorded: ImageEngine.today)
        cassettes.withLock { cassettes in
            var cassette = cassettes[provider] ?? Cassette(name: "responses", provider: provider)
            cassette.entries.removeAll { RequestDifference(of: request, from: $0).isNone }
            cassette.entries.append(entry)
            cassettes[provider] = cassette
            // What cannot be written is seen as soon as it is to be replayed; the run itself goes on.
            try? cassette.write(into: "\(folder)/\(provider)")
        }
    }
}
