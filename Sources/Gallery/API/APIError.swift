import Downloads
import HTTPTransport
import Hummingbird
import ImgScript
import ProviderModel

/// An answer that says why there is none, as the problem details of RFC 9457.
struct APIError: Error, HTTPResponseError {
    let status: HTTPResponse.Status
    /// What a program may handle differently.
    let code: String
    /// What was found and what was expected.
    let message: String
    /// What to do next.
    var hint: String?
    var headers: HTTPFields = [:]
    /// The providers that it is about.
    var providers: [String] = []

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, hint: String? = nil, headers: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = headers
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var json = JSONWriter()
        json.object { json in
            // §4.2.1: no more than the status says is known of the type, which `code` tells apart.
            json.member("type", "about:blank")
            json.member("title", status.reasonPhrase)
            json.member("status", status.code)
            json.member("detail", message)
            json.member("code", code)
            json.member("hint", hint)
            if !providers.isEmpty {
                json.name("providers")
                json.array(providers) { $0.value($1) }
            }
        }
        var response = Response(json: json, status: status)
        response.headers[.contentType] = "application/problem+json"
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension APIError {
    /// A request that is not as the documentation has it.
    static func invalid(_ message: String) -> APIError { APIError(.badRequest, "invalid", message) }

    static func notFound(_ message: String) -> APIError { APIError(.notFound, "notFound", message) }

    /// A request that names providers that are not installed.
    static func unknownProviders(_ names: [String]) -> APIError {
        let list = names.map { String($0.prefix(80)).quoted }.joined(separator: ", ")
        var error = APIError(
            .notFound, "unknownProvider", "unknown provider \(list) (expected one of /api/v1/providers)")
        error.providers = names
        return error
    }

    /// The answer to a failure of the engine.
    init(_ error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as ProviderError:
            self.init(error.httpStatus, error.code.rawValue, error.description, hint: error.hint?.description)
        case let error as TransportError:
            self.init(error.httpStatus, error.code.rawValue, error.message, hint: error.hint?.description)
        case let error as DownloadError: self.init(.conflict, error.code.rawValue, error.description)
        case let error as EngineError: self.init(error)
        default: self.init(.internalServerError, "internal", "\(error)")
        }
    }

    private init(_ error: EngineError) {
        switch error.code {
        case .status(404), .status(410): self.init(.notFound, "notFound", error.message)
        case .status: self.init(.badGateway, "status", error.message)
        case .notAnImage: self.init(.unsupportedMediaType, "notAnImage", error.message)
        case .damaged: self.init(.badGateway, "damaged", error.message)
        case .skipped, .dryRun: self.init(.unprocessableContent, "skipped", error.description)
        }
    }
}

extension ProviderError {
    var httpStatus: HTTPResponse.Status {
        switch code {
        case .notFound: .notFound
        case .unsupported: .unprocessableContent
        // The source's authentication, not the client's.
        case .auth, .blocked, .changed, .script, .result, .worker, .transport: .badGateway
        case .rate: .serviceUnavailable
        case .timeout, .memory: .gatewayTimeout
        case .provider: provider.isEmpty || ProviderID(provider) == nil ? .notFound : .unprocessableContent
        case .file: .internalServerError
        }
    }
}

extension TransportError {
    var httpStatus: HTTPResponse.Status {
        switch code {
        case .tooLarge: .contentTooLarge
        case .notStored: .notFound
        case .timeout: .gatewayTimeout
        default: .badGateway
        }
    }
}

extension Response {
    /// An answer of JSON, which nothing keeps.
    init(json: JSONWriter, status: HTTPResponse.Status = .ok) { self.init(json: json.bytes, status: status) }

    /// An answer of JSON, which nothing keeps.
    init(json: JSONText) { self.init(json: Array(json.description.utf8), status: .ok) }

    private init(json: [UInt8], status: HTTPResponse.Status) {
        self.init(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}
