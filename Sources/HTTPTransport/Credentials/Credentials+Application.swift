import FoundationEssentials
import HTTPTypes
import ProviderModel

/// What really goes over the wire; made last, kept nowhere.
struct WireRequest {
    var url: WebURL
    var headers: HTTPFields
}

extension Credentials {
    /// Adds the secrets; pairs and lines of the same name are replaced, so that a masked echo does no harm.
    func apply(to request: inout WireRequest) throws(TransportError) {
        switch method.placement {
        case .query(let pairs):
            let filled = try fill(pairs)
            let plain = request.url.removingQuery(named: filled.map(\.name))
            request.url = plain.appending(query: filled.map { ($0.name, $0.value) })
        case .header(let pairs):
            for pair in try fill(pairs) {
                guard let name = HTTPField.Name(pair.name) else {
                    throw TransportError(
                        .badRequest,
                        url: request.url,
                        message:
                            "`auth` of \"\(provider)\": \(pair.name.quoted) is not a valid header name"
                    )
                }
                request.headers[name] = pair.value
            }
        case .cookie(let pairs):
            let cookies = try fill(pairs).map { "\($0.name)=\($0.value)" }
            if !cookies.isEmpty { request.headers[.cookie] = cookies.joined(separator: "; ") }
        case .basic(let user, let password):
            for pair in try fill([NamedValue(user, password)]) {
                let plain = "\(fill(pair.name) ?? ""):\(pair.value)"
                request.headers[.authorization] = "Basic \(Data(plain.utf8).base64EncodedString())"
            }
        case .oauth2:
            if let accessToken { request.headers[.authorization] = "Bearer \(accessToken)" }
        }
    }

    /// Header lines that `apply` writes, which must not travel to another origin.
    var headerNames: [HTTPField.Name] {
        switch method.placement {
        case .query: []
        case .header(let pairs): pairs.compactMap { HTTPField.Name($0.name) }
        case .cookie: [.cookie]
        case .basic, .oauth2: [.authorization]
        }
    }

    /// The pairs whose values are known; one that waits for a session is left out.
    private func fill(_ pairs: [NamedValue]) throws(TransportError) -> [NamedValue] {
        var filled: [NamedValue] = []
        for pair in pairs {
            guard let value = fill(pair.value) else { continue }
            guard !value.utf8.contains(where: \.breaksLines) else {
                throw TransportError(
                    .badRequest,
                    message: "a secret of \"\(provider)\" for \(pair.name.quoted) contains a line break or NUL",
                    hint: "store it again without it"
                )
            }
            filled.append(NamedValue(pair.name, value))
        }
        return filled
    }
}
