import HTTPTransport
import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// A provider drafted from one recorded response: its file, its test, its cassette, and the findings.
package struct ProviderDraft: Sendable {
    /// What is drafted from: a request, and the answer to it.
    package struct Exchange: Sendable {
        /// The request, keys included.
        package var command: CurlCommand
        /// The answer's status.
        package var status = 200
        /// The answer's header lines.
        package var headers: HTTPFields = [:]
        /// The answer's content.
        package var content: [UInt8]
        /// What was searched for; nil to derive it from the request's names.
        package var searched: String?
        /// The day, where the answer is a live one.
        package var recorded: CalendarDay?
        /// The request of the page after this one, which shows how pages follow one another; nil where it is not known.
        package var secondPage: CurlCommand?
        /// The answer to that request, where it was sent.
        package var secondAnswer: SecondAnswer?

        /// Creates an exchange from a request and its response's body.
        package init(command: CurlCommand, content: [UInt8]) {
            self.command = command
            self.content = content
        }
    }

    /// The answer to the request of a second page.
    package struct SecondAnswer: Sendable {
        let status: Int
        let headers: HTTPFields
        let content: [UInt8]

        /// Takes the answer of an exchange.
        package init(_ exchange: Exchange) {
            (status, headers, content) = (exchange.status, exchange.headers, exchange.content)
        }
    }

    /// A line of the account of what was made of the answer.
    package struct Finding: Hashable, Sendable {
        /// What it is about: `title`, `paging`.
        package let subject: String
        /// What was found: `description, else alt_description`.
        package let detail: String
    }

    /// The provider's id.
    package let id: ProviderID
    /// The provider's file.
    package let script: String
    /// Its test file.
    package let test: String
    /// Its cassette, without secrets.
    package let cassette: Cassette
    /// What was made of the answer.
    package let findings: [Finding]
    /// What a reader should look at again.
    package let notes: [String]
    /// Where the keys go, for storing them; nil for none.
    package let authentication: AuthenticationMethod?

    /// Drafts a provider; fails where the answer has no images.
    package init(_ exchange: Exchange, id: ProviderID) throws(DraftError) {
        guard (200..<300).contains(exchange.status) else {
            throw DraftError(
                "the source answered with status \(exchange.status) (expected a successful response)")
        }
        let credentials = DetectedCredentials(in: exchange.command)
        let request = RequestPattern(credentials.command, searched: exchange.searched)
        let content = try AnswerContent(exchange)
        let second = exchange.secondPage.map {
            RequestPattern(DetectedCredentials(in: $0).command, searched: exchange.searched)
        }
        let answer = try DraftedAnswer(content, request: request, second: second, headers: exchange.headers)
        let operation: ProviderOperation = answer.request.part(.text) == nil ? .feed : .search
        let writer = DraftWriter(
            id: id, operation: operation, request: answer.request, answer: answer, authentication: credentials.script,
            rates: DeclaredRates(in: exchange.headers))
        self.id = id
        script = writer.script
        test = writer.test
        authentication = credentials.method
        findings = writer.findings
        notes = credentials.notes + answer.notes + Self.notes(ofSecondPage: exchange)
        var entry = Self.entry(of: exchange, credentials, id: id, calls: [answer.request.recordedCall(operation)])
        if entry.headers[.contentType] == nil { entry = entry.with(type: content.mediaType) }
        cassette = Cassette(
            name: operation.rawValue, provider: id, entries: [entry] + Self.secondEntry(of: exchange, id: id))
    }

    /// The recording of the second page, which the host asks for after the first.
    private static func secondEntry(of exchange: Exchange, id: ProviderID) -> [Cassette.Entry] {
        guard let command = exchange.secondPage, let answer = exchange.secondAnswer, answer.status == 200 else {
            return []
        }
        var second = Exchange(command: command, content: answer.content)
        (second.headers, second.recorded) = (answer.headers, exchange.recorded)
        return [entry(of: second, DetectedCredentials(in: command), id: id, calls: [])]
    }

    private static func notes(ofSecondPage exchange: Exchange) -> [String] {
        guard let answer = exchange.secondAnswer else { return [] }
        guard answer.status == 200 else {
            return ["the request of the second page was answered with status \(answer.status) (expected 200)"]
        }
        return answer.content == exchange.content
            ? ["the second page is the same as the first: the request does not lead to another"] : []
    }

    /// The recording alone, for a response that nothing can be derived from; nil for an error of the source.
    package static func recording(of exchange: Exchange, id: ProviderID) -> Cassette? {
        guard (200..<300).contains(exchange.status), !exchange.content.isEmpty else { return nil }
        let credentials = DetectedCredentials(in: exchange.command)
        let request = RequestPattern(credentials.command, searched: exchange.searched)
        let operation: ProviderOperation = request.part(.text) == nil ? .feed : .search
        let entry = entry(of: exchange, credentials, id: id, calls: [request.recordedCall(operation)])
        return Cassette(name: operation.rawValue, provider: id, entries: [entry])
    }

    private static func entry(
        of exchange: Exchange, _ credentials: DetectedCredentials, id: ProviderID, calls: [RecordedCall]
    ) -> Cassette.Entry {
        CassetteRedaction(credentials: credentials.credentials(for: id)).entry(
            calls: calls, method: credentials.command.method, url: credentials.command.url,
            body: credentials.command.body, status: exchange.status, headers: exchange.headers,
            content: exchange.content, recorded: exchange.recorded)
    }
}

