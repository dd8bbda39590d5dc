import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Fetches one file into its unfinished file, and verifies it.
final class FileFetch: Sendable {
    let planned: PlannedDownload
    let media: Media
    let assembly: FileAssembly
    let transport: any Transport
    let settings: FetchSettings
    let limiter: RateLimiter?
    let now: @Sendable () -> Int
    private let counter: DownloadCounter
    let beside: LargeFileWork

    init(
        _ planned: PlannedDownload,
        media: Media,
        into part: PartFile,
        over transport: any Transport,
        settings: FetchSettings,
        limiter: RateLimiter?,
        counter: DownloadCounter,
        buffers: FileBuffers,
        now: @escaping @Sendable () -> Int
    ) throws(DownloadError) {
        self.planned = planned
        self.media = media
        self.transport = transport
        self.settings = settings
        self.limiter = limiter
        self.now = now
        self.counter = counter
        let beside = LargeFileWork()
        self.beside = beside
        assembly = try FileAssembly(
            part, place: media.url.origin + media.url.path, counter: counter, buffers: buffers,
            judge: { (content) throws(DownloadError) in try Self.check(content, of: media, under: settings) },
            becomesLarge: { beside.begin($0) }
        )
    }

    /// Where the file comes from, without the query.
    var place: String { assembly.place }

    /// Whether a later run could go on with what is there.
    var canBeGoneOnWith: Bool { assembly.canGoOn }

    /// Fetches what is missing until the file is whole, and returns what it is.
    func run() async throws -> FetchedFile {
        defer { beside.cancel() }
        var attempts = RetryDecision.Attempts(count: 0, elapsed: .zero, jitter: 0)
        var restarts = 0
        var firstFailure = ContinuousClock.now
        while true {
            let present = assembly.presentBytes
            do {
                try await fetchMissing()
                return try await verify()
            } catch let fault as FetchFault {
                switch fault {
                case .final(let error): throw error
                case .restart(let reason): try restart(&restarts, orThrow: changing(reason))
                case .spoiled(let error): try restart(&restarts, orThrow: error)
                case .again(let error, let status, let retryAfter):
                    counter.noteRefusal()
                    if !assembly.canGoOn { assembly.discard() }
                    if assembly.presentBytes > present { attempts.count = 0 }
                    if attempts.count == 0 { firstFailure = .now }
                    attempts.count += 1
                    attempts.elapsed = ContinuousClock.now - firstFailure
                    attempts.jitter = .random(in: 0...1)
                    try await wait(after: error, status, retryAfter, attempts)
                }
            } catch is CancellationError {
                try assembly.save()
                throw CancellationError()
            }
        }
    }

    private func restart(_ count: inout Int, orThrow error: DownloadError) throws(DownloadError) {
        count += 1
        assembly.discard()
        guard count <= settings.restartLimit else { throw error }
    }

    private func fetchMissing() async throws {
        while !assembly.isComplete {
            let segment = FileSegment(assembly.firstGap, of: assembly, limiter: limiter, mayRestart: true)
            beside.split(segment, of: self)
            do { try await sendFirst(segment) } catch {
                await beside.finishSplitting(isCancelling: !(error is FetchFault))
                throw error
            }
            await beside.finishSplitting(isCancelling: false)
        }
        assembly.finishUpdates()
    }

    /// Sends the request for a stretch; one that was shortened ends early, as it should.
    private func sendFirst(_ segment: FileSegment) async throws {
        do { try await send(segment) } catch let fault as FetchFault {
            guard case .again = fault, segment.isKnownToBeComplete else { throw fault }
        }
    }

    /// Sends one request, and takes its answer into the file.
    func send(_ segment: FileSegment) async throws {
        var request = TransportRequest(
            url: media.url,
            headers: try headers(for: segment.range),
            scope: planned.request.source.mediaScope,
            credentials: planned.request.source.credentials(for: media.url),
            bodyLimit: settings.lengthLimit,
            deadline: settings.deadline
        )
        request.sink = segment
        let response: TransportResponse
        do {
            response = try await transport.send(request)
            counter.noteVersion(response.version)
        } catch let error as TransportError {
            try segment.finish()
            if let fault = segment.fault { throw fault }
            let mapped = DownloadError(.transport, error.message, subject: planned.key, cause: error)
            guard error.isRetriable || error.code == .timeout || error.code == .connection else {
                throw FetchFault.final(mapped)
            }
            throw FetchFault.again(mapped, status: nil, retryAfter: nil)
        } catch {
            try segment.finish()
            throw error
        }
        try segment.finish()
        try judge(response, of: segment)
    }

    private func judge(_ response: TransportResponse, of segment: FileSegment) throws {
        guard response.status != 200, response.status != 206 else {
            // An empty body never reaches the sink's `write`, and its head may not either.
            if segment.isComplete { return assembly.end(start: assembly.start) }
            let error = DownloadError(
                .damaged,
                "\(media.url.origin) ended its answer early, expected \(assembly.total ?? 0) bytes; try again later",
                subject: planned.key
            )
            throw FetchFault.again(error, status: nil, retryAfter: nil)
        }
        if response.status == 416, segment.range != nil { throw FetchFault.restart("has no such part any more") }
        let error = DownloadError(
            .status,
            Self.statusMessage(response, media.url),
            subject: planned.key,
            status: response.status
        )
        guard [408, 425, 429, 500, 502, 503, 504].contains(response.status) else { throw FetchFault.final(error) }
        throw FetchFault.again(error, status: response.status, retryAfter: response.headers[.retryAfter])
    }

    private static func statusMessage(_ response: TransportResponse, _ url: WebURL) -> String {
        let meaning =
            switch response.status {
            case 401, 403: "it wants a login, a referring page, or a client of another kind"
            case 404, 410: "the file is gone; the listing may be old"
            case 429: "too many requests; try again later, or with fewer --jobs"
            case 500...: "the server is at fault; try again later"
            default: "expected the file"
            }
        return "\(response.url.origin) answered \(response.status) for \(url.path.quoted): \(meaning)"
    }

    private func headers(for range: Range<Int>?) throws -> HTTPFields {
        var headers = try ScriptHeaders.fields(media.headers, for: media.url)
        // Bytes as they are: a packed image is not smaller, and its ranges would be of the packed bytes.
        headers[.acceptEncoding] = "identity"
        if !headers.contains(.accept) { headers[.accept] = "image/*,*/*;q=0.8" }
        guard let range, let validator = assembly.validator else { return headers }
        headers[.range] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        headers[.ifRange] = validator.text
        return headers
    }

    private func changing(_ reason: String) -> DownloadError {
        DownloadError(
            .changing,
            "\(media.url.origin) \(reason), \(settings.restartLimit + 1) times over, expected one whole file; "
                + "try again later",
            subject: planned.key
        )
    }

    private func wait(
        after error: DownloadError, _ status: Int?, _ retryAfter: String?, _ attempts: RetryDecision.Attempts
    ) async throws {
        let outcome: RetryDecision.Outcome =
            status.map { .answer(status: $0, retryAfter: retryAfter.flatMap { RetryAfter.seconds($0, now: now()) }) }
            ?? .failure(isRetriable: true)
        switch RetryDecision(for: .get, after: outcome, attempts, under: settings.retries) {
        case .stop:
            try assembly.save()
            throw error
        case .wait(let time): try await Task.sleep(for: time)
        }
    }
}
