import ProviderModel
import ProviderRuntime
import WorkerProtocol

extension ReviewedProvider {
    /// What users and the host need to know, and the manifest leaves out.
    var manifestFindings: [ProviderFinding] {
        var findings: [ProviderFinding] = []
        if manifest.operations.allSatisfy({ ![.search, .feed, .collection, .similar].contains($0.operation) }) {
            findings.append(
                finding(
                    "no-listing", .error, at: "", "found neither search, feed nor collection",
                    fix: "add at least one of them"))
        }
        if manifest.terms.url == nil {
            findings.append(
                finding(
                    "terms-url", .warning, at: "terms", "terms.url is missing",
                    fix: "add the URL of the source's terms: terms: { url: 'https://…' }"))
        }
        if manifest.limits.rates.isEmpty {
            findings.append(
                finding(
                    "rate", .hint, at: "limits", "limits.rate is missing: requests are not rate-limited",
                    fix: "write what the source documents, such as limits: { rate: ['100/1h'] }"))
        }
        if manifest.homepage == nil {
            findings.append(
                finding(
                    "homepage", .hint, at: "name", "homepage is missing",
                    fix: "add the source's front page: homepage: 'https://…'"))
        }
        return findings
    }

    /// Keys and sessions that are declared by half.
    var authenticationFindings: [ProviderFinding] {
        var findings: [ProviderFinding] = []
        let methods = manifest.authentication.filter { !$0.secretNames.isEmpty }
        if !methods.isEmpty, methods.allSatisfy({ $0.help == nil }) {
            findings.append(
                finding(
                    "auth-help", .warning, at: "auth",
                    "auth.help is missing: users cannot find out where keys are issued",
                    fix: "add the page where keys are issued: help: 'https://…'"))
        }
        let takesCookies = manifest.authentication.contains { $0.neededCookies != nil }
        if takesCookies, manifest.instance == nil, manifest.hosts.allSatisfy({ $0.cookieDomain == nil }) {
            findings.append(
                finding(
                    "cookies-hosts", .error, at: "hosts",
                    "auth takes cookies, and hosts names no domain whose cookies these are",
                    fix: "list the source's own hosts in place of '*'"))
        }
        if manifest.authentication.contains(where: \.needsSession), manifest.description(of: .session) == nil {
            findings.append(
                finding(
                    "no-session", .error, at: "auth", "auth uses {session.…}, and there is no session operation",
                    fix: "add session: { request, parse } that returns the values"))
        }
        if manifest.description(of: .session) != nil, !manifest.authentication.contains(where: \.needsSession) {
            findings.append(
                finding(
                    "unused-session", .warning, at: "session",
                    "no method in auth uses {session.…}: the session is never started",
                    fix: "use one of its values in auth, such as template: '{session.token}', or remove session"))
        }
        return findings
    }

    /// Patterns of pages that nothing reads.
    var matchFindings: [ProviderFinding] {
        manifest.matches.enumerated().compactMap { index, match in
            let operation: ProviderOperation = match.type == .collection ? .collection : .details
            guard manifest.description(of: operation) == nil else { return nil }
            return finding(
                "match-operation", .warning, at: "match[\(index)]",
                "\(match.pattern.quoted) leads to \(match.type.rawValue)s, and there is no \(operation) operation",
                fix: "add \(operation), or remove the pattern")
        }
    }

    /// Parameters that are declared and never read, or read and never declared; by what the script did.
    var parameterFindings: [ProviderFinding] {
        manifest.operations.filter { observation.ran.contains($0.operation) }.flatMap { description in
            let read = observation.parameterReads[description.operation] ?? []
            let declared = description.parameters.map(\.name)
            return declared.filter { !read.contains($0) }.map { unused($0, of: description.operation) }
                + read.subtracting(declared).sorted().map {
                    undeclared($0, of: description.operation, beside: declared)
                }
        }
    }

