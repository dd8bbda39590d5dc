import HTTPTransport
import HTTPTypes
import ProviderModel

/// Why a stored response is used.
enum ServingGrounds {
    /// The server was not asked.
    case stored(isStale: Bool)
    /// The server confirmed it (304).
    case validated
    /// The server could not be reached, or failed.
    case failed
    /// It has just been received.
    case fetched
}

extension CachingTransport {
    /// What is stored for a request and was selected by the same lines, the most recent first.
    func candidates(for exchange: Exchange) -> [StoredResponse] {
        guard let store else { return [] }
        let now = now()
        return store.responses(for: exchange.key, url: exchange.url).filter { stored in
            now < exchange.keepUntil(of: stored) ?? .infinity && exchange.selects(stored)
        }
    }

    /// Whether the stored bytes hold what the request wants.
    func isUsable(_ stored: StoredResponse, for exchange: Exchange) -> Bool {
        guard stored.part != nil || exchange.range != nil else { return true }
        guard let range = exchange.range else { return false }
        let isRangeMeant = Self.isRangeMeant(exchange, stored)
        if stored.part == nil, !isRangeMeant || stored.status != 200 { return true }
        return isRangeMeant && StoredSlice(range, of: stored.part, length: stored.length) != nil
    }

    /// RFC 9110 §13.1.5: a range of another version than the caller has is not what it means.
    private static func isRangeMeant(_ exchange: Exchange, _ stored: StoredResponse) -> Bool {
        guard let condition = exchange.request.headers[.ifRange] else { return true }
        return stored.validators.ifRange == condition.trimmingWhitespace
    }

    /// The response a stored response makes; nil when its body is lost.
    func serve(
        _ stored: StoredResponse,
        _ exchange: Exchange,
        _ grounds: ServingGrounds
    ) async throws -> TransportResponse? {
        let time = now()
        let isStale = grounds.isStale
        let fields = ServedFields.fields(stored, now: time, isStale: isStale, hasFailed: grounds.hasFailed)
        var answer = TransportResponse(
            status: stored.status,
            url: exchange.request.url,
            headers: fields,
            origin: grounds.origin(age: Int(stored.age.current(at: time))),
            receipt: receipt(for: stored, exchange)
        )
        store?.noteUse(of: stored, at: time)
        let request = exchange.request
        if Validation.isNotModified(
            stored.fields,
            status: stored.status,
            receivedAt: stored.receivedAt,
            for: request.headers
        ) {
            answer.status = 304
            answer.headers = Validation.notModifiedFields(fields)
            return answer
        }
        guard request.method != .head else { return answer }
        var piece = 0..<stored.length
        if let range = exchange.range, stored.part != nil || stored.status == 200, Self.isRangeMeant(exchange, stored),
            let slice = StoredSlice(range, of: stored.part, length: stored.length)
        {
            answer.status = 206
            answer.headers = ServedFields.partial(fields, slice: slice)
            piece = slice.offset..<slice.offset + slice.count
        }
        guard let body = store?.body(of: stored) else { return nil }
        return try await fill(answer, with: body, piece, for: request)
    }

    /// What shows later that this stored response is unchanged and fresh.
    func receipt(for stored: StoredResponse, _ exchange: Exchange) -> CacheReceipt {
        CacheReceipt(
            entry: stored.id,
            generation: stored.generation,
            freshUntil: exchange.freshUntil(of: stored)
        )
    }

    private func fill(
        _ answer: TransportResponse,
        with body: BodyReader,
        _ piece: Range<Int>,
        for request: TransportRequest
    ) async throws -> TransportResponse? {
        if let limit = request.bodyLimit, piece.count > limit {
            throw TransportError(
                .tooLarge,
                url: request.url,
                message: "the cached response of \(request.url.origin) has \(piece.count) bytes "
                    + "(expected at most \(limit))",
                hint: .several(["request fewer results at a time", .raiseBodyLimit])
            )
        }
        var answer = answer
        if let sink = request.sink, (200..<300).contains(answer.status) {
            let head = ResponseHead(status: answer.status, headers: answer.headers)
            try await BodyDelivery(to: sink, url: request.url).deliver(body, piece, head: head)
        } else {
            guard let bytes = body.bytes(piece) else { return nil }
            answer.body = bytes
        }
        return answer
    }
}

extension ServingGrounds {
    fileprivate var isStale: Bool {
        switch self {
        case .stored(let isStale): isStale
        case .failed: true
        case .validated, .fetched: false
        }
    }

    fileprivate var hasFailed: Bool {
        if case .failed = self { return true }
        return false
    }

    fileprivate func origin(age: Int) -> ResponseOrigin {
        switch self {
        case .stored(let isStale): .cache(age: age, isStale: isStale)
        case .failed: .cache(age: age, isStale: true)
        case .validated: .revalidated
        case .fetched: .network
        }
    }
}

/// Delivers a stored body to a sink as a transport does: in chunks, waiting while the sink is paused.
struct BodyDelivery {
    private let sink: any BodySink
    private let url: WebURL

    /// A delivery of a response from this URL.
    init(to sink: any BodySink, url: WebURL) {
        self.sink = sink
        self.url = url
    }

    /// Delivers a part of the body; throws what the sink throws.
    func deliver(_ body: BodyReader, _ range: Range<Int>, head: ResponseHead) async throws {
        let (resumes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        var resumed = resumes.makeAsyncIterator()
        try sink.begin(head) { continuation.yield() }
        for piece in BodyReader.pieces(of: range) {
            try Task.checkCancellation()
            guard let bytes = body.bytes(piece) else {
                throw TransportError(
                    .sink,
                    url: url,
                    message: "the cached response of \(url.origin) was truncated",
                    hint: "ask again"
                )
            }
            while true {
                if try Self.write(bytes, to: sink) == .more { break }
                // One that came before is kept: then the sink is asked once too often.
                await resumed.next()
                try Task.checkCancellation()
            }
        }
    }

    private static func write(_ bytes: [UInt8], to sink: any BodySink) throws -> BodyDemand {
        try bytes.withUnsafeBytes { try sink.write($0) }
    }
}
