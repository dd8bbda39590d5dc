import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime

/// No key is disclosed: in items, errors or log lines, even if the source repeats it, or in a cassette.
struct SecretsCheck: ConformanceCheck {
    let name = "no secret in any output"
    let reason = "Output is piped, logged and pasted into bug reports."

    /// A key like those that sources give out, and unlike any word.
    private static let secret = "imgscriptSecret7f3a9c51e0b24d68"

    /// Header lines that identify a user; recordings leave them out.
    private static let secretHeaders: Set<String> = [
        "set-cookie", "set-cookie2", "cookie", "authorization", "proxy-authorization",
    ]

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        var findings = CheckFindings()
        checkCassettes(of: subject, &findings)
        checkFile(of: subject, &findings)
        let names = Set(subject.manifest.authentication.flatMap(\.secretNames))
        guard !names.isEmpty else {
            findings.note = "the provider needs no secret"
            if subject.library.cassettes.isEmpty { findings.isSkipped = true }
            return findings
        }
        let calls = subject.sampleCalls
        guard let (provider, stub) = await keyed(subject) else {
            return .skipped("the provider cannot be loaded with a key")
        }
        for call in calls { await checkEcho(of: call, by: provider, on: stub, subject, &findings) }
        findings.note = "\(names.sorted().joined(separator: ", ")) planted in \(calls.count.counted("operation"))"
        return findings
    }

    private func checkCassettes(of subject: ConformanceSubject, _ findings: inout CheckFindings) {
        for cassette in subject.library.cassettes {
            for (index, entry) in cassette.entries.enumerated() {
                let place = "\(cassette.name).json entries[\(index)]"
                if let name = entry.headers.lazy.map(\.name.canonicalName).first(where: Self.secretHeaders.contains) {
                    findings.fail(
                        "\(place): found a \(name) header line, expected none",
                        hint: "remove it: it identifies a user")
                }
                let lines = entry.headers.map { Array($0.value.utf8) }
                let texts = [Array(entry.url.description.utf8), entry.body, entry.content] + lines
                guard let found = texts.flatMap({ SecretPatterns.findings(in: $0) }).first else { continue }
                findings.fail(
                    "\(place): found \(found.kind), expected ***",
                    hint: .several(["replace it by ***", .record(.all, file: nil)]))
            }
        }
    }

    /// Checks the file's text: a key in it is public.
    private func checkFile(of subject: ConformanceSubject, _ findings: inout CheckFindings) {
        // It has been read before.
        guard let source = try? subject.provider.file.source() else { return }
        let bytes = Array(source.text.utf8)
        for found in SecretPatterns.findings(in: bytes) {
            let text = String(decoding: bytes[found.range], as: UTF8.self)
            // What a template fills in stands elsewhere, and an author may be written to.
            guard !text.contains("$"), !text.contains("@") else { continue }
            findings.fail(
                "found \(found.kind) in the file, expected none",
                hint: "a script never needs a key; auth declares how it is sent",
                location: SourceLocation(of: text, in: source.text, file: source.file))
        }
    }

    /// The same file once more, with a key.
    private func keyed(_ subject: ConformanceSubject) async -> (ScriptProvider, StubTransport)? {
        let stub = StubTransport()
        let secrets = SecretStore(folder: "/nonexistent", environment: Self.variables(for: subject))
        // It loaded before; should it not now, that is what the caller says.
        return (try? await subject.provider(over: stub, .user(secrets))).map { ($0, stub) }
    }

    /// Runs a call over answers that repeat the key, once as an error and once beside the recorded content.
    private func checkEcho(
        of call: ProviderCall, by provider: ScriptProvider, on stub: StubTransport, _ subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) async {
        let secret = Self.secret
        let cassette = ReplayTransport(subject.library)
        // A server repeats only what it was sent.
        let refused = await stub.capture(call, of: provider) { request, _ in
            let word = request.credentials == nil ? "there" : secret
            return TransportResponse(
                status: 401, url: request.url, headers: [.contentType: "application/json"],
                body: Array("{\"error\":\"the key \(word) is not valid\"}".utf8))
        }
        if case .failure(let error) = refused.result {
            check(
                "\(error)" + ((error as? ProviderError)?.hint?.description ?? ""),
                "\(call), an error response with the key", call,
                subject, &findings)
        }
        let repeated = await stub.capture(call, of: provider) { request, _ in
            var response = try await cassette.send(request)
            guard request.credentials != nil else { return response }
            response.headers[.location] = "https://example.com/?key=\(secret)"
            response.body = Self.planting(secret, in: response.body)
            return response
        }
        if case .success(let result) = repeated.result {
            let text = result.items.map(\.contractJSON.description).joined()
            check(text, "\(call), a response with the key", call, subject, &findings)
        }
        for request in refused.requests + repeated.requests {
            check(
                request.url.description + String(decoding: request.body, as: UTF8.self), "\(call), its request", call,
                subject, &findings)
        }
        check(subject.log.lines.joined(separator: "\n"), "\(call), what the script logs", call, subject, &findings)
    }

    private func check(
        _ text: String, _ what: String, _ call: ProviderCall, _ subject: ConformanceSubject,
        _ findings: inout CheckFindings
    ) {
        guard text.contains(Self.secret) else { return }
        findings.fail(
            "\(what): found the key, expected ***", hint: "a script never needs the key; auth declares how it is sent",
            location: subject.location(of: call.operation))
    }

    private static func variables(for subject: ConformanceSubject) -> [String: String] {
        let owner = subject.manifest.secretOwner(on: subject.instance)
        let names = subject.manifest.authentication.flatMap(\.secretNames)
        return Dictionary(
            names.map { name in
                switch name {
                case AuthenticationMethod.cookieSecret: (owner.variable(name), cookies(for: subject))
                case AuthenticationMethod.loginSecret:
                    (owner.variable(name), OAuthLogin(id: "planted", token: secret).stored)
                default: (owner.variable(name), secret)
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A login whose every cookie is the secret.
    private static func cookies(for subject: ConformanceSubject) -> String {
        let manifest = subject.manifest
        let host = subject.instance?.host ?? manifest.hosts.first { $0.description != "*" }?.cookieDomain ?? ""
        let names = manifest.authentication.compactMap(\.neededCookies).first ?? []
        return CookieText.json(
            (names.isEmpty ? ["login"] : names).compactMap {
                Cookie(name: $0, value: secret, domain: host, isHostOnly: false)
            })
    }

    /// The body with the first text of some length replaced, as a source that echoes the request does.
    private static func planting(_ secret: String, in body: [UInt8]) -> [UInt8] {
        guard let json = JSONValue.found(in: body) else {
            return body + Array("<!-- \(secret) -->".utf8)
        }
        guard case .object(let members) = json else { return body }
        return Array(JSONValue.object(members + [JSONValue.Member("echoed_key", .text(secret))]).compact.utf8)
    }
}
