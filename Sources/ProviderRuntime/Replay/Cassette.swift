import HTTPTypes
import ProviderModel

/// Recorded requests with their answers, as they stand in a file beside a provider.
package struct Cassette: Sendable {
    /// One request and its answer.
    package struct Entry: Sendable {
        /// The calls that the entry is the first answer to; none for one that follows in a call.
        package var calls: [RecordedCall]
        /// The request's method.
        package let method: String
        /// Where it went, without credentials.
        package let url: WebURL
        /// What was sent, if anything.
        package let body: [UInt8]
        /// The answer's status.
        package let status: Int
        /// The answer's header lines.
        package let headers: HTTPFields
        /// The answer's content.
        package let content: [UInt8]
        /// The day it was recorded; nil for one that was written by hand.
        package let recorded: CalendarDay?
        /// The request and the answer as their file has them, so that they are written as they were; nil for new ones.
        let stored: JSONValue?

        package init(
            calls: [RecordedCall] = [], method: String = "GET", url: WebURL, body: [UInt8] = [], status: Int = 200,
            headers: HTTPFields = [:], content: [UInt8], recorded: CalendarDay? = nil
        ) {
            self.init(
                calls: calls, method: method, url: url, body: body, status: status, headers: headers, content: content,
                recorded: recorded, stored: nil)
        }

        init(
            calls: [RecordedCall], method: String, url: WebURL, body: [UInt8], status: Int, headers: HTTPFields,
            content: [UInt8], recorded: CalendarDay?, stored: JSONValue?
        ) {
            self.calls = calls
            self.method = method
            self.url = url
            self.body = body
            self.status = status
            self.headers = headers
            self.content = content
            self.recorded = recorded
            self.stored = stored
        }
    }

    /// The file's name without its ending: `search`.
    package var name: String
    /// In the file's order.
    package var entries: [Entry]
    /// Members of the file beside its entries, such as a note.
    var remarks: [JSONValue.Member] = []

    /// A cassette that is in no file yet.
    package init(name: String, provider: ProviderID, entries: [Entry] = []) {
        self.name = name
        self.entries = entries
        remarks = [JSONValue.Member("provider", .text(provider.description))]
    }

    init(name: String, entries: [Entry], remarks: [JSONValue.Member]) {
        self.name = name
        self.entries = entries
        self.remarks = remarks
    }
}

extension Cassette {
    /// An entry's place in its file.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The cassette.
        package var cassette: String
        /// The entry's index.
        package var index: Int
        /// `GET https://…`.
        package var request: String

        /// `search.json entries[1]`.
        package var description: String { "\(cassette).json entries[\(index)]" }
    }

    /// Where each entry stands.
    package var places: [Place] {
        entries.enumerated().map { index, entry in
            Place(cassette: name, index: index, request: "\(entry.method) \(entry.url)")
        }
    }
}
