import HTTPTypes
import ProviderModel

/// Header lines that a script or an item asks for, checked.
package enum ScriptHeaders {
    /// What the host writes itself, or what only concerns one connection (RFC 9110 §7.6.1).
    private static let reserved: Set<String> = [
        "host", "content-length", "cookie", "connection", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "expect", "accept-encoding",
    ]

    /// Returns the lines as fields; a line that could change the request's meaning is an error, not silence.
    package static func fields(_ lines: [NamedValue], for url: WebURL) throws(TransportError) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard !reserved.contains(line.name.lowercased()) else {
                throw TransportError(
                    .badRequest,
                    url: url,
                    message: "the header \(line.name.quoted) is the host's to set; leave it out"
                )
            }
            guard let name = HTTPField.Name(line.name), !line.value.utf8.contains(where: \.breaksLines) else {
                throw TransportError(
                    .badRequest,
                    url: url,
                    message: "the header \(line.name.quoted) with value \(line.value.quoted) is no header line; "
                        + "expected a name of letters, digits and dashes, and a value without line breaks"
                )
            }
            fields.append(HTTPField(name: name, value: line.value))
        }
        return fields
    }
}
