import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Fetches one file into its unfinished file, and verifies it.
final class FileFetch: Sendable {
    let planned: PlannedDownload
    private let wanted: WantedFile
    let assembly: FileAssembly
    let transport: any Transport
    let settings: FetchSettings
    let limiter: RateLimiter?
    let now: @Sendable () -> Int
    private let counter: DownloadCounter
    let beside: LargeFileWork

    /// A fetch of what was planned, which may come from elsewhere than was planned: from where `wanted` says.
    init(
        _ planned: PlannedDownload,
        as wanted: WantedFile,
        into part: PartFile,
        over transport: any Transport,
        settings: FetchSettings,
        limiter: RateLimiter?,
        counter: DownloadCounter,
        buffers: FileBuffers,
        now: @escaping @Sendable () -> Int
    ) throws(DownloadError) {
        self.planned = planned
        self.wanted = wanted
        self.transport = transport
        self.settings = settings
        self.limiter = limiter
        self.now = now
        self.counter = counter
        let beside = LargeFileWork()
        self.beside = beside
        assembly = try FileAssembly(
            part, place: wanted.media.url.withoutQuery, counter: counter, buffers: buffers,
            computesSHA256: settings.computesSHA256,
            judge: { (content) throws(DownloadError) in try Self.check(content, of: wanted.media, under: settings) },
            becomesLarge: { beside.begin($0) }
        )
    }

    /// The file's own description.
    var media: Media { wanted.media }

    /// Where the file comes from, without the query.
    var place: String { assembly.place }

    /// Whether a later run could go on with what is there.
    var canBeGoneOnWith: Bool { assembly.canGoOnLater }

    /// Fetches what is missing until the file is whole, and returns what it is.
    nonisolated(nonsending) func run() async throws -> FetchedFile {
        defer { beside.cancel() }
        var failures = Failures()
        while true {
            let present = assembly.presentBytes
            do {
                while !assembly.isComplete { try await fetchStretch() }
                assembly.finishUpdates()
                if let digests = assembly.digests { return try verified(check(), digests) }
                return try await verify()
            } catch let fault as FetchFault {
                try await prepare(after: fault, hadBytes: present, &failures)
            } catch is CancellationError {
                try assembly.save()
                throw CancellationError()
            }
        }
    }

    /// What has gone wrong so far.
    private struct Failures {
        var restarts = 0
        var attempts = RetryDecision.Attempts(count: 0, elapsed: .zero, jitter: 0)
        var first: ContinuousClock.Instant?
    }

    /// Makes ready for the next attempt, unless there is to be none.
    private func prepare(after fault: FetchFault, hadBytes present: Int, _ failures: inout Failures) async throws {
        switch fault {
        case .final(let error): throw error
        case .restart(let reason): try restart(&failures.restarts, orThrow: changing(reason))
        case .spoiled(let error): try restart(&failures.restarts, orThrow: error)
        case .again(let error, let status, let retryAfter):
            counter.noteRefusal()
            if !assembly.canGoOn { assembly.discard() }
            if assembly.presentBytes > present { failures.attempts.count = 0 }
            let now = ContinuousClock.now
            let first = failures.attempts.count == 0 ? now : failures.first ?? now
            failures.first = first
            failures.attempts.count += 1
            failures.attempts.elapsed = now - first
            failures.attempts.jitter = .random(in: 0...1)
            try await wait(after: error, status, retryAfter, failures.attempts)
        }
    }

    private func restart(_ count: inout Int, orThrow error: DownloadError) throws(DownloadError) {
        count += 1
        assembly.discard()
        guard count <= settings.restartLimit else { throw error }
    }

    /// Fetches the bytes that are missing first; a stretch that was shortened ends early, as it should.
    private nonisolated(nonsending) func fetchStretch() async throws {
        let segment = FileSegment(assembly.firstGap, of: assembly, limiter: limiter, mayRestart: true)
        beside.split(segment, of: self)
        do { try await send(segment) } catch {
            let isFault = error is FetchFault
            await beside.endSplitting()?.finish(isCancelling: !isFault)
            guard case FetchFault.again = error, segment.isKnownToBeComplete else { throw error }
            return
        }
        await beside.endSplitting()?.finish(isCancelling: false)
    }

    /// Sends one request, and takes its answer into the file.
    nonisolated(nonsending) func send(_ segment: FileSegment) async throws {
        let response: TransportResponse
        do { response = try await transport.send(try request(for: segment)) } catch {
            throw try failure(error, of: segment)
        }
        counter.noteVersion(response.version)
        try segment.finish()
        try judge(response, of: segment)
    }

    private func request(for segment: FileSegment) throws -> TransportRequest {
        var request = TransportRequest(
            url: media.url,
            headers: try headers(for: segment.range),
            scope: planned.request.mediaScope,
            credentials: planned.request.credentials(for: media.url),
            bodyLimit: settings.lengthLimit,
            deadline: settings.deadline
        )
        request.sink = segment
        return request
    }

    /// What a failure of the transport means for the file.
    private func failure(_ error: any Error, of segment: FileSegment) throws -> any Error {
        try segment.finish()
        guard let error = error as? TransportError else { return error }
        if let fault = segment.fault { return fault }
        let mapped = DownloadError(.transport, error.message, subject: planned.key, cause: error)
        guard error.isRetriable || error.code == .timeout || error.code == .connection else {
            return FetchFault.final(mapped)
        }
        return FetchFault.again(mapped, status: nil, retryAfter: nil)
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
            statusMessage(response),
            subject: planned.key,
            status: response.status
        )
        guard [408, 425, 429, 500, 502, 503, 504].contains(response.status) else { throw FetchFault.final(error) }
        throw FetchFault.again(error, status: response.status, retryAfter: response.headers[.retryAfter])
    }

    private static let isGone = "the file is gone; the listing may be old"

    private func statusMessage(_ response: TransportResponse) -> String {
        let meaning =
            switch response.status {
            case 401, 403: "it wants a login, a referring page, or a client of another kind"
            case 404, 410: planned.key.isBareURL ? "there is no such file; check the address" : Self.isGone
            case 429: "too many requests; try again later, or with fewer --jobs"
            case 500...: "the server is at fault; try again later"
            default: "expected the file"
            }
        let path = media.url.path.quoted
        return "\(response.url.origin) answered \(response.status) for \(path): \(meaning)"
    }

    private func headers(for range: Range<Int>?) throws -> HTTPFields {
        var headers = Self.usualHeaders
        if !media.headers.isEmpty {
            let own = try ScriptHeaders.fields(media.headers, for: media.url)
            if own.contains(.accept) { headers[.accept] = nil }
            headers.append(contentsOf: own)
        }
        guard let range, let validator = assembly.validator else { return headers }
        headers[.range] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        headers[.ifRange] = validator.text
        return headers
    }

    /// Bytes as they are: a packed image is not smaller, and its ranges would be of the packed bytes.
    ///
    /// Where a server packs it all the same, it comes unpacked, of unknown length, and cannot be gone on with.
    private static let usualHeaders: HTTPFields = [.acceptEncoding: "identity", .accept: "image/*,*/*;q=0.8"]

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
