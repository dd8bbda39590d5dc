import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

/// Takes the answer to one request for a file, or for a range of it.
final class FileSegment: BodySink {
    fileprivate struct State {
        /// Which start of the file the bytes belong to; nil before an answer was accepted.
        var start: Int?
        /// Where the bytes of the answer begin.
        var first = 0
        var position = 0
        /// What has come but is not written yet, up to the position.
        var gathered: [UInt8]?
        var written = 0
        var noted = 0
        var end: Int?
        var fault: FetchFault?
        var isCutShort = false
        /// Lets the answer go on; a lock that held nothing else would wrap it anew at each look at it.
        var resume: @Sendable () -> Void = {}
    }

    /// The bytes that were asked for; nil for the whole file.
    let range: Range<Int>?
    private let assembly: FileAssembly
    private let limiter: RateLimiter?
    private let mayRestart: Bool
    private let state = Mutex(State())

    /// A segment; `mayRestart` says whether an answer with the whole file instead of a range is welcome.
    init(_ range: Range<Int>?, of assembly: FileAssembly, limiter: RateLimiter?, mayRestart: Bool) {
        self.range = range
        self.assembly = assembly
        self.limiter = limiter
        self.mayRestart = mayRestart
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
        if head.version == "2" { assembly.noteSharing() }
        do {
            try accept(head)
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

    /// Writes what is left, and notes the end of the answer.
    func finish() throws(DownloadError) {
        let (start, rest) = state.withLock { ($0.start, $0.gathered.take()) }
        guard let start else { return }
        if let rest { try write(rest, start: start) }
        let (range, count) = state.withLock { ($0.first..<$0.written, $0.written - $0.noted) }
        try assembly.note(range, adding: count, start: start)
    }

    private func accept(_ head: ResponseHead) throws {
        switch (head.status, range) {
        case (206, let range?): try acceptRange(head, range)
        case (206, nil): throw FetchFault.restart("sent a part though the whole was asked for")
        case (200, _):
            guard range == nil || mayRestart else { throw FetchFault.restart("sent the whole file instead of a part") }
            let start = try assembly.begin(head)
            state.withLock { state in
                state.begin(start, at: 0)
                state.end = assembly.total
            }
        default:
            throw FetchFault.final(
                DownloadError(.status, "answered with status \(head.status), expected 200 or 206", status: head.status)
            )
        }
    }

    /// A range is only added to what there is when the server says about it what it has to (RFC 9110 §15.3.7).
    private func acceptRange(_ head: ResponseHead, _ range: Range<Int>) throws {
        guard head.headers[.contentEncoding] ?? "identity" == "identity" else {
            throw FetchFault.restart("sent a part of the packed file")
        }
        guard let text = head.headers[.contentRange], let sent = ContentRange(text) else {
            throw FetchFault.restart("sent a part without saying which")
        }
        guard sent.bytes.lowerBound == range.lowerBound, sent.bytes.upperBound <= range.upperBound,
            sent.total == nil || sent.total == assembly.total
        else { throw FetchFault.restart("sent another part than was asked for (\(text))") }
        if let length = head.headers[.contentLength].flatMap({ Int($0) }), length != sent.bytes.count {
            throw FetchFault.restart("sent a part of \(length) bytes and called it \(text)")
        }
        guard assembly.validator?.agrees(with: head.headers) ?? false else {
            throw FetchFault.restart("sent a part of a file that has changed")
        }
        assembly.take(digestOf: head)
        state.withLock { state in
            state.begin(assembly.start, at: range.lowerBound)
            // A server may send less than was asked for; the rest is asked for next.
            state.end = min(state.end ?? sent.bytes.upperBound, sent.bytes.upperBound)
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws {
        let (start, position, end) = state.withLock { ($0.start, $0.position, $0.end) }
        guard let start else { return }
        let room = end.map { $0 - position } ?? bytes.count
        let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(room, 0)))
        if assembly.takesPieces {
            try gather(wanted, at: position, start: start)
        } else {
            try put(wanted, at: position, start: start)
        }
        assembly.count(wanted.count)
        guard wanted.count < bytes.count else { return }
        if let shortened = state.withLock({ $0.end }), shortened < range?.upperBound ?? assembly.total ?? .max {
            state.withLock { $0.isCutShort = true }
            throw FetchFault.again(DownloadError(.file, "the rest is fetched beside it"), status: nil, retryAfter: nil)
        }
        throw FetchFault.restart("sent more bytes than it said")
    }

    /// Writes bytes in pieces that end where pages do: a page that is written in two steps costs nearly twice.
    private func gather(_ bytes: UnsafeRawBufferPointer, at position: Int, start: Int) throws(DownloadError) {
        var taken = 0
        while taken < bytes.count {
            let room = FileBuffers.length - (position + taken) % FileBuffers.length
            let next = UnsafeRawBufferPointer(rebasing: bytes[taken..<min(taken + room, bytes.count)])
            if !add(next) {
                try put(next, at: position + taken, start: start)
            } else if next.count == room, let piece = state.withLock({ $0.gathered.take() }) {
                try write(piece, start: start)
            }
            try noteProgress(start)
            taken += next.count
        }
    }

    /// Adds to what is gathered; false where there is no memory for it.
    private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            if state.gathered == nil { state.gathered = assembly.emptyPiece() }
            guard state.gathered != nil else { return false }
            state.gathered?.append(contentsOf: bytes)
            state.position += bytes.count
            return true
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at position: Int, start: Int) throws(DownloadError) {
        try assembly.put(bytes, at: position, start: start)
        state.withLock { state in
            state.position += bytes.count
            state.written = state.position
        }
    }

    private func write(_ piece: consuming [UInt8], start: Int) throws(DownloadError) {
        let count = piece.count
        try assembly.write(piece, at: state.withLock { $0.written }, start: start)
        state.withLock { $0.written += count }
    }

    /// Notes what is written, now and then.
    private func noteProgress(_ start: Int) throws(DownloadError) {
        let note = state.withLock { state -> (range: Range<Int>, count: Int)? in
            guard state.written - state.noted >= 256 << 10 else { return nil }
            defer { state.noted = state.written }
            return (state.first..<state.written, state.written - state.noted)
        }
        if let note { try assembly.note(note.range, adding: note.count, start: start) }
    }

    private func refuse(_ fault: FetchFault) -> TransportError {
        state.withLock { $0.fault = fault }
        return TransportError(.sink, message: "the answer was refused", cause: fault)
    }
}

extension FileSegment.State {
    /// Begins with an answer; what was gathered of another one counts no more.
    fileprivate mutating func begin(_ start: Int, at first: Int) {
        self.start = start
        (self.first, position, written, noted) = (first, first, first, first)
        gathered?.removeAll(keepingCapacity: true)
    }
}
