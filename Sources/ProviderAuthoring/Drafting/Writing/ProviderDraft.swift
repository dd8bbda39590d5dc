import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// A provider begun from one recorded answer: its file, its test and its cassette, and what was made of the answer.
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
        /// What was searched for; nil for what the request's names tell.
        package var searched: String?
        /// The day, where the answer is a live one.
        package var recorded: CalendarDay?

        package init(command: CurlCommand, content: [UInt8]) {
            self.command = command
            self.content = content
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

    /// Drafts a provider; fails where the answer tells of no images.
    package init(_ exchange: Exchange, id: ProviderID) throws(DraftError) {
        guard (200..<300).contains(exchange.status) else {
            throw DraftError(
                "the source answered with status \(exchange.status); a provider is begun from a good answer")
        }
        let credentials = DetectedCredentials(in: exchange.command)
        let request = RequestPattern(credentials.command, searched: exchange.searched)
        let content = try AnswerContent(exchange)
        let answer = try DraftedAnswer(content, request: request, headers: exchange.headers)
        let operation: Operation = answer.request.part(.text) == nil ? .feed : .search
        let writer = DraftWriter(
            id: id, operation: operation, request: answer.request, answer: answer, authentication: credentials.script)
        self.id = id
        script = writer.script
        test = writer.test
        authentication = credentials.way
        findings = writer.findings
        notes = credentials.notes + answer.notes
        var entry = CassetteRedaction(credentials: credentials.credentials(for: id)).entry(
            method: credentials.command.method, url: credentials.command.url, body: credentials.command.body,
            status: exchange.status, headers: exchange.headers, content: exchange.content, recorded: exchange.recorded)
        if entry.headers[.contentType] == nil { entry = entry.with(type: content.mediaType) }
        cassette = Cassette(name: operation.rawValue, provider: id, entries: [entry])
    }
}

extension Cassette.Entry {
    fileprivate func with(type: String) -> Cassette.Entry {
        var headers = headers
        headers[.contentType] = type
        return Cassette.Entry(
            method: method, url: url, body: body, status: status, headers: headers, content: content, recorded: recorded
        )
    }
}