extension RequestPattern {
    /// The call that the host makes this request for, whatever the limits become.
    fileprivate func recordedCall(_ operation: ProviderOperation) -> RecordedCall {
        func number(_ role: Role) -> Int? { part(role).flatMap { $0.isAdded ? nil : Int($0.value) } }
        var call = RecordedCall(operation, text: part(.text)?.value ?? "", limit: number(.limit))
        if let page = number(.page) ?? number(.page0).map({ $0 + 1 }), page > 1 { call.page = page }
        if let offset = number(.offset) ?? number(.offset1).map({ $0 - 1 }), offset > 0 { call.offset = offset }
        return call
    }
}

extension Cassette.Entry {
    fileprivate func with(type: String) -> Cassette.Entry {
        var headers = headers
        headers[.contentType] = type
        return Cassette.Entry(
            calls: calls, method: method, url: url, body: body, status: status, headers: headers, content: content,
            recorded: recorded
        )
    }
}

extension ProviderDraft.Exchange {
    /// Sends a copied request, its keys only to the server it names, and takes the answer.
    package init(sending command: CurlCommand, for id: ProviderID, through service: LiveService) async throws {
        let detected = DetectedCredentials(in: command)
        let plain = detected.command
        let host = plain.url.scheme == .http ? "http://\(plain.url.authority)" : plain.url.authority
        guard let pattern = HostPattern(host) else {
            throw DraftError("\(plain.url.origin) is not a valid server")
        }
        guard let method = HTTPRequest.Method(plain.method) else {
            throw DraftError("\(plain.method.quoted) is not a valid HTTP method")
        }
        var headers = HTTPFields()
        for line in plain.headers where line.name.lowercased() != "accept" || line.value != "*/*" {
            guard let name = HTTPField.Name(line.name) else {
                throw DraftError("\(line.name.quoted) is not a valid header name")
            }
            headers.append(HTTPField(name: name, value: line.value))
        }
        if headers[.accept] == nil { headers[.accept] = "application/json, */*;q=0.5" }
        if !plain.body.isEmpty, headers[.contentType] == nil {
            headers[.contentType] = "application/x-www-form-urlencoded"
        }
        let response = try await service.transport.send(
            TransportRequest(
                method: method, url: plain.url, headers: headers, body: plain.body,
                scope: RequestScope(provider: id, hosts: [pattern]), credentials: detected.credentials(for: id)))
        self.init(command: command, content: response.body)
        status = response.status
        self.headers = response.headers
        recorded = service.today
    }

