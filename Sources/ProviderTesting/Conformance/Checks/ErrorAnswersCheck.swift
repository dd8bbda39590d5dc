import HTTPTransport
import HTTPTypes
import ProviderModel

/// The forms in which servers refuse, whatever the body, become errors of the right kind.
struct ErrorAnswersCheck: ConformanceCheck {
    let name = "error responses become the right kind of error"
    let reason =
        "A missing key, an exhausted quota and a failing source are fixed differently; a TypeError does not tell which it is."

    /// A response of a failing server, and the errors that it may become.
    struct Refusal: Sendable {
        var label: String
        var status: Int
        var type: String
        var body: String
        var kinds: [ProviderError.Code]
    }

    private static let page =
        "<!doctype html><html><head><title>Just a moment</title></head><body><h1>Sorry</h1><p>Please wait.</p></body></html>"

    private static func refusals(_ status: Int, _ word: String, _ kinds: [ProviderError.Code]) -> [Refusal] {
        let json = "{\"error\":{\"code\":\(status),\"message\":\"\(word)\"},\"message\":\"\(word)\"}"
        return [
            Refusal(label: "\(status) with JSON", status: status, type: "application/json", body: json, kinds: kinds),
            // A guard in front of a source answers with pages of its own.
            Refusal(
                label: "\(status) with HTML", status: status, type: "text/html; charset=utf-8", body: page,
                kinds: status == 429 ? kinds + [.blocked] : kinds),
            Refusal(label: "\(status) without a body", status: status, type: "text/plain", body: "", kinds: kinds),
        ]
    }

    /// Statuses in all their forms.
    static let all: [Refusal] =
        refusals(401, "Unauthorized", [.auth, .blocked]) + refusals(403, "Forbidden", [.auth, .blocked, .rate])
        + refusals(404, "Not found", [.notFound, .unsupported, .changed]) + refusals(429, "Too many requests", [.rate])
        + refusals(500, "Internal error", [.transport])

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        let calls = subject.sampleCalls.filter { $0.operation != .download }
        guard !calls.isEmpty else {
            return .skipped("no operation can be called without knowing the source")
        }
        var findings = CheckFindings()
        for call in calls {
            for refusal in Self.all { await check(refusal, of: call, on: subject, &findings) }
            await checkPageInstead(of: call, on: subject, &findings)
        }
        findings.note = "\(calls.count) operations, \(Self.all.count + 1) responses each"
        return findings
    }

    private func answer(
        _ refusal: Refusal, to call: ProviderCall, on subject: ConformanceSubject
    ) async -> CallCapture {
        await subject.stub.capture(call, of: subject.provider) { request, _ in
            TransportResponse(
                status: refusal.status, url: request.url, headers: [.contentType: refusal.type],
                body: Array(refusal.body.utf8))
        }
    }

    private func check(
        _ refusal: Refusal, of call: ProviderCall, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) async {
        let capture = await answer(refusal, to: call, on: subject)
        guard !capture.requests.isEmpty else { return }
        let expected = refusal.kinds.map(\.rawValue).joined(separator: " or ")
        switch capture.result {
        case .success(let result):
            // A listing may read "not found" as nothing found.
            if refusal.status == 404, result.items.isEmpty, call.operation != .details { return }
            findings.fail(
                "\(call.operation), \(refusal.label): found \(result.items.count.counted("item")), expected an error of kind \(expected)",
                hint: "leave the status to the host, or call fail('\(refusal.kinds[0].rawValue)', …) in check",
                location: subject.location(of: call.operation))
        case .failure(let error):
            guard let error = error as? ProviderError else {
                findings.fail(error, during: "\(call.operation), \(refusal.label)")
                return
            }
            guard !refusal.kinds.contains(error.code) else { return }
            findings.fail(
                "\(call.operation), \(refusal.label): found an error of kind \(error.code.rawValue) "
                    + "(\(error.message.quoted)), expected \(expected)",
                hint: Self.hint(for: error, refusal),
                location: error.location ?? subject.location(of: call.operation))
        }
    }

    private static func hint(for error: ProviderError, _ refusal: Refusal) -> Hint {
        [.script, .result, .changed].contains(error.code)
            ? "check(res) gets every response: look at res.status and the content type before reading res.json"
            : "call fail('\(refusal.kinds[0].rawValue)', …) in check for this response, or leave it to the host"
    }

    /// A web page where an answer was asked for: a login, a captcha, a proxy's notice.
    private func checkPageInstead(
        of call: ProviderCall, on subject: ConformanceSubject, _ findings: inout CheckFindings
    ) async {
        let page = Refusal(
            label: "200 with a web page", status: 200, type: "text/html; charset=utf-8", body: Self.page, kinds: [])
        let capture = await answer(page, to: call, on: subject)
        guard let request = capture.requests.first else { return }
        let wantsPages = request.headers[.accept]?.hasPrefix("text/html") == true
        let place = subject.location(of: call.operation)
        switch capture.result {
        case .success(let result) where result.items.isEmpty && call.operation != .details:
            findings.warn(
                "\(call.operation), \(page.label): found an empty page, expected an error of kind changed or blocked",
                hint: "look for something that only the right page has, or else call fail('changed', …)",
                location: place)
        case .success(let result):
            findings.fail(
                "\(call.operation), \(page.label): found \(result.items.count.counted("item")), expected an error",
                location: place)
        case .failure(let error):
            let code = (error as? ProviderError)?.code
            let clear: [ProviderError.Code] = [.changed, .blocked, .auth, .rate, .notFound, .unsupported]
            guard let code, !clear.contains(code) else { return }
            // In a page a script looks for elements; that one is not there is all it can say.
            let problem = TestReport.Problem(
                "\(call.operation), \(page.label): found an error of kind \(code.rawValue), expected changed or blocked",
                hint: "read res.json before anything else, or call fail('changed', …)",
                location: (error as? ProviderError)?.location ?? place)
            if wantsPages || code == .result { findings.warn(problem) } else { findings.fail(problem) }
        }
    }
}
