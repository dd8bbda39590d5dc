import HTTPTypes
import ProviderModel

/// An answer.
package struct TransportResponse: Sendable {
    /// The HTTP status.
    package var status: Int
    /// The URL that answered, after redirects, without credentials.
    package var url: WebURL
    /// Header lines; lengths and encodings are those of the decompressed body.
    package var headers: HTTPFields
    /// The content, decompressed; empty where a sink took it.
    package var body: [UInt8]
    /// The protocol's version as people write it: `1.1`, `2`; empty when nothing was sent.
    package var version: String

    /// An answer.
    package init(status: Int, url: WebURL, headers: HTTPFields = [:], body: [UInt8] = [], version: String = "") {
        self.status = status
        self.url = url
        self.headers = headers
        self.body = body
        self.version = version
    }
}

/// What comes before the body of an answer.
package struct ResponseHead: Sendable {
    /// The HTTP status.
    package var status: Int
    /// Header lines.
    package var headers: HTTPFields

    /// A head.
    package init(status: Int, headers: HTTPFields) {
        self.status = status
        self.headers = headers
    }
}