    private func unused(_ name: String, of operation: ProviderOperation) -> ProviderFinding {
        let member = name.isJavaScriptName ? ".\(name)" : "[\(name.asJavaScript)]"
        return finding(
            "unused-parameter", .warning, at: "\(operation).params.\(name)",
            "the parameter \(name) of \(operation) is declared but never read",
            fix: "send it, such as query: { \(name.asMemberName): q.params\(member) }, or leave it out")
    }

    private func undeclared(_ name: String, of operation: ProviderOperation, beside declared: [String])
        -> ProviderFinding
    {
        if let elsewhere = manifest.operations.first(where: { $0.parameters.contains { $0.name == name } })?.operation {
            // A function that operations share may well look for what only one of them has.
            return ProviderFinding(
                "undeclared-parameter", .hint, at: place(of: operation),
                "\(operation) reads q.params.\(name), which \(elsewhere) declares and \(operation) does not",
                fix: "declare it for \(operation), too, if the source takes it there")
        }
        let key = NameWords(name).joined
        let nearest = declared.min {
            NameWords($0).joined.editDistance(to: key) < NameWords($1).joined.editDistance(to: key)
        }
        let meant: Hint? = nearest.flatMap { $0.editDistance(to: name) <= 2 ? "is \($0) meant?" : nil }
        return ProviderFinding(
            "undeclared-parameter", .warning, at: place(of: operation),
            "\(operation) reads q.params.\(name), which is not declared: it is always undefined",
            fix: meant ?? "declare it: params: { \(name.asMemberName): { type: 'string' } }")
    }

    /// What `paging` and `limits` promise, and the requests do without.
    var pagingFindings: [ProviderFinding] {
        var findings: [ProviderFinding] = []
        for operation in [ProviderOperation.search, .feed, .collection, .similar]
        where observation.ran.contains(operation) {
            let read = observation.queryReads[operation] ?? []
            if operation == .search, !read.contains("text") {
                findings.append(
                    ProviderFinding(
                        "unread-text", .error, at: place(of: operation),
                        "search never reads q.text: every search has the same results",
                        fix: "send it, such as query: { q: q.text }; a listing without a text is a feed"))
            }
            let size = manifest.limits.pageSize
            if !read.contains("limit"), size.minimum != size.maximum, manifest.paging != .none {
                findings.append(
                    ProviderFinding(
                        "unread-limit", .hint, at: place(of: operation),
                        "\(operation) never reads q.limit, and limits.pageSize allows \(size.minimum) to \(size.maximum)",
                        fix:
                            "send it, or declare the fixed size: pageSize: { min: n, max: n, default: n }"
                    ))
            }
            let counts = ["page", "offset", "cursor"]
            guard manifest.paging != .none, read.isDisjoint(with: counts), !endsByItself(operation) else { continue }
            let wanted = manifest.paging == .cursor ? "q.cursor" : manifest.paging == .offset ? "q.offset" : "q.page"
            findings.append(
                ProviderFinding(
                    "unread-page", .warning, at: place(of: operation),
                    "paging is '\(manifest.paging.rawValue)', and \(operation) never reads \(wanted): every page is the first one",
                    fix: "send \(wanted), or say paging: 'none', or give next: null"))
        }
        return findings
    }

    /// Whether the recorded first page says that there is no second.
    private func endsByItself(_ operation: ProviderOperation) -> Bool {
        subject.walks.contains { walk in
            guard walk.call.operation == operation, walk.pages.count == 1, case .reached = walk.end,
                case .end = walk.pages[0].next
            else { return false }
            return true
        }
    }

    /// Hosts that nothing goes to, and files on plain http.
    var hostFindings: [ProviderFinding] { unusedHosts + unseenMediaHosts + plainHosts }

