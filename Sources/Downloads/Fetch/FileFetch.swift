import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Why an attempt failed, by what follows from it.
enum FetchFault: Error {
    /// The partial file cannot be used: start again.
    case restart(String)
    /// The content is not the file: start again once, and fail with this error then.
    case spoiled(DownloadError)
    /// Continue where it stopped, possibly later.
    case again(DownloadError, status: Int?, retryAfter: String?)
    /// Fail.
    case final(DownloadError)
}

/// Fetches one file into its unfinished file, and verifies it.
final class FileFetch: Sendable {
    private let planned: PlannedFile
    private let media: Media
    private let transport: any Transport
    private let limiter: RateLimiter?
    private let meter: DownloadMeter
    private let kinds: Set<Media.Kind>
    private let lengthLimit: Int
    /// Header lines for a file that is named by its URL.
    private let headers: [NamedValue]
    private let now: @Sendable () -> Int
    let assembly: FileAssembly
    let settings: FetchSettings

    /// A fetch of what was planned, from where `media` says: a provider may have given another URL.
    init(
        _ planned: PlannedFile, from media: Media, into part: PartFile, over transport: any Transport,
        _ options: DownloadOptions, limiter: RateLimiter?, meter: DownloadMeter, now: @escaping @Sendable () -> Int
    ) async throws {
        self.planned = planned
        self.media = media
        self.transport = transport
        self.limiter = limiter
        self.meter = meter
        self.now = now
        settings = options.fetch
        kinds = options.media
        lengthLimit = options.maximumFileLength
        headers = options.headers
        assembly = try await FileAssembly(
            part, url: media.url.withoutQuery, meter: meter, computesSHA256: options.computesSHA256)
    }

    /// Fetches what is missing until the file is whole, and returns what it is.
    func run() async throws -> FetchedFile {
        var failures = Failures()
        while true {
            let present = assembly.presentBytes
            do {
                while !assembly.isComplete { try await fetchGap() }
                return try await verify()
            } catch let fault as FetchFault {
                try await prepare(after: fault, hadBytes: present, &failures)
            } catch is CancellationError {
                try assembly.save()
                throw CancellationError()
            }
        }
    }

    /// A segment of the file.
    func segment(
        _ range: Range<Int>?, mayRestart: Bool, accepted: @escaping @Sendable () -> Void = {}
    ) -> FileSegment {
        FileSegment(range, of: assembly, meter, limiter: limiter, mayRestart: mayRestart, accepted: accepted)
    }

    /// What has gone wrong so far.
    private struct Failures {
        var restarts = 0
        var spoiled = 0
        var attempts = RetryDecision.Attempts(count: 0, elapsed: .zero, jitter: 0)
        var first: ContinuousClock.Instant?
    }

    /// Makes ready for the next attempt, unless there is to be none.
    private func prepare(after fault: FetchFault, hadBytes present: Int, _ failures: inout Failures) async throws {
        switch fault {
        case .final(let error): throw error
        case .restart(let reason):
            try restart(&failures.restarts, limit: settings.restartLimit, orThrow: changing(reason))
        case .spoiled(let error): try restart(&failures.spoiled, limit: 1, orThrow: error)
        case .again(let error, let status, let retryAfter):
            meter.noteRefusal()
            if !assembly.canResume { assembly.discard() }
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

    private func restart(_ count: inout Int, limit: Int, orThrow error: DownloadError) throws(DownloadError) {
        count += 1
        assembly.discard()
        guard count <= limit else { throw error }
    }

    // MARK: Requests

    /// Fetches the bytes that are missing first, in parts side by side where that is faster.
    private func fetchGap() async throws {
        let splitter = FileSplitter(of: self)
        // How long the file is and whether it has ranges is known with the head of the answer. The splitter keeps the
        // segment: one that kept the splitter would never let go of the open file.
        let segment = segment(assembly.firstGap, mayRestart: true) { [weak splitter] in splitter?.begin() }
        splitter.add(segment)
        do { try await send(segment) } catch {
            await splitter.finish(isCancelling: !(error is FetchFault))
            // A segment that was shortened ends early, as it should.
            guard case FetchFault.again = error, segment.isKnownToBeComplete else { throw error }
            return
        }
        await splitter.finish(isCancelling: false)
    }

    /// Sends one request, and takes its answer into the file.
    func send(_ segment: FileSegment) async throws {
        let response: TransportResponse
        do { response = try await transport.send(try request(for: segment)) } catch {
            throw try failure(error, of: segment)
        }
        meter.noteVersion(response.version)
        try segment.finish()
        try judge(response, of: segment)
    }

    private func request(for segment: FileSegment) throws -> TransportRequest {
        var request = TransportRequest(
            url: media.url,
            headers: Self.defaultHeaders,
            scope: planned.request.source.mediaScope,
            credentials: planned.request.source.credentials(for: media.url),
            bodyLimit: lengthLimit,
            deadline: settings.deadline
        )
        request.sink = segment
        try request.addFileHeaders(media.headers + (planned.item == nil ? headers : []))
        guard let range = segment.range, let validator = assembly.validator else { return request }
        request.headers[.range] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        request.headers[.ifRange] = validator.text
        request.ownHeaders.subtract([.range, .ifRange])
        return request
    }

    // MARK: Failures

    /// What a failure of the transport means for the file.
    private func failure(_ error: any Error, of segment: FileSegment) throws -> any Error {
        try segment.finish()
        guard let error = error as? TransportError else { return error }
        if let fault = segment.fault { return fault }
        let mapped = DownloadError(error)
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
                "\(media.url.origin) ended its response early (expected \(assembly.total ?? 0) bytes)")
            throw FetchFault.again(error, status: nil, retryAfter: nil)
        }
        if response.status == 416, segment.range != nil { throw FetchFault.restart("no longer has this range") }
        let error = DownloadError(
            [404, 410].contains(response.status) ? .notFound : .status, statusMessage(response), status: response.status
        )
        // The same client is refused again by what wants a browser.
        guard [408, 421, 425, 429, 500, 502, 503, 504].contains(response.status), response.barrier == nil else {
            throw FetchFault.final(error)
        }
        throw FetchFault.again(error, status: response.status, retryAfter: response.headers[.retryAfter])
    }

