import HTTPTypes
import ProviderModel

extension TransportRequest {
    /// The request a provider asked for, with its body encoded and what its response should be in `Accept`.
    package init(
        _ request: ProviderRequest,
        of manifest: ProviderManifest,
        instance: WebURL? = nil,
        credentials: Credentials? = nil
    ) throws(TransportError) {
        let scope = RequestScope(provider: manifest.id, hosts: manifest.hosts, instance: instance)
        self.init(
            method: request.method.httpMethod,
            url: request.url,
            headers: try ScriptHeaders.fields(request.headers, for: request.url),
            scope: scope,
            credentials: request.usesCredentials ? credentials : nil,
            cacheAtLeast: manifest.terms.cacheAtLeast.map { .seconds($0) }
        )
        cacheAtMost = manifest.terms.cacheAtMost.map { .seconds($0) }
        limits = manifest.limits
        if headers[.accept] == nil { headers[.accept] = request.format.mediaTypes }
        switch request.body {
        case .json(let json): setBody(json.description, type: "application/json")
        case .form(let pairs): setBody(FormEncoding.encode(pairs), type: "application/x-www-form-urlencoded")
        case .text(let text): setBody(text, type: "text/plain; charset=utf-8")
        case nil: break
        }
    }

    private mutating func setBody(_ text: String, type: String) {
        body = Array(text.utf8)
        if headers[.contentType] == nil { headers[.contentType] = type }
    }
}

/// The encoding of HTML forms.
package enum FormEncoding {
    /// Returns the pairs as one text, names repeated as they come.
    package static func encode(_ pairs: [NamedValue]) -> String {
        pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension ProviderRequest.Method {
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .delete: .delete
        case .head: .head
        }
    }
}

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
                    message: "the header \(line.name.quoted) is set by the host", hint: "leave it out"
                )
            }
            guard let name = HTTPField.Name(line.name), !line.value.utf8.contains(where: \.breaksLines) else {
                throw TransportError(
                    .badRequest,
                    url: url,
                    message: "invalid header line \(line.name.quoted) with value \(line.value.quoted) "
                        + "(expected a name of letters, digits and dashes, and a value without line breaks)"
                )
            }
            fields.append(HTTPField(name: name, value: line.value))
        }
        return fields
    }
}

extension TransportRequest {
    /// Adds the header lines that a script gives for a file; they go to that file's server alone.
    package mutating func addFileHeaders(_ lines: [NamedValue]) throws(TransportError) {
        let own = try ScriptHeaders.fields(lines, for: url)
        if own.contains(.accept) { headers[.accept] = nil }
        headers.append(contentsOf: own)
        ownHeaders.formUnion(own.map(\.name))
    }
}