    private var unusedHosts: [ProviderFinding] {
        var asked = observation.asked + subject.stub.servers.map(\.url) + [manifest.base].compactMap(\.self)
        asked += manifest.authentication.flatMap(\.tokenURLs)
        let operations = Set(manifest.operations.map(\.operation).filter { $0 != .session })
        let seen = observation.ran.union(subject.recorded.map(\.call.operation))
        // What was never run may be what needs a host.
        guard operations.isSubset(of: seen), manifest.description(of: .session) == nil else { return [] }
        return manifest.hosts.enumerated().compactMap { index, host in
            guard !asked.contains(where: { host.matches($0, instance: subject.instance) }) else { return nil }
            return finding(
                "unused-host", .warning, at: "hosts[\(index)]", "no request goes to \(host.description.quoted)",
                fix: "remove it: users allow hosts, and keys are sent to them")
        }
    }

    private var unseenMediaHosts: [ProviderFinding] {
        let files =
            subject.recordedItems.flatMap { $0.item.media.map(\.url) }
            + subject.recorded.compactMap { $0.result.media?.url }
        guard !files.isEmpty else { return [] }
        return manifest.mediaHosts.enumerated().compactMap { index, host in
            guard !files.contains(where: { host.matches($0, instance: subject.instance) }) else { return nil }
            return finding(
                "unseen-media-host", .hint, at: "mediaHosts[\(index)]",
                "no recorded file is on \(host.description.quoted)",
                fix: "record a response with a file on it, or remove it")
        }
    }

    private var plainHosts: [ProviderFinding] {
        [("hosts", manifest.hosts), ("mediaHosts", manifest.mediaHosts)].flatMap { list, hosts in
            hosts.enumerated().compactMap { index, host in
                guard host.description.hasPrefix("http://") else { return nil }
                let server = host.description.dropFirst(7)
                guard !server.hasPrefix("127."), !server.hasPrefix("localhost") else { return nil }
                return finding(
                    "plain-http", .hint, at: "\(list)[\(index)]",
                    "\(host.description.quoted) allows plain http, which can be read and changed in transit",
                    fix: "try https: \(server.description.quoted), with https in the URLs")
            }
        }
    }

    /// Operations that no recorded answer stands for.
    var recordingFindings: [ProviderFinding] {
        guard !subject.library.cassettes.isEmpty else {
            return [
                finding(
                    "no-cassettes", .hint, at: "",
                    "there are no recorded responses for samples and tests",
                    fix: .record(.first, file: subject.provider.file.path))
            ]
        }
        let recorded = Set(subject.recorded.map(\.call.operation)).union(subject.unreadCalls.map(\.call.operation))
        var findings = manifest.operations.filter { $0.operation != .session && !recorded.contains($0.operation) }.map {
            description in
            ProviderFinding(
                "unrecorded", .warning, at: place(of: description.operation),
                "\(description.operation) has no recorded response",
                fix: .several([
                    .recordCall(
                        Hint.CallToRecord(description.operation, text: description.operation == .search ? "TEXT" : ""),
                        file: subject.provider.file.path),
                    "write one by hand into \(subject.settings.cassetteFolder(of: subject.provider.file))",
                ])
            )
        }
        for (call, error) in subject.unreadCalls {
            if let unmatched = error as? UnmatchedRequest {
                findings.append(
                    ProviderFinding(
                        "unrecorded", .error, at: place(of: call.operation),
                        "\(call): \(unmatched.request) has no response",
                        fix: .recordCall(subject.toRecord(call), file: subject.provider.file.path)))
                continue
            }
            let error = error as? ProviderError
            findings.append(
                ProviderFinding(
                    "unread-answer", .error, at: error?.location ?? place(of: call.operation),
                    "\(call): \([error?.path, error?.message].compactMap(\.self).joined(separator: ": "))",
                    fix: .testProvider(file: subject.provider.file.path)))
        }
        return findings
    }

