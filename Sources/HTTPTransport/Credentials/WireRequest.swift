import FoundationEssentials
import HTTPTypes
import ProviderModel

/// A request with its secrets, as sent; created last and not stored.
struct WireRequest {
    var method = HTTPRequest.Method.get
    var url: WebURL
    var headers: HTTPFields
    var body: [UInt8] = []
    /// What signatures are made with.
    var moment = SigningMoment.now

    /// A request without secrets.
    init(_ request: TransportRequest) {
        self.init(url: request.url, headers: request.headers)
        method = request.method
        body = request.body
        if let cookies = request.redirectCookies { addCookies(cookies) }
        guard let upload = request.upload else { return }
        let form = upload.form(with: FormEncoding.decode(String(decoding: body, as: UTF8.self)))
        headers[.contentType] = form.type
        body = form.body
    }

    init(url: WebURL, headers: HTTPFields) {
        self.url = url
        self.headers = headers
    }

    /// Adds cookies to the one line for all (RFC 6265 §5.4), which the subscript for a single value would take apart.
    mutating func addCookies(_ line: String) {
        headers[values: .cookie] = [(headers[values: .cookie] + [line]).joined(separator: "; ")]
    }
}

extension Credentials {
    /// Adds the secrets; pairs and lines of the same name are replaced, such as masked ones from a response.
    func apply(to request: inout WireRequest) throws(TransportError) {
        if isForSession { try applyBody(to: &request) }
        switch method.placement {
        case .query(let pairs): try apply(query: fill(pairs), to: &request)
        case .header(let pairs): try apply(pairs, to: &request)
        case .cookie(let pairs):
            let cookies = try fill(pairs).map { "\($0.name)=\($0.value)" }
            if !cookies.isEmpty { request.addCookies(cookies.joined(separator: "; ")) }
        case .basic(let user, let password):
            for pair in try fill([NamedValue(user, password)]) {
                let plain = "\(fill(pair.name) ?? ""):\(pair.value)"
                request.headers[.authorization] = "Basic \(Data(plain.utf8).base64EncodedString())"
            }
        case .oauth2:
            if let accessToken { request.headers[.authorization] = "Bearer \(accessToken)" }
        case .oauth1: request.headers[.authorization] = oauth1Signer.authorization(for: request)
        case .hmac(let signature): return try apply(signature, to: &request)
        case .cookies, .session: if let cookieLine { request.addCookies(cookieLine) }
        }
        try apply(method.headers, to: &request)
    }

    private func apply(query pairs: [NamedValue], to request: inout WireRequest) throws(TransportError) {
        let plain = request.url.removingQuery(named: pairs.map(\.name))
        do throws(InvalidURL) {
            request.url = try plain.appending(query: pairs.map { ($0.name, $0.value) })
        } catch {
            throw TransportError(
                .badRequest, url: request.url, message: "the URL with the key of \"\(provider)\" is \(error)")
        }
    }

    // MARK: Signatures

    /// The client and, after a login, its token.
    var oauth1Signer: OAuth1Signer {
        OAuth1Signer(
            client: (secrets["client_id"] ?? "", secrets["client_secret"] ?? ""),
            token: login.map { ($0.token, $0.tokenSecret ?? "") })
    }

    /// First what is signed, then the signature.
    private func apply(_ signature: RequestSignature, to request: inout WireRequest) throws(TransportError) {
        func isSigned(_ pair: NamedValue) -> Bool {
            !Template(pair.value).placeholders.contains(RequestSignature.placeholder)
        }
        let query = signature.query
        try apply(query: query.filter(isSigned).map { filled($0, in: request, signature) }, to: &request)
        let text = filled(signature.text, in: request, signature)
        let code = signature.hash.code(of: text, key: filled(signature.key, in: request, signature))
        let value = signature.encoding.text(of: code)
        let final = request
        let others = query.filter { !isSigned($0) }
        if !others.isEmpty {
            let pairs = others.map { filled($0, in: final, signature, value) }
            do throws(InvalidURL) {
                request.url = try request.url.removingQuery(named: pairs.map(\.name))
                    .appending(query: pairs.map { ($0.name, $0.value) })
            } catch {
                throw TransportError(
                    .badRequest, url: request.url, message: "the signed URL of \"\(provider)\" is \(error)")
            }
        }
        try set(method.headers.map { filled($0, in: final, signature, value) }, in: &request)
    }

    private func filled(
        _ pair: NamedValue, in request: WireRequest, _ signature: RequestSignature, _ value: String? = nil
    ) -> NamedValue {
        NamedValue(pair.name, filled(pair.value, in: request, signature, value))
    }

    private func filled(
        _ template: String, in request: WireRequest, _ signature: RequestSignature, _ value: String? = nil
    ) -> String {
        Template(template).filled { name in
            if name == RequestSignature.placeholder { return value }
            let part = RequestSignature.Part(placeholder: name)
            return part.map { $0.text(of: request, hash: signature.hash) } ?? secrets[name] ?? session.value(of: name)
        }
    }

    // MARK: Logins

    /// Adds the fields of a login to a form, or to a JSON object; requests that only read have none.
    private func applyBody(to request: inout WireRequest) throws(TransportError) {
        guard !method.body.isEmpty, request.method != .get, request.method != .head else { return }
        let pairs = try fill(method.body)
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        switch type {
        case "application/json": request.body = try Self.adding(pairs, toJSON: request.body, of: provider)
        case nil, "application/x-www-form-urlencoded":
            let form = String(decoding: request.body, as: UTF8.self)
            let own = FormEncoding.encode(pairs)
            request.body = Array([form, own].filter { !$0.isEmpty }.joined(separator: "&").utf8)
            request.headers[.contentType] = "application/x-www-form-urlencoded"
        case let type?:
            throw TransportError(
                .badRequest, url: request.url,
                message: "the login of \"\(provider)\" sends \(type) (expected form or json, to which `body` is added)")
        }
    }

    private static func adding(
        _ pairs: [NamedValue], toJSON body: [UInt8], of provider: ProviderID
    ) throws(TransportError) -> [UInt8] {
        guard let json = JSONValue.found(in: body), case .object(let members) = json else {
            throw TransportError(
                .badRequest,
                message:
                    "the login of \"\(provider)\" sends JSON that is no object (expected one, to which `body` is added)"
            )
        }
        let own = pairs.map { JSONValue.Member($0.name, .text($0.value)) }
        let names = pairs.map(\.name)
        return Array(JSONValue.object(members.filter { !names.contains($0.name) } + own).compact.utf8)
    }

    private func apply(_ headers: [NamedValue], to request: inout WireRequest) throws(TransportError) {
        try set(fill(headers), in: &request)
    }

    private func set(_ headers: [NamedValue], in request: inout WireRequest) throws(TransportError) {
        for pair in headers {
            guard let name = HTTPField.Name(pair.name) else {
                throw TransportError(
                    .badRequest,
                    url: request.url,
                    message: "`auth` of \"\(provider)\": \(pair.name.quoted) is not a valid header name"
                )
            }
            request.headers[name] = pair.value
        }
    }

    /// Header lines that `apply` writes, which must not travel to another origin.
    var headerNames: [HTTPField.Name] {
        let names: [HTTPField.Name] =
            switch method.placement {
            case .query: []
            case .header(let pairs): pairs.compactMap { HTTPField.Name($0.name) }
            case .cookie, .cookies, .session: [.cookie]
            case .basic, .oauth1, .oauth2: [.authorization]
            case .hmac: []
            }
        return names + method.headers.compactMap { HTTPField.Name($0.name) }
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