    /// Takes an answer from a file: the answer itself, or a cassette or HAR archive that has it with its request.
    package init(recorded content: [UInt8], request: CurlCommand?, id: ProviderID) throws(DraftError) {
        if let entry = Self.entry(in: content) {
            var command = request ?? CurlCommand(url: entry.url)
            if request == nil { (command.method, command.body) = (entry.method, entry.body) }
            self.init(command: command, content: entry.content)
            (status, headers, recorded) = (entry.status, entry.headers, entry.recorded)
            searched = entry.calls.first.map(\.text)
            return
        }
        guard let known = request ?? Self.request(toldBy: content) else {
            throw DraftError(
                "nothing in the response says which request it answers (expected a URL of a page)",
                hint: .nameRequest)
        }
        self.init(command: known, content: content)
    }

    /// The first good entry of a cassette or an archive; nil for any other file.
    private static func entry(in content: [UInt8]) -> Cassette.Entry? {
        guard let json = JSONValue.found(in: content) else { return nil }
        let entries: [Cassette.Entry]
        if json["cassette"] != nil, json["entries"] != nil {
            entries = (try? Cassette(named: "search", json).entries) ?? []  // no cassette, then
        } else if json["log"]?["entries"] != nil {
            let anywhere = [HostPattern("http://*")].compactMap(\.self)
            entries = (try? HARArchive(parsing: content, hosts: anywhere).entries) ?? []  // no archive, then
        } else {
            return nil
        }
        return entries.first { $0.status == 200 && AnswerList.isIn($0.content, from: $0.url) }
            ?? entries.first { $0.status == 200 }
    }

    /// The request that an answer names itself: the URL of this page, or of the next.
    private static func request(toldBy content: [UInt8]) -> CurlCommand? {
        guard let json = JSONValue.found(in: content) else { return nil }
        for outer in [json["links"], json["_links"], json["pagination"], json["meta"], json] {
            for name in ["self", "next", "next_url", "next_page", "first"] {
                if let url = (outer?[name]?["href"] ?? outer?[name])?.webURL, url.query != nil {
                    return CurlCommand(url: url.atFirstPage)
                }
            }
        }
        return nil
    }
}

extension ProviderDraft {
    /// Whether nothing in a request says what was searched for.
    package static func isTextUnknown(in exchange: Exchange) -> Bool { pattern(of: exchange).part(.text) == nil }

    /// The names of parameters that may hold what was searched for, where none is known to.
    package static func possibleTexts(in exchange: Exchange) -> [String] {
        pattern(of: exchange).possibleTexts.map(\.name)
    }

    private static func pattern(of exchange: Exchange) -> RequestPattern {
        RequestPattern(DetectedCredentials(in: exchange.command).command, searched: exchange.searched)
    }
}

extension AnswerList {
    /// Whether an answer has a list of images.
    fileprivate static func isIn(_ content: [UInt8], from url: WebURL) -> Bool {
        JSONValue.found(in: content).flatMap { AnswerList(in: $0, from: url) } != nil
    }
}

extension WebURL {
    /// The URL with the number of its page put back to the first.
    fileprivate var atFirstPage: WebURL {
        let pairs = queryItems.map { pair -> (name: String, value: String) in
            let isPage = ["page", "p"].contains(NameWords(pair.name).joined) && Int(pair.value) != nil
            let isOffset = ["offset", "skip"].contains(NameWords(pair.name).joined) && Int(pair.value) != nil
            return (pair.name, isPage ? "1" : isOffset ? "0" : pair.value)
        }
        // The same names and values encode to a URL, if perhaps to a longer one than there may be.
        return (try? WebURL(origin + path).appending(query: pairs)) ?? self
    }
}