    private func statusMessage(_ response: TransportResponse) -> String {
        let meaning =
            switch response.status {
            case _ where response.barrier != nil: response.barrier?.meaning ?? ""
            case 401, 403: "access denied: it may require a login or block this client"
            case 404, 410: planned.key.isBareURL ? "not found" : "gone: the listing may be outdated"
            case 429: "too many requests"
            case 500...: "server error"
            default: "unexpected status"
            }
        return "\(response.url.origin) answered \(response.status) for \(media.url.path.quoted): \(meaning)"
    }

    /// Bytes as they are: a compressed image is not smaller, and its ranges would be of the compressed bytes.
    private static let defaultHeaders: HTTPFields = [.acceptEncoding: "identity", .accept: "image/*,*/*;q=0.8"]

    private func changing(_ reason: String) -> DownloadError {
        DownloadError(
            .changing, "\(media.url.origin) \(reason), \(settings.restartLimit + 1) times (expected one whole file)")
    }

    private func wait(
        after error: DownloadError, _ status: Int?, _ retryAfter: String?, _ attempts: RetryDecision.Attempts
    ) async throws {
        let outcome: RetryDecision.Outcome =
            status.map { .answer(status: $0, retryAfter: retryAfter.flatMap { RetryAfter.seconds($0, now: now()) }) }
            ?? .failure(isRetriable: true)
        var policy = settings.retries.policy(for: planned.request.source.mediaScope.provider)
        // A server that was silent as long as it may be is asked once more: each further time costs as much again.
        if (error.cause as? TransportError)?.code == .timeout { policy.attempts = min(policy.attempts, 2) }
        switch RetryDecision(for: .get, after: outcome, attempts, under: policy) {
        case .stop:
            try assembly.save()
            throw error
        case .wait(let time): try await Task.sleep(for: time)
        }
    }

    // MARK: Verification

    /// Checks the whole file before it may have its name.
    private func verify() async throws -> FetchedFile {
        guard let total = assembly.total else {
            throw FetchFault.final(DownloadError(.damaged, "\(media.url.origin) sent no file"))
        }
        do {
            // A file that is not an image need not be read to its end.
            let check = try checkOnce(WindowedContent(LimitedContent(assembly.part, count: total)))
            let digests = try await assembly.digests(of: total)
            if let promised = assembly.digest, digests.promised != promised.bytes {
                throw DownloadError(
                    .damaged,
                    "\(media.url.origin) gave a \(promised.source) (\(promised.algorithm.rawValue)) that does not match "
                        + "the file")
            }
            try assembly.removeFooter(total)
            return FetchedFile(
                bytes: total, sha256: digests.sha256, format: check?.format, size: check?.size,
                notes: check?.notes ?? [])
        } catch let error as DownloadError where error.code == .damaged { throw FetchFault.spoiled(error) }
    }

    /// Checks the content, of which another request may bring a better one unless it came as it is.
    private func checkOnce(_ content: some FileContent) throws -> ImageCheck? {
        do { return try check(content) } catch {
            guard error.code == .damaged, assembly.isAsAnnounced else { throw error }
            throw FetchFault.final(error)
        }
    }

    private func check(_ content: some FileContent) throws(DownloadError) -> ImageCheck? {
        let length: ImageCheck.Length = assembly.hasKnownEnd ? .confirmed : .unknown
        guard settings.takesAnyContent else {
            return try ImageCheck(content, of: media, kinds: kinds, length: length)
        }
        // Other content than images is accepted.
        return try? ImageCheck(content, of: media, kinds: kinds, length: length)
    }
}
