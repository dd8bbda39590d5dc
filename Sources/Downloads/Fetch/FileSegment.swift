import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Takes the answer to one request for a file, or for a range of it.
final class FileSegment: BodySink {
    private struct State {
        /// Which start of the file the bytes belong to; nil before an answer was accepted.
        var start: Int?
        /// Where the bytes of the answer begin.
        var first = 0
        /// How far the answer has been written, and how much of that the assembly knows.
        var position = 0
        var added = 0
        var end: Int?
        var fault: FetchFault?
        var isCutShort = false
        var resume: @Sendable () -> Void = {}
    }

    /// After how many bytes the assembly is updated: the shortest block.
    private static let addInterval = 64 << 10

    /// The bytes that were asked for; nil for the whole file.
    let range: Range<Int>?
    private let assembly: FileAssembly
    private let meter: DownloadMeter
    private let limiter: RateLimiter?
    private let mayRestart: Bool
    private let accepted: @Sendable () -> Void
    private let state = Mutex(State())

    /// A segment; `mayRestart` says whether an answer with the whole file instead of a range is welcome.
    init(
        _ range: Range<Int>?, of assembly: FileAssembly, _ meter: DownloadMeter, limiter: RateLimiter?,
        mayRestart: Bool,
        accepted: @escaping @Sendable () -> Void = {}
    ) {
        self.range = range
        self.assembly = assembly
        self.meter = meter
        self.limiter = limiter
        self.mayRestart = mayRestart
        self.accepted = accepted
        state.withLock { $0.end = range?.upperBound }
    }

    /// What is wrong with the answer; nil while nothing is.
    var fault: FetchFault? { state.withLock { $0.fault } }

    /// Whether everything that was still wanted has come.
    var isComplete: Bool {
        state.withLock { state in state.isCutShort || state.end.map { state.position >= $0 } ?? (state.start != nil) }
    }

    /// The same, but that an answer of unknown length is not known to have come whole.
    var isKnownToBeComplete: Bool {
        state.withLock { state in state.isCutShort || state.end.map { state.position >= $0 } ?? false }
    }

    /// What has not come yet.
    var missing: Range<Int>? {
        state.withLock { state in
            guard let end = state.end, state.start != nil, state.position < end else { return nil }
            return state.position..<end
        }
    }

    /// Leaves what follows to another segment; false when it is too late.
    func shorten(to end: Int) -> Bool {
        state.withLock { state in
            guard let known = state.end, end < known, state.position < end else { return false }
            state.end = end
            return true
        }
    }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError) {
        state.withLock { $0.resume = resume }
        if head.version == "2" { meter.noteSharing() }
        do {
            try accept(head)
            accepted()
        } catch let fault as FetchFault {
            throw refuse(fault)
        } catch let error as DownloadError {
            throw refuse(.final(error))
        } catch {
            throw refuse(.final(DownloadError(.file, "\(error)", cause: error)))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        if let limiter, !limiter.admits(bytes.count, resume: state.withLock { $0.resume }) { return .pause }
        do {
            try take(bytes)
            return .more
        } catch let fault as FetchFault {
            throw refuse(fault)
        } catch let error as DownloadError {
            throw refuse(.final(error))
        } catch {
            throw refuse(.final(DownloadError(.file, "\(error)", cause: error)))
        }
    }

    /// Reports the rest of what was written to the assembly, at the end of the answer.
    func finish() throws(DownloadError) {
        let (start, range, count) = state.withLock { state in
            defer { state.added = state.position }
            return (state.start, state.first..<state.position, state.position - state.added)
        }
        if let start { try assembly.add(range, adding: count, start: start) }
    }

    private func accept(_ head: ResponseHead) throws {
        switch (head.status, range) {
        case (206, let range?): try acceptRange(head, range)
        case (206, nil): throw FetchFault.restart("sent a partial response to a full request")
        case (200, _):
            guard range == nil || mayRestart else { throw FetchFault.restart("sent the whole file instead of a range") }
            begin(try assembly.begin(head), at: 0, end: assembly.total)
        default:
            throw FetchFault.final(
                DownloadError(.status, "answered with status \(head.status) (expected 200 or 206)", status: head.status)
            )
        }
    }

    /// A range is only added to what there is when the server says about it what it has to (RFC 9110 §15.3.7).
    private func acceptRange(_ head: ResponseHead, _ range: Range<Int>) throws {
        guard head.headers[.contentEncoding] ?? "identity" == "identity" else {
            throw FetchFault.restart("sent a range of the compressed file")
        }
        guard let text = head.headers[.contentRange], let sent = ContentRange(text) else {
            throw FetchFault.restart("sent a range without a valid Content-Range")
        }
        guard sent.bytes.lowerBound == range.lowerBound, sent.bytes.upperBound <= range.upperBound,
            sent.completeLength == nil || sent.completeLength == assembly.total
        else { throw FetchFault.restart("sent another range than requested (\(text))") }
        if let length = head.headers[.contentLength].flatMap({ Int($0) }), length != sent.bytes.count {
            throw FetchFault.restart("sent \(length) bytes as the range \(text)")
        }
        guard assembly.validator?.agrees(with: head.headers) ?? false else {
            throw FetchFault.restart("sent a range of a changed file")
        }
        assembly.addRange(head)
        // A server may send less than was asked for; the rest is asked for next.
        let end = min(state.withLock { $0.end } ?? sent.bytes.upperBound, sent.bytes.upperBound)
        begin(assembly.start, at: range.lowerBound, end: end)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws {
        let (start, position, end) = state.withLock { ($0.start, $0.position, $0.end) }
        guard let start else { return }
        let room = end.map { $0 - position } ?? bytes.count
        let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(room, 0)))
        try assembly.write(wanted, at: position, start: start)
        let unadded = state.withLock { state in
            state.position += wanted.count
            return state.position - state.added
        }
        if unadded >= Self.addInterval { try finish() }
        guard wanted.count < bytes.count else { return }
        if let shortened = state.withLock({ $0.end }), shortened < range?.upperBound ?? assembly.total ?? .max {
            state.withLock { $0.isCutShort = true }
            throw FetchFault.again(DownloadError(.file, "the rest is fetched beside it"), status: nil, retryAfter: nil)
        }
        throw FetchFault.restart("sent more bytes than it announced")
    }

    private func begin(_ start: Int, at first: Int, end: Int?) {
        state.withLock { state in
            state.start = start
            (state.first, state.position, state.added) = (first, first, first)
            state.end = end
        }
    }

    private func refuse(_ fault: FetchFault) -> TransportError {
        state.withLock { $0.fault = fault }
        return TransportError(.sink, message: "the response was refused", cause: fault)
    }
}