    /// Images in recorded listings that have no file, and never get one.
    var mediaFindings: [ProviderFinding] {
        guard manifest.description(of: .details)?.addsMedia != true else { return [] }
        return [ProviderOperation.search, .feed, .collection, .similar].compactMap { operation in
            let items = subject.recordedItems.filter { $0.call.operation == operation && $0.item.type == .image }
            guard !items.isEmpty, items.allSatisfy({ $0.item.media.isEmpty }) else { return nil }
            return ProviderFinding(
                "no-media", .error, at: place(of: operation), "no image of \(operation) has a file (expected media)",
                fix: "add the files to media, or get them in details and say details: { media: true, … }")
        }
    }

    // MARK: Requests

    /// What keeps operations from asking at all.
    var requestFindings: [ProviderFinding] {
        [ProviderOperation.search, .feed].compactMap { operation in
            guard let fault = observation.faults[operation] else { return nil }
            let subject = "\(operation)\(fault.phase.map { ".\($0)" } ?? "")"
            let path = fault.path.map { "\($0): " } ?? ""
            return ProviderFinding(
                "request", .error, at: fault.location ?? place(of: operation), "\(subject): \(path)\(fault.message)",
                fix: fault.hint ?? Self.fix(of: fault))
        }
    }

    private static func fix(of fault: ProviderError) -> Hint {
        if fault.message.hasSuffix("found a promise") {
            return
                "providers are synchronous: write { request, parse }, or a generator that yields requests, *search(q)"
        }
        if fault.message.hasPrefix("expected a field of a request") {
            return "a request has url, method, query, headers, json, form, body, upload, accept, auth and allowStatus"
        }
        if fault.message.hasPrefix("expected a request") { return "write { url: 'https://…', query: { q: q.text } }" }
        if fault.path == "url", fault.message.hasSuffix("found undefined") {
            return "add a url to the request"
        }
        if fault.code == .script { return "q has text, page, offset, limit, cursor, params, near and instance" }
        return "see the contract for this field"
    }

    // MARK: Text

    /// What the text itself shows: helpers that are taken and not used, numbers turned into text.
    var textFindings: [ProviderFinding] {
        let tokens = outline.tokens
        var findings: [ProviderFinding] = []
        func place(_ token: SourceTokens.Token) -> SourceLocation {
            SourceLocation(file: "\(manifest.id).js", line: token.line, column: token.column)
        }
        for index in tokens.indices.dropLast(3)
        where tokens[index].text == "id" && tokens[index + 1].text == ":" && tokens[index + 2].text == "String"
            && tokens[index + 3].text == "("
        {
            findings.append(
                ProviderFinding(
                    "string-id", .hint, at: place(tokens[index + 2]),
                    "String(…) around an id is not needed, and turns a missing field into the id \"undefined\"",
                    fix: "return the id as it is: whole numbers are allowed"))
        }
        for name in importedNames(tokens)
        where tokens.count(where: {
            $0.text == name.text && $0.kind == .name || $0.kind == .template && $0.text.contains(name.text)
        }) == 1 {
            findings.append(
                ProviderFinding(
                    "unused-helper", .hint, at: place(name), "\(name.text) is required but never used",
                    fix: "remove it from the braces"))
        }
        return findings
    }

    /// The names of `const { a, b } = require('imgscript')`.
    private func importedNames(_ tokens: [SourceTokens.Token]) -> [SourceTokens.Token] {
        guard
            let end = tokens.indices.first(where: { index in
                index > 2 && tokens[index].kind == .string && tokens[index].text == "imgscript"
                    && tokens[index - 2].text == "require"
            }), let close = tokens[..<end].lastIndex(where: { $0.text == "}" }),
            let open = tokens[..<close].lastIndex(where: { $0.text == "{" })
        else { return [] }
        let names = tokens[(open + 1)..<close].filter { $0.kind == .name }
        return tokens[open..<close].contains { $0.text == ":" } ? [] : Array(names)
    }
}
