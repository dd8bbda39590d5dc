import HTTPTypes
import ProviderModel

@testable import HTTPCaching
@testable import HTTPTransport
@testable import RateLimits

/// What servers send before a body, and what the cache makes of it.
extension FuzzTarget {
    /// What becomes of encoded bodies, then the head's lines.
    static func readResponseHead(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let first = bytes.first else { return }
        let decoding: DecodingPolicy = [.accepted, .unrequested, .none][Int(first) % 3]
        var parser = ResponseHeadParser(limit: 4_096, decoding: decoding)
        for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let progress = (Array(line) + [0x0d, 0x0a]).withUnsafeBytes { parser.take($0) }
            if progress == .tooLarge { return }
        }
        let head = parser.head
        for field in head.headers {
            try require(!field.value.utf8.contains(where: \.breaksLines), "a header line is one line")
            try require(
                field.value.trimmingWhitespace == field.value, "a header line's value has no white space around it")
        }
        guard let framing = try? parser.framing() else { return }
        try require(framing.length ?? 0 >= 0, "a body has at least no bytes")
    }

    /// The coding, then a body in it, which comes in pieces.
    static func decodeBody(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let first = bytes.first, bytes.count > 1 else { return }
        guard let decoder = ContentCoding.allCases[Int(first) % ContentCoding.allCases.count].makeDecoder() else {
            return
        }
        var output = [UInt8](repeating: 0, count: 1 << 14)
        let body = Array(bytes.dropFirst())
        var (position, total) = (0, 0)
        // A bomb goes on for as long as someone takes what it gives.
        while position < body.count, total < 1 << 20 {
            let end = min(position + 1 + Int(first) / 4, body.count)
            let step = body[position..<end].withUnsafeBytes { input in
                output.withUnsafeMutableBytes { try? decoder.decode(input, into: $0) }
            }
            guard let step else { return }
            try require(
                step.consumed <= end - position && step.produced <= 1 << 14, "a decoder keeps within its buffers")
            guard step.consumed + step.produced > 0 || end < body.count else { return }
            if step.consumed + step.produced == 0 {
                // It waits for more than a piece.
                let rest = body[position...].withUnsafeBytes { input in
                    output.withUnsafeMutableBytes { try? decoder.decode(input, into: $0) }
                }
                guard let rest, rest.consumed + rest.produced > 0 else { return }
                (position, total) = (position + rest.consumed, total + rest.produced)
            } else {
                (position, total) = (position + step.consumed, total + step.produced)
            }
        }
    }

    static func readCacheControl(_ bytes: [UInt8]) throws(BrokenPromise) {
        let fields = HTTPFields(bytes.lines().map { HTTPField(name: .cacheControl, value: $0) })
        let control = CacheControl(fields)
        for directive in control.directives {
            try require(
                !directive.name.isEmpty && directive.name == directive.name.lowercased(), "a directive has a name")
            try require(control.has(directive.name), "a directive that is there is found")
            _ = control.fieldNames(of: directive.name)
        }
        let (response, request) = (ResponseDirectives(fields), RequestDirectives(fields))
        let seconds = [
            response.maxAge.value, response.staleIfError, response.staleWhileRevalidate, request.maxAge,
            request.maxStale,
            request.minFresh, request.staleIfError,
        ]
        for number in seconds.compactMap(\.self) {
            try require((0...DeltaSeconds.most).contains(number), "seconds are between 0 and 68 years")
        }
        for line in bytes.lines() {
            let members = FieldList.members(of: [line])
            let again = FieldList.members(of: [members.joined(separator: ", ")])
            try require(members == again, "a list that is written again reads the same")
            for member in members { _ = FieldList.unquoted(member) }
        }
    }

    /// The lines of two requests, and after each an empty line; then the response's.
    static func matchVary(_ bytes: [UInt8]) throws(BrokenPromise) {
        var messages = messages(in: bytes)[...]
        let (first, second) = (messages.popFirst() ?? [:], messages.popFirst() ?? [:])
        let response = messages.popFirst() ?? [:]
        let vary = Vary(response)
        try require(!vary.isAny || vary.names.isEmpty, "what depends on everything depends on no names")
        let selection = VarySelection(vary, request: first, hash: hash)
        try require(selection.matches(first, response: response, hash: hash), "a request matches its own selection")
        let other = VarySelection(vary, request: second, hash: hash)
        try require(other.matches(second, response: response, hash: hash), "a request matches its own selection")
        let isSame = vary.names.allSatisfy { name in
            Vary.normalisedValue(of: name, in: first) == Vary.normalisedValue(of: name, in: second)
        }
        try require(!isSame || selection == other, "requests that say the same make one selection")
    }

    static func readDates(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = bytes.text
        _ = ISO8601Date(text)
        if let day = CalendarDay(text) {
            try require(CalendarDay(day.description) == day, "a day that is printed reads the same")
        }
        let now = DateTime(secondsSince1970: 1_700_000_000)
        for date in [DateTime(http: text, now: now), DateTime(iso8601: text)].compactMap(\.self) {
            try require(DateTime(http: date.http, now: now) == date, "a date of HTTP that is printed reads the same")
            try require(DateTime(iso8601: date.iso8601) == date, "a date of ISO 8601 that is printed reads the same")
        }
        if let date = WrittenDate(text) {
            try require(ISO8601Date(date.iso8601) != nil, "a date that is read is one of ISO 8601")
            try require(
                WrittenDate(date.iso8601)?.iso8601 == date.iso8601, "a date that was read reads the same")
        }
        for now in [0, 1_700_000_000, Int.max] {
            try require(RetryAfter.seconds(text, now: now) ?? 0 >= 0, "nobody is asked to wait for the past")
        }
    }

    /// The values of `Range` and `Content-Range`, and how many bytes are stored.
    static func readRanges(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 3)
        let wanted = ByteRange(lines[0])
        let range = lines.count > 1 ? ContentRange(lines[1]) : nil
        if let range {
            try require(ContentRange(range.description) == range, "a range that is printed reads the same")
            try require(range.first >= 0 && range.first <= range.last, "a range has at least one byte")
        }
        let length = lines.count > 2 ? Int(lines[2]) ?? 16 : 16
        let part = range.map { StoredPart(range: $0) }
        _ = part?.missingRange(length: length)
        // Only what is as long as it says is stored.
        guard length >= 0, part?.isConsistent(length: length) ?? true, let wanted else { return }
        guard let slice = StoredSlice(wanted, of: part, length: length) else { return }
        try require(
            slice.offset >= 0 && slice.count > 0 && slice.offset + slice.count <= length, "a slice is of what is stored"
        )
        try require(slice.range.last - slice.range.first + 1 == slice.count, "a slice is as long as its range")
    }

    /// A request's lines, an empty line, then the response's; the first byte is the status.
    static func decideOnCaching(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let first = bytes.first else { return }
        let statuses = [200, 203, 204, 206, 301, 302, 304, 307, 404, 410, 412, 416, 500, 501, 503, 599]
        let status = statuses[Int(first) % statuses.count]
        var messages = messages(in: Array(bytes.dropFirst()))[...]
        let (request, response) = (messages.popFirst() ?? [:], messages.popFirst() ?? [:])
        let newer = messages.popFirst() ?? [:]
        let question = Storability.Question(
            method: .get, requestFields: request, status: status, fields: response, isRequiredByTerms: first > 127)
        _ = (Storability.mayStore(question), Storability.mayStorePost(question, isContentLocationTheTarget: true))
        let times = (requested: 1_699_999_990.5, received: 1_700_000_000.25, now: 1_700_000_100.0)
        let kept = StoredFields.kept(of: response, receivedAt: times.received)
        try require(kept[.date] != nil, "what is stored has a date")
        let stored = StoredResponse(
            id: 1, generation: 1, status: status, fields: StoredFields.updated(kept, by: newer),
            requestedAt: times.requested,
            receivedAt: times.received, usedAt: times.received,
            selection: VarySelection(Vary(response), request: request, hash: hash), isStoredByTerms: false,
            part: response[.contentRange].flatMap { ContentRange($0) }.map { StoredPart(range: $0) }, length: 16,
            checksum: 0, file: nil)
        let (age, lifetime) = (stored.age.current(at: times.now), stored.freshness.lifetime)
        try require(age >= 100 - 0.25 && age.isFinite, "a response is at least as old as it has been here")
        try require(lifetime >= 0 && lifetime.isFinite, "a response is fresh for some time")
        let directives = RequestDirectives(request)
        let reuse = Reuse(stored, for: directives, mode: .default, minimumLifetime: nil, now: times.now)
        if case .use(isStale: false) = reuse { try require(lifetime > age, "what is used as fresh is fresh") }
        try require(
            directives.isOnlyIfCached || reuse != .unavailable,
            "the server is asked unless the request does not want it")
        _ = ServedFields.fields(stored, now: times.now, isStale: true, hasFailed: true)
        _ = Validation.conditionalFields(request, for: stored.validators)
        _ = Validation.isNotModified(stored.fields, status: status, receivedAt: times.received, for: request)
        _ = (Validation.applies(newer, to: stored.fields), Validation.headApplies(newer, to: stored))
        if let url = try? WebURL("https://example.com/a/b") {
            for gone in Invalidation.urls(method: .post, target: url, status: 200, fields: response) {
                try require(gone.isSameOrigin(as: url), "no server makes the responses of others useless")
            }
        }
    }

    /// A response's lines; the first byte is the status, and how the provider says that its limit ends.
    static func readRateLimits(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let first = bytes.first, let url = try? WebURL("https://example.com/") else { return }
        let now = Timestamp(milliseconds: 1_700_000_000_500)
        var limits = Limits()
        limits.resetHeader = "X-Reset"
        limits.resetUnit = Limits.ResetUnit.allCases[Int(first) / 4 % Limits.ResetUnit.allCases.count]
        limits.rates = [Limits.Rate("50/1h")].compactMap(\.self)
        let response = TransportResponse(
            status: [200, 403, 429, 503][Int(first) % 4], url: url,
            headers: messages(in: Array(bytes.dropFirst())).first ?? [:])
        guard let feedback = RateLimitFeedback(response, limits: limits, at: now) else { return }
        try require(feedback.quotas.count <= RateLimitFeedback.scopeLimit, "a response has a bounded number of limits")
        if let wait = feedback.wait(at: now) {
            try require(wait >= .seconds(1) && wait <= .seconds(86_400), "a pause is between a second and a day")
        }
        for quota in feedback.quotas {
            try require(quota.remaining ?? 0 >= 0 && quota.limit ?? 0 >= 0, "no fewer than no requests are left")
            guard let kept = quota.kept(since: ReservationID(number: 1), now: now, rates: limits.rates) else {
                continue
            }
            try require(kept.reset <= now.milliseconds + 86_400_000, "no window lasts longer than a day")
        }
    }

    private static let hash = KeyedHash.random()

    /// Messages of `Name: value` lines, each ended by an empty line.
    private static func messages(in bytes: [UInt8]) -> [HTTPFields] {
        var messages: [HTTPFields] = [[:]]
        for line in bytes.lines() {
            if line.isEmpty {
                messages.append([:])
            } else if let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) {
                let value = String(line[line.index(after: colon)...]).trimmingWhitespace
                messages[messages.count - 1].append(HTTPField(name: name, value: value))
            }
        }
        return messages
    }
}
