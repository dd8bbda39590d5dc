import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Any text stays one value of the request: it adds no pair, no path segment, and reaches the server whole.
struct HostileQueriesCheck: ConformanceCheck {
    let name = "hostile queries are encoded correctly"
    let reason =
        "An unencoded text changes the request to something that the user did not ask for, perhaps on another host."

    /// A text, and what it tries.
    struct Attempt: Sendable {
        var label: String
        var text: String
    }

    static let attempts = [
        Attempt(label: "reserved characters", text: "a&b=c#é/?%"),
        Attempt(label: "percent escapes", text: "%2e%2E%00%zz"),
        Attempt(label: "a path upwards", text: "../../etc"), Attempt(label: "quotes", text: "\"a' \\ `b"),
        Attempt(label: "a plus and spaces", text: "a+b  c"), Attempt(label: "right-to-left", text: "קפה شاي"),
        Attempt(label: "emoji", text: "☕️👩‍🚀"), Attempt(label: "line breaks", text: "a\r\nX-Injected: b"),
        Attempt(label: "JSON", text: #"{"$ne":null}"#),
    ]

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard subject.manifest.description(of: .search) != nil else { return .skipped("there is no search") }
        var findings = CheckFindings()
        guard case .success(let plain) = await requests(for: "plainword", on: subject), !plain.isEmpty else {
            return .skipped("search sends no request that could be compared")
        }
        for attempt in Self.attempts { await check(attempt, against: plain, on: subject, &findings) }
        let longest = min(subject.manifest.limits.textMaximum ?? 1_000, 1_000)
        let long = Attempt(label: "a very long text", text: String(repeating: "x", count: longest))
        await check(long, against: plain, on: subject, &findings)
        if subject.manifest.limits.textMinimum == 0 { await checkEmpty(on: subject, &findings) }
        findings.note = "\(Self.attempts.count + 2) texts"
        return findings
    }

    private func requests(for text: String, on subject: ConformanceSubject) async -> Result<
        [TransportRequest], any Error
    > {
        await subject.firstRequests(of: ProviderCall(.search(subject.manifest.defaultQuery(for: .search, text: text))))
    }

    private func check(
        _ attempt: Attempt, against plain: [TransportRequest], on subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) async {
        let found: [TransportRequest]
        switch await requests(for: attempt.text, on: subject) {
        case .success(let requests): found = requests
        case .failure(let error):
            // A provider may say that its source cannot do this.
            guard (error as? ProviderError)?.code != .unsupported else { return }
            findings.fail(
                error, during: "\(attempt.label) (\(attempt.text.quoted))",
                hint: "encode the text, or call fail('unsupported', …) for what the source does not support",
                at: subject.requestLocation(of: .search))
            return
        }
        guard let request = found.first, let model = plain.first, found.count == plain.count else { return }
        if let difference = Self.structuralDifference(of: request, from: model) {
            findings.fail(
                "\(attempt.label): the text \(attempt.text.quoted) changes the request: \(difference)",
                hint: "pass it as a value of `query`, or encode it with encodeURIComponent in a path",
                location: subject.requestLocation(of: .search))
        } else if !found.contains(where: { Self.carries(attempt.text, $0) }) {
            findings.warn(
                "\(attempt.label): the text \(attempt.text.quoted) is incomplete in the request \(request.url)",
                hint: "send the text as it is, unless the source does not support it",
                location: subject.requestLocation(of: .search))
        }
    }

    private func checkEmpty(on subject: ConformanceSubject, _ findings: inout CheckFindings) async {
        guard case .failure(let error) = await requests(for: "", on: subject),
            (error as? ProviderError)?.code != .unsupported
        else { return }
        findings.fail(
            error, during: "an empty text", hint: "accept it, or set limits.text.min to 1",
            at: subject.requestLocation(of: .search))
    }

    /// What a text has changed but its own place.
    static func structuralDifference(of request: TransportRequest, from plain: TransportRequest) -> String? {
        if request.url.origin != plain.url.origin {
            return "it goes to \(request.url.origin), expected \(plain.url.origin)"
        }
        let segments = { (url: WebURL) in url.path.split(separator: "/", omittingEmptySubsequences: false).count }
        if segments(request.url) != segments(plain.url) {
            return "its path is \(request.url.path), expected as many segments as \(plain.url.path)"
        }
        let names = { (url: WebURL) in url.queryItems.map(\.name) }
        let (found, expected) = (names(request.url), names(plain.url))
        if found != expected {
            return
                "its query has \(found.joined(separator: ", ").quoted), expected \(expected.joined(separator: ", ").quoted)"
        }
        let header = request.headers.map(\.name.canonicalName)
        if header != plain.headers.map(\.name.canonicalName) { return "it has other headers than the plain one" }
        return bodyDifference(request.body, plain.body)
    }

    /// Members that one JSON body has and the other has not; only texts may differ.
    private static func bodyDifference(_ body: [UInt8], _ plain: [UInt8]) -> String? {
        guard !plain.isEmpty, let expected = JSONValue.found(in: plain) else { return nil }
        guard let found = JSONValue.found(in: body) else { return "its body is no longer JSON" }
        let added = JSONDifference(from: expected, to: found).changes.first { $0.before == nil || $0.after == nil }
        return added.map { "its body has another member, \($0.path)" }
    }

    /// Whether the text reaches the server: each of its words, in any case, in a value or a part of one.
    ///
    /// Words alone, because sources want them joined by commas, signs or operators of their own.
    static func carries(_ text: String, _ request: TransportRequest) -> Bool {
        var places = request.url.queryItems.map(\.value)
        places += request.url.path.split(separator: "/").map { PercentEncoding.decode($0) }
        places.append(PercentEncoding.decode(request.url.path))
        let body = String(decoding: request.body, as: UTF8.self)
        places += [body, PercentEncoding.decode(body)]
        if let json = JSONValue.found(in: request.body) { places += texts(of: json) }
        let found = places.map(normal)
        return text.split(whereSeparator: \.isWhitespace).map { normal(String($0)) }.allSatisfy { word in
            // Of a backslash nothing is left.
            word.isEmpty || found.contains { $0.contains(word) }
        }
    }

    private static func texts(of json: JSONValue) -> [String] {
        switch json {
        case .text(let text): [text]
        case .array(let values): values.flatMap(texts)
        case .object(let members): members.flatMap { texts(of: $0.value) }
        default: []
        }
    }

    /// Inside a query language, quotes and backslashes are written with a backslash.
    private static func normal(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "+" && $0 != "\\" }
    }
}
