import Downloads
import Hummingbird
import ImgScript
import ProviderModel
import Synchronization

/// Downloads as resources: begun by a list of images, watched as events, cancelled by deleting them.
final class DownloadRoutes: Sendable {
    /// The most images of one download.
    static let itemLimit = 1_000
    /// The most downloads that go on side by side.
    private static let runningLimit = 16
    /// The most downloads that are remembered, and the most files of those that have ended.
    private static let rememberedLimit = 64
    private static let rememberedFileLimit = 2 * itemLimit

    private let engine: ImageEngine
    private let settings: GallerySettings
    /// In the order in which they began.
    private let downloads = Mutex<[DownloadTask]>([])

    init(engine: ImageEngine, settings: GallerySettings) {
        self.engine = engine
        self.settings = settings
    }

    /// How many go on.
    var runningCount: Int { downloads.withLock { $0.count { $0.current.phase == .running } } }

    /// Answers `POST /downloads`.
    func start(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try checkAvailable()
        let body = try await request.json(upTo: 16 << 20)
        let inputs = try Self.inputs(body)
        return try start(inputs, to: try Self.folder(body["folder"], below: settings.downloadFolder))
    }

    /// Answers `POST /downloads/ID/again`.
    func again(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try checkAvailable()
        let download = try download(context)
        let inputs = download.remembered
        guard !inputs.isEmpty else {
            throw APIError(.conflict, "unavailable", "the download goes on, or all of its images are there")
        }
        var options = DownloadOptions()
        // Whoever asks once more means those that failed, too.
        options.deadLinkAge = .zero
        return try start(inputs, to: download.folder, options)
    }

    private func checkAvailable() throws(APIError) {
        if settings.isSample || settings.isOffline {
            throw APIError(
                .conflict, "unavailable", "nothing is downloaded \(settings.isSample ? "from samples" : "offline")")
        }
    }

    private func start(
        _ inputs: [DownloadInput], to folder: String, _ options: DownloadOptions = DownloadOptions()
    ) throws -> Response {
        guard runningCount < Self.runningLimit else {
            throw APIError(
                .tooManyRequests, "busy", "\(Self.runningLimit) downloads are under way (expected fewer)",
                headers: [.retryAfter: "10"])
        }
        let run: DownloadRun
        do {
            run = try engine.download(inputs: [inputs].stream, to: folder, options: options)
        } catch { throw APIError(error) }
        let download = DownloadTask(
            id: EngineContext.randomIdentifier() + EngineContext.randomIdentifier(), run: run, folder: folder,
            inputs: inputs)
        downloads.withLock { downloads in
            Self.forgetOldest(&downloads)
            downloads.append(download)
        }
        download.start()
        var json = JSONWriter()
        json.object { download.write(download.current, to: &$0) }
        var response = Response(json: json, status: .created)
        response.headers[.location] = "/api/v1/downloads/\(download.id)"
        return response
    }

    /// Answers `GET /downloads`.
    func list(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let all = downloads.withLock(\.self)
        var json = JSONWriter()
        json.object { json in
            json.name("downloads")
            json.array(all) { json, download in
                json.object { download.write(download.current, to: &$0) }
            }
        }
        return Response(json: json)
    }

    /// Shows a download's folder on the desktop.
    func openFolder(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let folder = try download(context).folder
        guard BrowserProgram.open(folder: folder, environment: settings.environment) == .opened else {
            throw APIError(.conflict, "unavailable", "no desktop was found to show \(folder) on")
        }
        return Response(status: .noContent)
    }

    /// Forgets downloads that ended first, until what is remembered is within its limits.
    private static func forgetOldest(_ downloads: inout [DownloadTask]) {
        var ended = downloads.filter { $0.current.phase != .running }[...]
        var files = ended.reduce(0) { $0 + $1.current.files.count }
        while downloads.count >= rememberedLimit || files > rememberedFileLimit, let oldest = ended.popFirst() {
            files -= oldest.current.files.count
            downloads.removeAll { $0 === oldest }
        }
    }

    /// Answers `GET /downloads/ID`.
    func state(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let download = try download(context)
        var json = JSONWriter()
        json.object { download.write(download.current, to: &$0) }
        return Response(json: json)
    }

    /// Answers `GET /downloads/ID/events`.
    func events(_ request: Request, _ context: GalleryContext) async throws -> Response {
        let download = try download(context)
        return .events(context) { continuation in
            try await download.report { continuation.yield($0) }
        }
    }

    /// Answers `DELETE /downloads/ID`.
    func cancel(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try download(context).cancel()
        return Response(status: .noContent)
    }

    /// Stops all, and waits until what was nearly there has its name.
    func shutdown() async {
        let all = downloads.withLock(\.self)
        for download in all { download.cancel() }
        for download in all { await download.wait() }
    }

    private func download(_ context: GalleryContext) throws(APIError) -> DownloadTask {
        let id = context.parameters.get("id") ?? ""
        guard let download = downloads.withLock({ $0.first { $0.id == id } }) else {
            throw .notFound("no such download")
        }
        return download
    }

    /// Items as listings give them, or references.
    private static func inputs(_ body: JSONValue) throws(APIError) -> [DownloadInput] {
        guard let elements = body["items"]?.elements, (1...itemLimit).contains(elements.count) else {
            throw .invalid("found no list of items (expected 1 to \(itemLimit))")
        }
        var inputs: [DownloadInput] = []
        for (index, element) in elements.enumerated() {
            // The same reader as that of lists: what it cannot read is an input that says why.
            let line = element.textValue ?? element.compact
            guard let input = DownloadInput(line: line, place: "items[\(index)]") else {
                throw .invalid("items[\(index)] is empty (expected an item or PROVIDER:ID)")
            }
            if case .unreadable(let reason) = input.subject { throw .invalid("items[\(index)]: \(reason)") }
            inputs.append(input)
        }
        return inputs
    }

    /// A folder below the one of all downloads, by the names on the way.
    private static func folder(_ value: JSONValue?, below root: String) throws(APIError) -> String {
        guard let value, value != .null else { return root }
        guard let text = value.textValue else { throw .invalid("folder is not valid (expected a text)") }
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let areNames = names.allSatisfy { name in
            !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
                && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        }
        guard areNames, names.count <= 16 else {
            throw .invalid("folder is \(text.quoted) (expected names below the folder of downloads)")
        }
        return ([root] + names).joined(separator: "/")
    }
}

extension Array where Element: Sendable {
    /// The elements as a sequence that is awaited.
    fileprivate var stream: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
