import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads one request, or an array of them.
    mutating func requests(base: WebURL?) throws(ContractViolation) -> (requests: [ProviderRequest], isBatch: Bool) {
        guard peek() == UInt8(ascii: "[") else { return ([try request(base: base)], false) }
        var requests: [ProviderRequest] = []
        try array("an array of requests", atMost: 1_000) { reader throws(ContractViolation) in
            requests.append(try reader.request(base: base))
        }
        return (requests, true)
    }

    private mutating func request(base: WebURL?) throws(ContractViolation) -> ProviderRequest {
        var request = ProviderRequest(url: .unset)
        var url: WebURL?
        var query: [(name: String, value: String)] = []
        try object("a request: an object with a url") { reader, name throws(ContractViolation) in
            switch RequestField(rawValue: name) {
            case .url: url = try reader.requestURL(base: base)
            case .method: request.method = try reader.choice(ProviderRequest.Method.self)
            case .query: query = try reader.pairs().map { ($0.name, $0.value) }
            case .headers: request.headers = try reader.headerLines()
            case .json: try reader.setBody(.json(reader.jsonText()), of: &request)
            case .form: try reader.setBody(.form(reader.pairs()), of: &request)
            case .body: try reader.setBody(.text(reader.string()), of: &request)
            case .upload: request.upload = try reader.optionalString().flatMap { $0.isEmpty ? nil : $0 }
            case .accept: request.format = try reader.choice(ProviderRequest.Format.self)
            case .auth:
                guard try !reader.boolean() else { throw reader.violation("expected false or nothing, found true") }
                request.usesCredentials = false
            case .allowStatus: request.allowedStatus = try reader.statuses()
            case nil: throw reader.unknown(name, in: RequestField.self, "a field of a request")
            }
        }
        guard let url else { throw missing("url", "a URL") }
        if request.upload != nil {
            guard request.method == .post || request.method == .put else {
                throw violation("expected method: 'POST' with upload, found \(request.method.rawValue)")
            }
            if case .json = request.body { throw violation("expected form beside upload, found json") }
            if case .text = request.body { throw violation("expected form beside upload, found body") }
        }
        do throws(InvalidURL) { request.url = try url.appending(query: query) } catch {
            throw violation("expected a URL, found \(error) with its `query`")
        }
        return request
    }

    private mutating func requestURL(base: WebURL?) throws(ContractViolation) -> WebURL {
        let text = try string("a URL")
        do throws(InvalidURL) {
            if let base { return try base.resolving(text) }
            return try WebURL(text)
        } catch {
            let hint = base == nil && text.hasPrefix("/") ? "; a relative URL needs `base` in the manifest" : ""
            throw violation("expected a URL, found \(error)\(hint)")
        }
    }

    /// Reads an object of scalars and arrays of them, as query and form take: an array repeats its name.
    private mutating func pairs() throws(ContractViolation) -> [NamedValue] {
        var pairs: [NamedValue] = []
        try object { reader, name throws(ContractViolation) in
            if reader.peek() == UInt8(ascii: "[") {
                try reader.array { reader throws(ContractViolation) in
                    if let value = try reader.scalar() { pairs.append(NamedValue(name, value)) }
                }
            } else if let value = try reader.scalar() {
                pairs.append(NamedValue(name, value))
            }
        }
        return pairs
    }

    private mutating func scalar() throws(ContractViolation) -> String? {
        let expectation = "a string, a number or a boolean"
        if try takeAbsent(expectation) { return nil }
        switch peek() {
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try boolean() ? "true" : "false"
        case UInt8(ascii: "{"), UInt8(ascii: "["): throw expected(expectation)
        default: return try number(expectation).shortest
        }
    }

    private mutating func headerLines() throws(ContractViolation) -> [NamedValue] {
        let lines = try namedStrings()
        for line in lines {
            let place = path + [.field(line.name)]
            guard !line.name.isEmpty, line.name.utf8.allSatisfy(\.isTokenByte) else {
                throw ContractViolation(path: place.text, message: "expected a header name, found \(line.name.quoted)")
            }
            guard line.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
                throw ContractViolation(
                    path: place.text, message: "expected a header value on one line, found \(line.value.quoted)")
            }
        }
        return lines
    }

    private func setBody(
        _ body: ProviderRequest.Body, of request: inout ProviderRequest
    ) throws(ContractViolation) {
        guard request.body == nil else { throw violation("expected one of json, form and body, found two") }
        request.body = body
    }

    private mutating func statuses() throws(ContractViolation) -> [Int] {
        var statuses: [Int] = []
        try array("an array of statuses") { reader throws(ContractViolation) in
            statuses.append(try reader.integer(in: 100...599, "an HTTP status"))
        }
        return statuses
    }
}

extension UInt8 {
    /// RFC 9110 §5.6.2.
    fileprivate var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
